"""paper-notes: a static site generator for bilingual collections of paper notes."""

__version__ = "0.1.0"
