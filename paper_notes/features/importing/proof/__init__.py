"""The proof of an import: the words of an original, read anew from its file, are on the page that was built of it.

Nothing here knows the importer, so no mistake of its readers is repeated: `tests/test_architecture.py` keeps it so.
"""
