"""Addresses lose what lets somebody in, and nothing else."""

from __future__ import annotations

import time

import pytest

from paper_notes.addresses import host_of, is_address, without_secrets

SECRET = {
    "https://x.org/p?token=S": "https://x.org/p",
    "https://x.org/p?a=1&token=S&b=2#c": "https://x.org/p?a=1&b=2#c",
    "https://x.org/p?API_KEY=S&a=1": "https://x.org/p?a=1",
    "https://x.org/p?%74oken=S": "https://x.org/p",
    "https://x.org/p#access_token=S": "https://x.org/p",
    "https://b.s3.amazonaws.com/p.pdf?X-Amz-Credential=S%2F&X-Amz-Signature=S": "https://b.s3.amazonaws.com/p.pdf",
    "https://b.blob.core.windows.net/p?sv=2024&sig=S%3D": "https://b.blob.core.windows.net/p?sv=2024",
    "https://x.org/p?Signature=S&Key-Pair-Id=S&Expires=1": "https://x.org/p?Expires=1",
    "https://me:S@x.org/p": "https://x.org/p",
    "https://S@x.org": "https://x.org",
    "https://me:S@S@x.org/p?auth=S&password=S&session=S": "https://x.org/p",
    '"http://me:S@x.org/?key=S" does not name a paper': '"http://x.org/" does not name a paper',
    "no page https://x.org/p?token=S. Nothing was written": "no page https://x.org/p. Nothing was written",
    "url = {https://x.org/p?access\\_token=S\\&a=1},author={b@c}": "url = {https://x.org/p?a=1},author={b@c}",
}


@pytest.mark.parametrize(("text", "public"), SECRET.items())
def test_what_lets_somebody_in_is_left_out(text: str, public: str) -> None:
    assert without_secrets(text) == public


@pytest.mark.parametrize(
    "text",
    [
        "https://x.org/p?id=token&noteId=S#key",
        "https://x.org/p?keywords=a&author=b&monkey=c",
        "https://medium.com/@me/p",
        "url={https://x.org},author={a@b}",
        "What?key is it? a=1",
        "why?",
    ],
)
def test_the_rest_stays(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.parametrize("piece", ["://", "?a=", "?&", "&token=", "://a@", "?key=.", "\\\\&"])
def test_any_text_is_read_in_no_time(piece: str) -> None:
    before = time.process_time()
    without_secrets(piece * 20_000)
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("address", "host", "is_usable"),
    [
        ("https://me.github.io/notes", "me.github.io", True),
        ("https://例子.org", "例子.org", True),
        ("https://[::1]:8000/a", "::1", True),
        ("https://[", "", False),
        ("https://x\u2100y/", "", False),
        ("https://a..b", "a..b", False),
        (f"https://{'a' * 70}.org", f"{'a' * 70}.org", False),
        ("https://:80", "", False),
        ("ftp://x.org", "x.org", False),
    ],
)
def test_the_host_of_an_address(address: str, host: str, is_usable: bool) -> None:
    assert (host_of(address), is_address(address)) == (host, is_usable)
