"""Texts in which so many brackets are open that reading them would take minutes.

Whoever looks for the end of a bracket looks through all that follows, and does so for each one that is open.
"""

from __future__ import annotations

import re
from collections import Counter

MOST_OPEN = 200
"""So many brackets of a kind may be open at a place of a paragraph."""
_ENDS = {"\\(": "\\)", "\\[": "\\]", "<!--": "-->", "{": "}", "[": "]", "(": ")", "<": ">"}
_STARTS = {end: start for start, end in _ENDS.items()}
_SIGN = re.compile(r"\\[()\[\]]|\\.|<!--|-->|<(?=[A-Za-z/!?])|[\[\](){}>]")


def most_open(text: str) -> Counter[str]:
    """How many brackets of each kind are open at once in a paragraph, at the most."""
    open_now, most = Counter[str](), Counter[str]()
    for sign in _SIGN.findall(text):
        if sign in _ENDS:
            open_now[sign] += 1
            most[sign] = max(most[sign], open_now[sign])
        elif (start := _STARTS.get(sign)) and open_now[start]:
            open_now[start] -= 1
    return most
