"""Notes in other places, with all references to them."""
