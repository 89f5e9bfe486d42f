"""Disk to values: read the collection's files, and parse YAML and BibTeX with positions."""
