"""A new collection: what `paper-notes init` writes. Its words are in `languages/`, all else is in `files/`."""
