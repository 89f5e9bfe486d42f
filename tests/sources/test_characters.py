"""References to characters are read as browsers read them, however long their numbers are."""

from __future__ import annotations

import pytest

from paper_notes.sources.characters import unescape


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a&amp;b&#65;&#x42;&#0000000067;", "a&bABC"),
        (f"&#{'9' * 5_000};a&#{'9' * 5_000}b", "\ufffda\ufffdb"),
        (f"&#x{'9' * 5_000};", "\ufffd"),
        (f"&#{'0' * 5_000}65;&#{'0' * 200}128512;&#{'0' * 200}1114112;&#{'0' * 200};", "A\U0001f600\ufffd\ufffd"),
    ],
)
def test_references(html: str, text: str) -> None:
    assert unescape(html) == text
