"""Books of notes."""
