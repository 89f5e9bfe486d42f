"""Reports of a day and lists of papers: read, written, made anew each day, and their papers made notes."""
