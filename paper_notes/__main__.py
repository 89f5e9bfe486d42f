"""`python -m paper_notes`."""

from paper_notes.commands import run

run()
