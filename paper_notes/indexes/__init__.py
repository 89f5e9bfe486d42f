"""Things about pages and corpus: README tables and lists, true by construction."""
