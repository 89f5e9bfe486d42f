"""Questions to a collection on the terminal: which notes, all of one note, how many."""
