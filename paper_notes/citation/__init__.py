"""Papers in the formats of other programs: files to download, and metadata in pages."""
