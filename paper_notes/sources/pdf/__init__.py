"""PDFs of papers: which paper one is, what it says, and its figures. Only `document` knows PyMuPDF.

A PDF of somebody else can keep MuPDF busy for hours: `reader` does all this in a process of its own.
"""
