"""paper-notes: a static site generator for bilingual collections of paper notes.

`from paper_notes import open_collection` is its library (`features/library/`), loaded when it is asked for.
"""

from importlib import import_module

__version__ = "0.1.0"
_LIBRARY = "Collection Correction Finding Match Note Number Paper Section Term UserError open_collection".split()


def __getattr__(name: str) -> object:
    """A name of the library. `__init__.pyi` says which there are to type checkers."""
    if name in _LIBRARY:
        return getattr(import_module("paper_notes.features.library.collection"), name)
    raise AttributeError(name)
