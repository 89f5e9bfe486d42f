"""`python -m paper_notes`."""

from paper_notes.cli import run

run()
