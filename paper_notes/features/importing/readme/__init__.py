"""A README that somebody kept by hand, read as the lists of a collection, and given back with marked regions."""
