"""Web addresses: without what lets somebody in, as files and messages may have them."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from paper_notes.patterns import regex

ADDRESS = r"^https?://[^\s/]+(/\S*)?$"
"""What the address of a page looks like."""
TO_PAGES = regex(rb"\]\((?:\.\./)*site/")
"""A link of a README to a file of the site."""
LEAD_OUT = ("http://", "https://", "mailto:", "zotero://")
"""What links of notes that leave the site begin with; the last leads to a paper in the reader's own Zotero."""
_USER = regex(r"(?<=://)[^\s/?#\"'<>{}]*@")
_QUERY = regex(r"([?#])([^\s\"'<>{}?#]+)")
_SECRET = regex(
    r"(?:x-(?:amz|goog|ms)-.*|awsaccesskeyid|googleaccessid|key-pair-id|auth(?:orization|[-_]?key)?|key|pass|pwd|sig|jwt"
    r"|session(?:[-_]?id)?|.*(?:token|secret|passw(?:or)?d|signature|credentials?|(?:api|access)[-_]?key))",
    re.IGNORECASE,
)
"""Names of parameters by which services know who asks: AWS, Google Cloud and Azure sign addresses with theirs."""
_END = regex(r"[.,:;)\]]*$")


def without_secrets(text: str) -> str:
    """The address, or the text with addresses in it, without names, passwords, and parameters that are secret."""
    return _QUERY.sub(_public, _USER.sub("", text))


def _public(query: re.Match[str]) -> str:
    between = r"\&" if r"\&" in query[2] else "&"  # as TeX writes it
    pairs = query[2].split(between)
    public = [pair for pair in pairs if not _is_secret(pair)]
    if len(public) == len(pairs):
        return query[0]
    end = _END.search(pairs[-1]) if _is_secret(pairs[-1]) else None  # the sentence goes on after it
    return (query[1] + between.join(public) if public else "") + (end[0] if end else "")


def _is_secret(pair: str) -> bool:
    name, equals, _ = pair.partition("=")
    return bool(equals and _SECRET.fullmatch(unquote(name.replace("\\", ""))))


def host_of(address: str) -> str:
    """The host of an address; empty if it has none, or none that Python reads."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def is_address(text: str) -> bool:
    """Whether a text is the address of a page, whose host has a name that the network can have."""
    try:
        return bool(re.match(ADDRESS, text) and host_of(text).encode("idna"))
    except UnicodeError:
        return False


_OUTSIDE = regex(r"(?:https?://|mailto:)\S+")


def is_outside(link: str) -> bool:
    """True for an address outside of the site."""
    return bool(_OUTSIDE.fullmatch(link))
