"""Questions to a model at an OpenAI-compatible address: answers are streamed, checked, sent back, kept, counted.

`papers.web` bounds time, size and tries, and keeps the key out of messages.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache
from paper_notes.features.drafting.prompts import Prompt, estimate, sent_back
from paper_notes.features.papers.records import any_json_of, mapping, mappings
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.patterns import regex
from paper_notes.sources.characters import lines
from paper_notes.sources.tree import with_plain_ends
from paper_notes.values import Struct

T = TypeVar("T")
URL, NAME, KEY, OTHER_KEY = "PAPER_NOTES_MODEL_URL", "PAPER_NOTES_MODEL", "PAPER_NOTES_MODEL_KEY", "OPENAI_API_KEY"
"""The environment variables that say which model, and where."""
CONTEXT, PRICE = "PAPER_NOTES_MODEL_CONTEXT", "PAPER_NOTES_MODEL_PRICE"
"""Those that say how many tokens it takes in at most, and what a million of them cost."""
_CONTEXT = 32_768
"""Tokens of question and answer that nearly all models of today take."""
_PRICE = regex(r"(?P<sent>\d+(?:\.\d+)?)[ /]+(?P<received>\d+(?:\.\d+)?)(?: ?(?P<currency>[^\d\s]{1,8}))?")
_CUT, _LONG_ENOUGH = 0.5, 800
"""A server that counts less than this part of our estimate has not read all of a question of so many tokens."""
PATIENCE = 600.0
"""Seconds for an answer with all tries and the pauses between them: a model on a small machine takes minutes."""
MAX_BYTES = 8 * 1024 * 1024
"""Of a stream, whose events say some 200 bytes about each token."""
_A_TOKEN = 200
BACK_OFF = (3.0, 10.0, 30.0)
"""Seconds before each further try."""
MAX_WAIT = 120.0
"""The longest `Retry-After` to wait for, in seconds."""
_OPTIONAL = ("response_format", "temperature", "max_tokens", "stream_options", "stream")
"""Parameters that some servers refuse: they are asked again without the one that they name."""
_FORM, _ANY_FORM = "response_format", "json_schema"
_LINE_END = regex("\r\n|\r|\n")
"""Of event streams; JSON may hold other separators of lines."""
_LOCAL = regex(r"http://(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:/|$)", re.IGNORECASE)
_HINTS = {
    401: f"check {KEY}",
    403: f"check {KEY}, and whether you may use this model",
    404: f"check {URL}, which mostly ends with /v1, and {NAME}",
}
ROUNDS = 3
"""How often an answer is sent back with what is wrong with it."""
_THOUGHTS = regex(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
"""What some models say before their answer."""
_LONGEST = 200_000
"""Characters of an answer that is looked at: a section has a few thousand."""


class Answer(Struct, frozen=True):
    """What a model said."""

    text: str
    sent: int | None
    """Tokens of the question as the server counts them; None if it does not."""
    received: int | None
    whole: bool = True
    """False if it was cut off because it was too long, or its stream broke off."""


class Price(Struct, frozen=True):
    """What a million tokens cost, sent and received."""

    sent: float
    received: float
    currency: str = ""

    def of(self, sent: int, received: int) -> str:
        """`0.0123 USD`"""
        return f"{(sent * self.sent + received * self.received) / 1e6:.4f} {self.currency}".strip()


class Model(Struct, frozen=True):
    """A model, who is asked, and what the user's settings say of it."""

    name: str
    service: Service
    context: int = _CONTEXT
    """Tokens that it takes in at most, its answer among them."""
    price: Price | None = None


def context_of(environ: Mapping[str, str]) -> int:
    """How many tokens a question and its answer may have. Raises UserError."""
    value = environ.get(CONTEXT, "").strip().replace(",", "").replace("_", "")
    if value and not re.fullmatch("[2-9][0-9]{3}|[1-9][0-9]{4,7}", value):
        raise UserError(f"{CONTEXT} is not a number of tokens from 2,000 on", f"set it, such as {CONTEXT}={_CONTEXT}")
    return int(value or _CONTEXT)


