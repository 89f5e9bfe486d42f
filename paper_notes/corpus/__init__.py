"""Values to meaning: the typed corpus, how it is loaded, and how references in it are found."""
