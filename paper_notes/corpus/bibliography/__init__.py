"""BibTeX entries to papers."""
