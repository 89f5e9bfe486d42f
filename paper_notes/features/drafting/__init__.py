"""Drafts by a model of the user's choice: checked before they are written."""