def price_of(environ: Mapping[str, str]) -> Price | None:
    """What the user says that tokens cost. Raises UserError."""
    value = environ.get(PRICE, "").strip()
    match = _PRICE.fullmatch(value)
    if value and not match:
        raise UserError(f"{PRICE} is not a price", f'for a million tokens sent and received: {PRICE}="0.27 1.10 USD"')
    return Price(float(match["sent"]), float(match["received"]), match["currency"] or "") if match else None


def model_of(environ: Mapping[str, str]) -> Model:
    """The model that the environment names. Raises UserError if it cannot be asked."""
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
    service = Service("the model", url, instead=f"what is done is kept; {URL} says which server is asked", key=key)
    return Model(name, service, context_of(environ), price_of(environ))


class Checked(Struct, Generic[T], frozen=True):
    """What is read in an answer, or why it cannot be used."""

    value: T | None
    findings: tuple[str, ...] = ()
    rest: T | None = None
    """What can be used of it if no better answer comes."""
    doubts: tuple[str, ...] = ()
    """What is asked about once in a value that can be used, and is then said to a person."""


@dataclass
class Asker:
    """Asks one model, with a budget of tokens."""

    model: Model
    web: Web
    store: Cache | None = None
    budget: int | None = None
    watch: Callable[[float], None] = lambda share: None
    """Is told about which share of an answer has come."""
    sent: int = field(default=0, init=False)
    """Tokens so far, as the server counts, or else by our estimate."""
    received: int = field(default=0, init=False)
    _refused: set[str] = field(default_factory=set, init=False)
    """Parameters that the server refuses."""

    @property
    def tokens(self) -> int:
        """Used so far."""
        return self.sent + self.received

    @property
    def cost(self) -> str:
        """What these tokens cost; empty if no price is known."""
        return self.model.price.of(self.sent, self.received) if self.model.price else ""

    def ask(self, prompt: Prompt, check: Callable[[str], Checked[T]]) -> Checked[T]:
        """What `check` makes of the model's answer; one that passed before is not asked for again. Raises UserError.

        If no answer passes: what was wrong with the last one, and what can be used of the best.
        """
        key = self._key(prompt)
        if self.store and (kept := self.store.get(key, of_any_program=True)):
            checked = check(kept.decode(errors="replace"))
            if checked.value is not None:
                return checked
        messages = prompt.messages
        findings: tuple[str, ...] = ()
        rest: T | None = None
        doubted: Checked[T] | None = None
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
                    self._keep(key, text)
                    if doubted or not checked.doubts:
                        return checked
                    doubted, findings = checked, checked.doubts
                elif doubted:
                    return doubted
            messages = prompt.messages
            if text.strip():
                messages = sent_back(prompt, text[:_LONGEST], findings, doubts=bool(doubted))
        return doubted or Checked(rest, findings)

    def _keep(self, key: str, text: str) -> None:
        if self.store:
            self.store.put(key, text.encode(), of_any_program=True)
            self.store.write()

    def _answer(self, prompt: Prompt, messages: Sequence[Mapping[str, str]]) -> tuple[str, bool]:
        about = sum(estimate(message["content"]) for message in messages)
        if self.budget is not None and self.tokens + about + prompt.expected > self.budget:
            message = f"the budget of {self.budget:,} tokens is spent: {self.tokens:,} are used"
            raise UserError(message, "run it again with a larger --max-tokens: what is done is kept")
        left = prompt.most if self.budget is None else min(prompt.most, self.budget - self.tokens - about)
        answer = self.send(messages, left, prompt.schema, expected=prompt.expected)
        text = _THOUGHTS.sub("", with_plain_ends(lines(answer.text[:_LONGEST])))
        self.sent += about if answer.sent is None else answer.sent
        self.received += estimate(answer.text) if answer.received is None else answer.received
        # only the first time: some servers do not count what they still know of the question before
        if answer.sent and messages == prompt.messages and about > _LONG_ENOUGH and answer.sent < _CUT * about:
            message = f"the model's server read only {answer.sent:,} tokens of a question of about {about:,}: it cut it"
            hint = f"give it a larger context (Ollama: OLLAMA_CONTEXT_LENGTH), or set {CONTEXT} to what it has"
            raise UserError(message, hint)
        return text, not answer.whole or len(answer.text) > _LONGEST

    def _key(self, prompt: Prompt) -> str:
        parts = (self.model.name, prompt.id, prompt.system, prompt.user, repr(prompt.schema))
        return f"model 1\n{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}"

    def send(
        self,
        messages: Sequence[Mapping[str, str]],
        most: int,
        schema: Mapping[str, Any] | None = None,
        *,
        expected: int = 1,
    ) -> Answer:
        """The model's answer of at most `most` tokens, in the form of `schema` if there is one. Raises UserError."""
        wanted = {
            "temperature": 0,
            "max_tokens": most,
            "stream": True,
            "stream_options": {"include_usage": True},
            **({_FORM: self._form(schema)} if schema else {}),
        }
        options = {name: value for name, value in wanted.items() if name not in self._refused}
        response = self.web.fetch(
            Request(
                self.model.service,
                "/chat/completions",
                accept="text/event-stream, application/json",
                limit=MAX_BYTES,
                too_large="which no section is",
                patience=PATIENCE,
                timeout=PATIENCE,
                pauses=BACK_OFF,
                max_wait=MAX_WAIT,
                content=json.dumps({"model": self.model.name, "messages": [*messages], **options}).encode(),
                words_of=_words_of,
            ),
            lambda size, total: self.watch(min(size / (expected * _A_TOKEN), 1.0)),
        )
        if response.status == 200:
            return _read(response)
        named = [name for name in _OPTIONAL if name in options and name.encode() in response.body]
        refused = named[0] if named else _FORM if _FORM in options else ""  # not all say what they do not know
        if response.status in (400, 422) and refused:
            self._refused.add(_ANY_FORM if refused == _FORM and _ANY_FORM not in self._refused else refused)
            return self.send(messages, most, schema, expected=expected)
        if 300 <= response.status < 400:
            message = f"the model's server sends us elsewhere ({response.status}), where your text is not sent"
            raise NoResponse(message, f"write the final address into {URL}")
        raise NoResponse(response.refused().message, _HINTS.get(response.status, f"check {URL} and {NAME}"))

    def _form(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The form of an answer: its schema, or any JSON for servers that know none; our own check reads both."""
        if _ANY_FORM in self._refused:
            return {"type": "json_object"}
        return {"type": _ANY_FORM, _ANY_FORM: {"name": "answer", "strict": True, "schema": schema}}


def _read(response: Response) -> Answer:
    """The text in an answer. Raises NoResponse for what the protocol does not know."""
    if response.kind == "text/event-stream" or response.body.startswith(b"data:"):
        events, whole = _events(response.body)
    else:
        events, whole = [any_json_of(response)], True
    text, ended, usage, known = "", "", dict[str, object](), False
    for event in events:
        usage = mapping(mapping(event).get("usage")) or usage
        for choice in mappings(mapping(event).get("choices"))[:1]:
            said = choice.get("message", choice.get("delta"))
            known = known or isinstance(said, dict)
            content = mapping(said).get("content")
            text += content if isinstance(content, str) else ""
            ended = str(choice.get("finish_reason") or ended)
    if any("error" in mapping(event) for event in events) or (whole and not known):
        said_words = f": {response.words}" if response.words else ""
        message = f"the model's answer has no text where it should have one{said_words}"
        raise NoResponse(message, f"check {URL}: is it an OpenAI-compatible server?")
    return Answer(
        text,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        whole=(whole or bool(ended)) and ended not in ("length", "content_filter"),
    )


def _events(body: bytes) -> tuple[list[object], bool]:
    """The events of a stream up to the first that is broken, and whether its end was sent."""
    events = list[object]()
    for line in _LINE_END.split(body.decode(errors="replace")):
        name, _, data = line.partition(":")
        if name == "data" and data.strip() == "[DONE]":
            return events, True
        if name == "data":
            try:
                events.append(json.loads(data))
            except (ValueError, RecursionError):
                return events, False
    return events, False


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 10**9 else None


def _words_of(body: bytes) -> str:
    """What an error says for people: `{"error": {"message": ...}}`, or one of many variants. No web page."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = next((event for event in _events(body)[0] if "error" in mapping(event)), None)
    if isinstance(value, dict):
        value = value.get("error", value)
        value = value.get("message") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""
