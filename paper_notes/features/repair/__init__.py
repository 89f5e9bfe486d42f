"""Text that was garbled, as its author meant it."""
