"""Garbage collection that fits a build: hundreds of thousands of values that all stay, and are not worth looking at."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OFTEN = (50_000, 20, 1_000)


@contextmanager
def infrequent_gc() -> Iterator[None]:
    """Look for cycles seldom, and hardly ever among the old values: a fifth of the time of a build that does little."""
    before = gc.get_threshold()
    gc.set_threshold(*_OFTEN)
    try:
        yield
    finally:
        gc.set_threshold(*before)
