"""PDFs of papers: identity, facts and figures. Only `document` uses PyMuPDF.

A hostile PDF can keep MuPDF busy for hours, so `reader` does all this in a process with limits.
"""
