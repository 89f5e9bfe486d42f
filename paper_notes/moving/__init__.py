"""Moves notes: the places of all references to them in the sources, and the files with new ones."""
