"""Drafts by a model of the user's choice: translations and first texts, checked before they are written."""
