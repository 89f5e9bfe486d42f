"""The results of commands that query a collection: lists of notes, figures of PDFs, records of translations."""
