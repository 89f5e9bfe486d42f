"""Corpus and bodies to pages: views, the theme, and the templates that turn them into HTML."""
