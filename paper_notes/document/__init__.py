"""A text as a typed tree: read once, asked, written, or edited by the spans of its nodes."""
