"""Documents about many papers that other programs write: read into one kind of value, and written from it."""
