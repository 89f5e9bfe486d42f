"""Documents of other programs, read and written by pandoc."""
