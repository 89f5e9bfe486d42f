"""The served copy of a page: one script more, and a policy that allows just that one."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable

import pytest

from paper_notes.languages.language import Words, language
from paper_notes.languages.text import Lang
from paper_notes.serve.files import listening_script
from paper_notes.serve.pages import MISSING, listening, no_site_yet, no_such_page, widened
from paper_notes.values import replace

HASH = "'sha256-x'"


@pytest.mark.parametrize(
    ("policy", "served"),
    [
        (
            "default-src 'none'; img-src data:; script-src 'sha256-a'; base-uri 'none'",
            "default-src 'none'; img-src data:; script-src 'sha256-a' 'sha256-x'; base-uri 'none'; connect-src 'self'",
        ),
        (
            "script-src 'sha256-a' 'strict-dynamic'; connect-src https://a.example",
            "script-src 'sha256-a' 'strict-dynamic' 'sha256-x'; connect-src https://a.example 'self'",
        ),
        ("default-src 'none'", "default-src 'none'; script-src 'sha256-x'; connect-src 'self'"),
        (
            "default-src https://a.org",
            "default-src https://a.org; script-src https://a.org 'sha256-x'; connect-src https://a.org 'self'",
        ),
        (
            "Script-Src 'none'; script-src *; script-src-elem 'none'; connect-src 'none'",
            "script-src 'none'; script-src-elem 'sha256-x'; connect-src 'self'",
        ),
        ("script-src 'unsafe-inline'", "script-src 'unsafe-inline'"),
        ("script-src 'unsafe-inline' 'nonce-a'", "script-src 'unsafe-inline' 'nonce-a' 'sha256-x'"),
        ("img-src data:;; ", "img-src data:"),
        ("", ""),
    ],
)
def test_a_policy_allows_one_script_more_and_is_as_strict_as_before(policy: str, served: str) -> None:
    assert widened(policy, HASH) == served


def policies(page: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'Security-Policy" content="([^"]*)"', page)]


def test_the_script_stands_at_the_end_with_the_version_of_the_page() -> None:
    page = "<!doctype html><title>a</title><body><p>a &lt;/body> 桥 İ</p></body></html>"
    served = '<!doctype html><title>a</title><body><p>a &lt;/body> 桥 İ</p><script data-version="v1">f()</script>\n'
    assert listening(page.encode(), "f()", "v1").decode() == f"{served}</body></html>"


@pytest.mark.parametrize("page", ["", "<p>no body", "<body>open"])
def test_a_page_without_an_end_gets_it_too(page: str) -> None:
    assert listening(page.encode(), "f()", "v").decode() == f'{page}<script data-version="v">f()</script>\n'


def test_bytes_that_are_not_utf8_stay() -> None:
    assert listening(b"<body>\xff</body>", "f()", "v").startswith(b"<body>\xff<script")


@pytest.mark.parametrize(
    "element",
    [
        '<meta http-equiv="Content-Security-Policy" content="{}">',
        '<meta content="{}" http-equiv=content-security-policy>',
        "<META HTTP-EQUIV = 'Content-Security-Policy' CONTENT = '{}' />",
    ],
)
def test_a_policy_is_found_however_it_is_written(element: str) -> None:
    policy = "default-src &#39;none&#39;; script-src &#39;sha256-a&#39;".replace("&#39;", "&#x27;")
    served = listening(f"<head>{element.format(policy)}<body>".encode(), "f()", "v").decode()
    (found,) = re.findall(r'content\s*=\s*"([^"]*)"', served, re.IGNORECASE)
    digest = base64.b64encode(hashlib.sha256(b"f()").digest()).decode()
    own = f"script-src 'sha256-a' 'sha256-{digest}'; connect-src 'self'"
    assert html.unescape(found) == f"default-src 'none'; {own}"


def test_every_policy_of_a_page_is_widened_and_texts_about_policies_are_not() -> None:
    meta = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    served = listening(f"<head>{meta}{meta}<body>{meta}".encode(), "f()", "v").decode()
    assert ["connect-src" in policy for policy in policies(served)] == [True, True, False]


@pytest.mark.parametrize("page", [no_site_yet, no_such_page])
def test_pages_of_our_own_are_in_the_languages_of_the_collection(page: Callable[[Words], bytes]) -> None:
    text = page(Words.of("zh", "en")).decode()
    assert re.findall(r' lang="([^"]*)"', text) == ["zh-CN", "en", "en"]
    text = page(Words.of("en", "zh")).decode()
    assert re.findall(r' lang="([^"]*)"', text) == ["en", "zh-CN", "zh-CN"]
    text = page(Words.of("en")).decode()
    assert re.findall(r' lang="([^"]*)"', text) == ["en"]
    assert text.isascii()


def test_a_page_of_our_own_has_a_link_in_a_sentence() -> None:
    text = no_such_page(Words.of("zh", "en")).decode()
    assert "<title>没有这一页 · No such page</title>" in text
    assert '<h1>没有这一页<br><span lang="en">No such page</span></h1>' in text
    assert '<p>这个地址下没有文件。一旦有了，这里会自动显示。<a href="/">回首页</a></p>' in text
    own = replace(
        language(Lang("en")), words={**language(Lang("en")).words, "serve.home": "<Home>", "serve.no-page": "<No>"}
    )
    text = no_such_page(Words((own,))).decode()
    assert '<a href="/">&lt;Home&gt;</a></p>' in text
    assert "<h1>&lt;No&gt;</h1>" in text


@pytest.mark.parametrize("make", [no_site_yet, no_such_page])
def test_pages_of_our_own_are_as_strict(make: Callable[[Words], bytes]) -> None:
    page = make(Words.of("zh", "en"))
    (policy,) = policies(listening(page, "f()", MISSING).decode())
    assert policy.startswith("default-src 'none'; ")
    assert "script-src 'sha256-" in policy


def test_the_script_can_stand_in_a_page() -> None:
    assert "</" not in listening_script()
    assert "EventSource('/.paper-notes/events?'" in listening_script()
