"""Drawings and pictures of a note as parts of its page."""
