"""A new collection: what `paper-notes init` writes. Its texts are a file for each language, all else is in `files/`."""
