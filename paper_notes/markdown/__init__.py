"""Note text to body: a pure function of one note's own files, with slots for what only the corpus knows."""
