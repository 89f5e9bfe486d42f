"""Asks a model at an OpenAI-compatible address: `papers.web` bounds time, size and tries, and hides the key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paper_notes.diagnostics import UserError
from paper_notes.features.papers.records import any_json_of
from paper_notes.features.papers.web import NoResponse, Request, Response, Service, Web

URL, NAME, KEY, OTHER_KEY = "PAPER_NOTES_MODEL_URL", "PAPER_NOTES_MODEL", "PAPER_NOTES_MODEL_KEY", "OPENAI_API_KEY"
"""The environment variables that say which model, and where."""
PATIENCE = 600.0
"""Seconds for an answer with all tries and the pauses between them: a model on a small machine takes minutes."""
MAX_BYTES = 4 * 1024 * 1024
BACK_OFF = (3.0, 10.0, 30.0)
"""Seconds before each further try."""
MAX_WAIT = 120.0
"""The longest `Retry-After` to wait for, in seconds."""
_OPTIONAL = ("response_format", "temperature", "max_tokens")
"""Parameters that some servers refuse: they are asked again without the one that they name."""
_LOCAL = re.compile(r"http://(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:/|$)", re.IGNORECASE)
_HINTS = {
    401: f"check {KEY}",
    403: f"check {KEY}, and whether you may use this model",
    404: f"check {URL}, which mostly ends with /v1, and {NAME}",
}


@dataclass(frozen=True, slots=True)
class Model:
    """A model and where it is asked."""

    url: str
    name: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said."""

    text: str
    tokens: int | None
    """Of question and answer together; None if the server does not count."""
    whole: bool = True
    """False if it was cut off because it was too long."""


def model_of(environ: Mapping[str, str]) -> Model:
    """The model that the environment names. Raises UserError if it names none, or not so that it can be asked."""
    url, name = environ.get(URL, "").strip(), environ.get(NAME, "").strip()
    key = environ.get(KEY, "").strip() or environ.get(OTHER_KEY, "").strip()
    for variable, value, example in (
        (URL, url, "http://127.0.0.1:11434/v1 for Ollama on this machine"),
        (NAME, name, "qwen3:32b, as the server calls it"),
    ):
        if not value:
            hint = f"set it, such as {variable}={example}"
            raise UserError(f"no model is asked, because {variable} is not set", hint)
    if not re.match(r"https?://[^/?#\s@]+(?:[/?#]\S*)?$", url, re.IGNORECASE):
        raise UserError(f"{URL} is not a web address without a password in it", f"a key goes into {KEY}")
    if not environ.get(KEY, "").strip() and key and not (url.lower().startswith("https://") or _LOCAL.match(url)):
        message = f"{OTHER_KEY} is not sent to {url}, which is not encrypted"
        raise UserError(message, f"set {KEY} if that server is yours, even to the same key, or use https")
    if not key.isascii() or re.search(r"\s", key):
        raise UserError(f"{KEY} cannot be a key: it has spaces or signs that no key has", "copy it again")
    return Model(url, name, key)


@dataclass
class Endpoint:
    """One model, asked over the network."""

    model: Model
    web: Web
    _refused: set[str] = field(default_factory=set, init=False)
    """Parameters that the server refuses."""

    def ask(self, messages: Sequence[Mapping[str, str]], most: int, schema: Mapping[str, Any] | None = None) -> Answer:
        """The model's answer of at most `most` tokens, in the form of `schema` if there is one. Raises UserError."""
        form = {"type": "json_schema", "json_schema": {"name": "sections", "strict": True, "schema": schema}}
        wanted = {"temperature": 0, "max_tokens": most, **({"response_format": form} if schema else {})}
        options = {name: value for name, value in wanted.items() if name not in self._refused}
        instead = f"what is done is kept; {URL} says which server is asked"
        response = self.web.fetch(
            Request(
                Service("the model", self.model.url, instead=instead, key=self.model.key),
                "/chat/completions",
                accept="application/json",
                limit=MAX_BYTES,
                too_large="which no section is",
                patience=PATIENCE,
                timeout=PATIENCE,
                pauses=BACK_OFF,
                max_wait=MAX_WAIT,
                content=json.dumps({"model": self.model.name, "messages": [*messages], **options}).encode(),
                words_of=_words_of,
            )
        )
        if response.status == 200:
            return _answer(response)
        named = [name for name in _OPTIONAL if name in options and name.encode() in response.body]
        if response.status in (400, 422) and named:
            self._refused.add(named[0])
            return self.ask(messages, most, schema)
        if 300 <= response.status < 400:
            message = f"the model's server sends us elsewhere ({response.status}), where your text is not sent"
            raise NoResponse(message, f"write the final address into {URL}")
        raise NoResponse(response.refused().message, _HINTS.get(response.status, f"check {URL} and {NAME}"))


def _answer(response: Response) -> Answer:
    """The text in an answer. Raises NoResponse for what the protocol does not know."""
    value: Any = any_json_of(response)
    try:
        choice = value["choices"][0]
        text, ended = choice["message"].get("content"), choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError):
        said = response.words
        message = f"the model's answer has no text where it should have one{f': {said}' if said else ''}"
        raise NoResponse(message, f"check {URL}: is it an OpenAI-compatible server?") from None
    used = value.get("usage")
    tokens = used.get("total_tokens") if isinstance(used, dict) else None
    return Answer(
        text if isinstance(text, str) else "",
        tokens if isinstance(tokens, int) and 0 <= tokens < 10**9 else None,
        whole=ended not in ("length", "content_filter"),
    )


def _words_of(body: bytes) -> str:
    """What an error says for people: `{"error": {"message": ...}}`, or one of many variants. No web page."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if isinstance(value, dict):
        value = value.get("error", value)
        value = value.get("message") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""
