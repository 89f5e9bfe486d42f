"""Paths of addresses, and the check of the Host header."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.serve.files import EVENTS, is_ours, wanted_path


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/", "index.html"),
        ("/index.html", "index.html"),
        ("/topic", "topic"),
        ("/topic/", "topic/index.html"),
        ("/topic/notes/04_ReSpec_2510.26475.html", "topic/notes/04_ReSpec_2510.26475.html"),
        ("/%E6%A1%A5/a%20b.html", "桥/a b.html"),
        ("/100%25.html", "100%.html"),
        ("/page.html/", "page.html/index.html"),
    ],
)
def test_an_address_means_a_path_below_the_site(address: str, path: str) -> None:
    assert wanted_path(address) == PurePosixPath(path)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "index.html",
        "http://127.0.0.1:8000/index.html",
        "/../README.md",
        "/topic/../../README.md",
        "/./index.html",
        "/%2e%2e/README.md",
        "/%2E%2e%2fREADME.md",
        "/topic%2findex.html",
        "/..%5cREADME.md",
        "/..\\README.md",
        "/index.html%00.png",
        "/a%0d%0aSet-Cookie:%20x",
        "//example.org/",
        "/topic//index.html",
        "/.manifest",
        "/.git/config",
        "/%2emanifest",
        "/%ff.html",
        EVENTS,
    ],
)
def test_no_file_is_at_such_an_address(address: str) -> None:
    assert wanted_path(address) is None


@pytest.mark.parametrize(
    ("host", "port", "ours"),
    [
        ("127.0.0.1:8000", 8000, True),
        ("localhost:8000", 8000, True),
        ("LocalHost:8000", 8000, True),
        ("[::1]:8000", 8000, True),
        ("localhost", 80, True),
        ("127.0.0.1:80", 80, True),
        ("localhost", 8000, False),
        ("localhost:8001", 8000, False),
        ("localhost:08000", 8000, False),
        ("evil.example:8000", 8000, False),
        ("127.0.0.1.evil.example:8000", 8000, False),
        ("evil.example", 80, False),
        ("localhost:8000@evil.example", 8000, False),
        ("::1:8000", 8000, False),
        (":8000", 8000, False),
        ("", 80, False),
    ],
)
def test_only_names_of_this_machine_with_this_port_are_ours(host: str, port: int, ours: bool) -> None:
    assert is_ours(host, port) is ours
