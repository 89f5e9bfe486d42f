"""Values to meaning: the typed corpus, its loading, and references between notes."""
