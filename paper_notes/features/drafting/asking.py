"""Questions to a model at an OpenAI-compatible address: answers are checked, sent back, kept, counted.

`papers.web` bounds time, size and tries, and keeps the key out of messages.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache
from paper_notes.features.drafting.applying import ModelText
from paper_notes.features.drafting.prompts import Prompt, estimate, sent_back
from paper_notes.features.papers.records import any_json_of
from paper_notes.features.papers.web import NoResponse, Request, Response, Service, Web
from paper_notes.sources.characters import lines
from paper_notes.sources.tree import with_plain_ends

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
ROUNDS = 3
"""How often an answer is sent back with what is wrong with it."""
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
"""What some models say before their answer."""
_LONGEST = 200_000
"""Characters of an answer that is looked at: a section has a few thousand."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said."""

    text: str
    tokens: int | None
    """Of question and answer together; None if the server does not count."""
    whole: bool = True
    """False if it was cut off because it was too long."""


def model_of(environ: Mapping[str, str]) -> tuple[str, Service]:
    """The model that the environment names, and who is asked. Raises UserError if it cannot be asked."""
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
    return name, Service("the model", url, instead=f"what is done is kept; {URL} says which server is asked", key=key)


@dataclass(frozen=True, slots=True)
class Checked:
    """The texts in an answer, or why it cannot be used."""

    value: tuple[ModelText, ...] | None
    findings: tuple[str, ...] = ()
    rest: tuple[ModelText, ...] | None = None
    """What can be used of it if no better answer comes."""


@dataclass
class Asker:
    """Asks one model, with a budget of tokens."""

    model: str
    service: Service
    web: Web
    store: Cache | None = None
    budget: int | None = None
    tokens: int = field(default=0, init=False)
    """Used so far, as the server counts, or else by our estimate."""
    _refused: set[str] = field(default_factory=set, init=False)
    """Parameters that the server refuses."""

    def ask(self, prompt: Prompt, check: Callable[[str], Checked]) -> Checked:
        """What `check` makes of the model's answer; one that passed before is not asked for again. Raises UserError.

        If no answer passes: what was wrong with the last one, and what can be used all the same.
        """
        key = self._key(prompt)
        if self.store and (kept := self.store.get(key, of_any_program=True)):
            checked = check(kept.decode(errors="replace"))
            if checked.value is not None:
                return checked
        messages = prompt.messages
        findings: tuple[str, ...] = ()
        rest: tuple[ModelText, ...] | None = None
        for _ in range(1 + ROUNDS):
            text, cut_off = self._answer(prompt, messages)
            if not text.strip():
                findings = ("the answer is empty",)
            elif cut_off:
                findings = ("the answer is cut off, because it is too long or was stopped",)
            else:
                checked = check(text)
                findings, rest = checked.findings, checked.rest or rest
                if checked.value is not None:
                    if self.store:
                        self.store.put(key, text.encode(), of_any_program=True)
                        self.store.write()
                    return checked
            messages = sent_back(prompt, text[:_LONGEST], findings) if text.strip() else prompt.messages
        return Checked(rest, findings)

    def _answer(self, prompt: Prompt, messages: Sequence[Mapping[str, str]]) -> tuple[str, bool]:
        about = sum(estimate(message["content"]) for message in messages)
        if self.budget is not None and self.tokens + about + prompt.expected > self.budget:
            message = f"the budget of {self.budget:,} tokens is spent: {self.tokens:,} are used"
            raise UserError(message, "run it again with a larger --max-tokens: what is done is kept")
        left = prompt.most if self.budget is None else min(prompt.most, self.budget - self.tokens - about)
        answer = self.send(messages, left, prompt.schema)
        text = _THOUGHTS.sub("", with_plain_ends(lines(answer.text[:_LONGEST])))
        self.tokens += answer.tokens if answer.tokens is not None else about + estimate(answer.text)
        return text, not answer.whole or len(answer.text) > _LONGEST

    def _key(self, prompt: Prompt) -> str:
        parts = (self.model, prompt.id, prompt.system, prompt.user, repr(prompt.schema))
        return f"model 1\n{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}"

    def send(self, messages: Sequence[Mapping[str, str]], most: int, schema: Mapping[str, Any] | None = None) -> Answer:
        """The model's answer of at most `most` tokens, in the form of `schema` if there is one. Raises UserError."""
        form = {"type": "json_schema", "json_schema": {"name": "sections", "strict": True, "schema": schema}}
        wanted = {"temperature": 0, "max_tokens": most, **({"response_format": form} if schema else {})}
        options = {name: value for name, value in wanted.items() if name not in self._refused}
        response = self.web.fetch(
            Request(
                self.service,
                "/chat/completions",
                accept="application/json",
                limit=MAX_BYTES,
                too_large="which no section is",
                patience=PATIENCE,
                timeout=PATIENCE,
                pauses=BACK_OFF,
                max_wait=MAX_WAIT,
                content=json.dumps({"model": self.model, "messages": [*messages], **options}).encode(),
                words_of=_words_of,
            )
        )
        if response.status == 200:
            return _read(response)
        named = [name for name in _OPTIONAL if name in options and name.encode() in response.body]
        if response.status in (400, 422) and named:
            self._refused.add(named[0])
            return self.send(messages, most, schema)
        if 300 <= response.status < 400:
            message = f"the model's server sends us elsewhere ({response.status}), where your text is not sent"
            raise NoResponse(message, f"write the final address into {URL}")
        raise NoResponse(response.refused().message, _HINTS.get(response.status, f"check {URL} and {NAME}"))


def _read(response: Response) -> Answer:
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
