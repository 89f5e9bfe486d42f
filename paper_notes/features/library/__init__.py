"""The collection for programs: `from paper_notes import open_collection`, and `export --data`."""
