"""JSON from databases, read without trusting its shape."""

from __future__ import annotations

import json

from paper_notes.features.papers.web import NoResponse, Response


def json_of(response: Response) -> dict[str, object]:
    """The answer as a JSON object. Raises NoResponse."""
    value = any_json_of(response)
    if not isinstance(value, dict):
        service = response.request.service
        raise NoResponse(f"{service.name}'s answer is JSON, but no record of a paper", service.hint())
    return value


def any_json_of(response: Response) -> object:
    """The answer as JSON of any shape. Raises NoResponse."""
    service = response.request.service
    if response.looks_like_html:
        raise response.web_page("JSON")
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
