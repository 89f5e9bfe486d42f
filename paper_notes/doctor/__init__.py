"""What may be wrong around a collection: the installation, and what git would publish."""
