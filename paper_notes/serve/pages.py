"""The served copy of a page: with the live reload script, and a content security policy that allows it."""

from __future__ import annotations

import base64
import hashlib
import html
import re

from markupsafe import Markup, escape

from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

MISSING = "-"
"""The digest of a page that does not exist."""
_POLICY = regex(
    r"""<meta\b(?=[^>]*\bhttp-equiv\s*=\s*["']?content-security-policy\b)[^>]*?\bcontent\s*=\s*("[^"]*"|'[^']*')[^>]*>""",
    re.IGNORECASE,
)
_BODY = regex(rb"<body\b", re.IGNORECASE)
_BODY_END = regex(rb"</body\b", re.IGNORECASE)


def digest(data: bytes) -> str:
    """The version of a page: the first half of its SHA-256 as hex."""
    return hashlib.sha256(data).hexdigest()[:32]


def listening(page: bytes, script: str, version: str) -> bytes:
    """The page with `script`, whose element has the `version` of the page as an attribute: its digest, or MISSING."""
    body = _BODY.search(page)
    start = body.start() if body else len(page)
    head = page[:start].decode("utf-8", "surrogateescape")
    allowed = f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    head = _POLICY.sub(lambda match: _with_policy(match, allowed), head)
    element = f'<script data-version="{version}">{script}</script>\n'
    at = max((match.start() for match in _BODY_END.finditer(page, start)), default=len(page))
    rest = memoryview(page)  # slices of it are not copied
    return b"".join((head.encode("utf-8", "surrogateescape"), rest[start:at], element.encode(), rest[at:]))


def _with_policy(match: re.Match[str], allowed: str) -> str:
    whole, start = match[0], match.start()
    policy = widened(unescape(match[1][1:-1]), allowed)
    return f'{whole[: match.start(1) - start]}"{html.escape(policy)}"{whole[match.end(1) - start :]}'


def widened(policy: str, allowed: str) -> str:
    """The policy, which also allows one script (by its hash `allowed`) to connect to its own server."""
    directives: dict[str, list[str]] = {}
    for directive in policy.split(";"):
        if words := directive.split():
            directives.setdefault(words[0].lower(), words[1:])
    scripts = "script-src-elem" if "script-src-elem" in directives else "script-src"
    for name, source in ((scripts, allowed), ("connect-src", "'self'")):
        sources = directives.get(name, directives.get("default-src"))
        if sources is None or (name == scripts and _any_script(sources)):
            continue
        directives[name] = [*(word for word in sources if word != "'none'"), source]
    return "; ".join(" ".join((name, *sources)) for name, sources in directives.items())


def _any_script(sources: list[str]) -> bool:
    """True if every inline script may run; adding a hash would turn `'unsafe-inline'` off."""
    return "'unsafe-inline'" in sources and not any(re.match(r"'(?:sha\d+|nonce)-", source) for source in sources)


_NOTICE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>:root{{color-scheme:light dark}}
body{{max-width:36rem;margin:18vh auto 0;padding:0 1.25rem;font:1.0625rem/1.7 system-ui,sans-serif;\
background:light-dark(#fdfdfc,#131519);color:light-dark(#1b1d22,#e2e5ea)}}
h1{{font-size:1.5rem;line-height:1.35}}a{{color:light-dark(#1c4a94,#9dbdf5)}}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{text}
</main>
</body>
</html>
"""


def no_site_yet(words: Words) -> bytes:
    """The page shown before the first build has ended."""
    return _notice(words, words("serve.no-site"), words("serve.no-site-more"))


def no_such_page(words: Words) -> bytes:
    """The page for unknown addresses, on a site without a 404 page of its own."""
    home = words("serve.home").map(Markup('<a href="/">{}</a>').format)
    return _notice(words, words("serve.no-page"), words("serve.no-page-more", home=home))


def _notice(words: Words, title: Text, more: Text) -> bytes:
    first, *others = words.languages
    heads, paragraphs = [escape(title[first.tag])], [Markup("<p>{}</p>").format(more[first.tag])]
    for other in others:
        heads.append(Markup('<span lang="{}">{}</span>').format(other.html, title[other.tag]))
        paragraphs.append(Markup('<p lang="{}">{}</p>').format(other.html, more[other.tag]))
    heading, text = Markup("<br>").join(heads), Markup("\n").join(paragraphs)
    name = escape(title.joined(words.tags))
    return _NOTICE.format(lang=first.html, title=name, heading=heading, text=text).encode()
