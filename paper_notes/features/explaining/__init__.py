"""Says what findings and components mean."""
