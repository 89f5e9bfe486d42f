"""What may be wrong around a collection."""
