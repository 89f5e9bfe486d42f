"""What databases answer, read without trusting its shape: JSON, and texts with HTML, JATS or MathML."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping

from paper_notes.diagnostics import UserError
from paper_notes.features.papers.request import NoResponse, Response
from paper_notes.patterns import regex
from paper_notes.sources.characters import one_line, unescape

_TAG = regex(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|<!\[CDATA\[|\]\]>")
_COMMENT = (re.compile("<!--.*?-->", re.DOTALL), re.compile("-->"))
_TEX_END = r"</(?:\w+:)?(?:tex-math|annotation)>"
_TEX = (re.compile(r"<(?:\w+:)?(?:tex-math|annotation)\b[^<>]*>.*?" + _TEX_END, re.DOTALL), re.compile(_TEX_END))
_HEADING = regex(r"<jats:title>\s*(?:abstract|summary|摘要)\s*[:.]?\s*</jats:title>", re.IGNORECASE)
_BLOCK = regex(r"<(?:/?(?:jats:)?(?:p|sec|title|list|list-item|div|li|br)\b[^<>]*)>", re.IGNORECASE)
_YEAR = regex(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)(?:[-/.](\d{1,2})(?!\d))?")


def json_of(response: Response, missing: UserError | None = None) -> dict[str, object]:
    """The answer as a JSON object. Raises `missing` if the server does not have it, or NoResponse."""
    value = any_json_of(response, missing)
    if not isinstance(value, dict):
        service = response.request.service
        raise NoResponse(f"{service.name}'s answer is JSON, but no record of a paper", service.hint())
    return value


def any_json_of(response: Response, missing: UserError | None = None) -> object:
    """The answer as JSON of any shape; raises as `json_of`."""
    service = response.request.service
    response.check("JSON", missing)
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise NoResponse(f"{service.name}'s answer is not whole JSON{where}", service.hint("try again")) from error


def mapping(value: object) -> dict[str, object]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, object]]:
    """The objects in a JSON list; empty if it is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """The value if it is a text, or the first text of a list; else empty."""
    if isinstance(value, list):
        return next((item for item in value if isinstance(item, str)), "")
    return value if isinstance(value, str) else ""


def plain(record: Mapping[str, object], *names: str) -> str:
    """The first text of a record under these names, without markup; empty if there is none."""
    return without_markup(next(filter(None, (text(record.get(name)) for name in names)), ""))


def year_and_month(words: str) -> tuple[int | None, int | None]:
    """The first year in a text, such as `2025/10/30`, and the month after it."""
    date = _YEAR.search(words[:100])
    return (int(date[1]), int(date[2] or 0) or None) if date else (None, None)


def day_of(value: str) -> datetime.date | None:
    """The day that a date, perhaps with a time, begins with."""
    try:
        return datetime.date.fromisoformat(value[:10])
    except ValueError:
        return None


def without_markup(text: str) -> str:
    """`<jats:p>A <i>tiny</i> &amp; fast</jats:p>` as `A tiny & fast`; a lone `<`, as in `p < 0.05`, stays."""
    text = _without(*_COMMENT, _without(*_TEX, _HEADING.sub(" ", text)))
    text = _TAG.sub("", _BLOCK.sub(" ", text))
    return one_line(unescape(unescape(text)))


def _without(parts: re.Pattern[str], end: re.Pattern[str], text: str) -> str:
    """The text without these parts. After the last end nothing is searched: many unclosed parts would take for ever."""
    last = max((match.end() for match in end.finditer(text)), default=0)
    return parts.sub(" ", text[:last]) + text[last:]
