"""Asks a model at an OpenAI-compatible address: bounded in time, size and tries. The key is in no message."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paper_notes.diagnostics import UserError
from paper_notes.features.papers.transfer import Watch
from paper_notes.features.papers.web import pause_asked

URL, NAME, KEY, OTHER_KEY = "PAPER_NOTES_MODEL_URL", "PAPER_NOTES_MODEL", "PAPER_NOTES_MODEL_KEY", "OPENAI_API_KEY"
"""The environment variables that say which model, and where."""
PATIENCE = 600.0
"""Seconds for an answer with all tries and the pauses between them: a model on a small machine takes minutes."""
CONNECT = 10.0
MAX_BYTES = 4 * 1024 * 1024
BACK_OFF = (3.0, 10.0, 30.0)
"""Seconds before each further try."""
MAX_WAIT = 120.0
"""The longest `Retry-After` to wait for, in seconds."""
_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_OPTIONAL = ("response_format", "temperature", "max_tokens")
"""Parameters that some servers refuse: they are asked again without the one that they name."""
_LOCAL = re.compile(r"http://(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:/|$)", re.IGNORECASE)
_MOST_WORDS = 64_000
"""Bytes of an error that are read."""
_SHOWN = 200
"""Characters of a server's own words that a message quotes."""


class NoModelAnswer(UserError):
    """The endpoint gives no usable answer, so asking it for anything else is useless."""


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
            raise UserError(
                f"no model is asked, because {variable} is not set", f"set it, such as {variable}={example}"
            )
    if not re.match(r"https?://[^/?#\s@]+(?:[/?#]\S*)?$", url, re.IGNORECASE):
        raise UserError(f"{URL} is not a web address without a password in it", f"a key goes into {KEY}")
    if not environ.get(KEY, "").strip() and key and not (url.lower().startswith("https://") or _LOCAL.match(url)):
        message = f"{OTHER_KEY} is not sent to {url}, which is not encrypted"
        raise UserError(message, f"set {KEY} if that server is yours, even to the same key, or use https")
    if not key.isascii() or re.search(r"\s", key):
        raise UserError(f"{KEY} cannot be a key: it has spaces or signs that no key has", "copy it again")
    return Model(url.rstrip("/"), name, key)


@dataclass(frozen=True, slots=True)
class _Busy:
    """An answer after which it is worth trying again."""

    what: str
    wait: float = 0.0


class _Refused(Exception):
    """The server answered with another status than 200; `words` is the beginning of what it said."""

    def __init__(self, status: int, headers: Mapping[str, str], words: bytes) -> None:
        super().__init__(status)
        self.status, self.headers, self.words = status, headers, words


def _refuse(response: Any) -> None:
    """Raise _Refused before the library reads all of an error, however long."""
    if response.status_code == 200:
        return
    words = b""
    for piece in response.iter_bytes():
        words += piece
        if len(words) > _MOST_WORDS:
            break
    raise _Refused(response.status_code, {name.title(): value for name, value in response.headers.items()}, words)


class Endpoint:
    """One model. `sleep`, `clock` and output are passed in. Close it at the end."""

    def __init__(
        self,
        model: Model,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = lambda words: None,
        patience: float = PATIENCE,
    ) -> None:
        """Raises UserError if the client library is not installed."""
        try:
            import openai
        except ImportError as error:
            raise UserError(
                "the library that asks models is not installed", 'pip install "paper-notes[model]"'
            ) from error
        self.model, self._patience = model, patience
        self._sleep, self._clock, self._say = sleep, clock, say
        self._left_out: set[str] = set()
        """Parameters that the server refuses."""
        self._watch: Watch | None = None
        timeout = openai.Timeout(patience, connect=min(CONNECT, patience))
        omitted: Any = {name: openai.Omit() for name in ("OpenAI-Organization", "OpenAI-Project")}
        self._client = openai.OpenAI(
            base_url=model.url,
            api_key=model.key or "none",
            max_retries=0,  # our own tries say that they wait
            timeout=timeout,
            default_headers={
                **omitted,  # of the user's environment: none of this server's business
                "Connection": "close",  # each try has a connection of its own, which its watch can end
            },
            http_client=openai.DefaultHttpxClient(
                follow_redirects=False,
                timeout=timeout,
                event_hooks={"request": [self._watched], "response": [_refuse]},
            ),
        )

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def ask(self, messages: Sequence[Mapping[str, str]], most: int, schema: Mapping[str, Any] | None = None) -> Answer:
        """The model's answer of at most `most` tokens, in the form of `schema` if there is one. Raises NoAnswer."""
        pauses, deadline = iter(BACK_OFF), self._clock() + self._patience
        while isinstance(answer := self._try(messages, most, schema, deadline), _Busy):
            pause = next(pauses, None)
            if pause is None or self._clock() + max(pause, answer.wait) >= deadline or answer.wait > MAX_WAIT:
                asks = f", and asks for a pause of {answer.wait:.0f} seconds" if answer.wait > MAX_WAIT else ""
                message = f"the model's server gives no answer: {answer.what}{asks}"
                raise NoModelAnswer(message, f"try again later: what is done is kept; {URL} says which server is asked")
            wait = max(pause, answer.wait)
            self._say(f"the model's server: {answer.what}; trying again in {wait:.0f} s ...")
            self._sleep(wait)
        return answer

    def _try(
        self, messages: Sequence[Mapping[str, str]], most: int, schema: Mapping[str, Any] | None, deadline: float
    ) -> Answer | _Busy:
        import openai

        late = _Busy(f"no whole answer within {self._patience:g} seconds")
        watch = self._watch = Watch(max(0.0, deadline - self._clock()))
        try:
            create: Any = self._client.chat.completions.with_streaming_response.create
            asked = create(model=self.model.name, messages=list(messages), **self._options(most, schema))
            with asked as response:
                body = self._received(response)
        except (openai.APIConnectionError, _Refused) as error:
            refused = error if isinstance(error, _Refused) else error.__cause__
            if isinstance(refused, _Refused):
                return self._refused(refused, messages, most, schema, deadline)
            if watch.expired or isinstance(error, openai.APITimeoutError):
                return late
            return _Busy(self._clean(str(refused or "")) or "no connection")
        finally:
            watch.end()
        if watch.expired:  # that may have ended an answer without a length
            return late
        return body if isinstance(body, _Busy) else self._read(body)

    def _watched(self, request: Any) -> None:
        """Let the watch of this try see the connection of a request, and end it in time, whatever the server does."""
        request.extensions = {**request.extensions, "trace": self._watch}

    def _options(self, most: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """The optional parameters, but for those that the server refuses."""
        form = {"type": "json_schema", "json_schema": {"name": "sections", "strict": True, "schema": schema}}
        wanted = {"temperature": 0, "max_tokens": most, **({"response_format": form} if schema else {})}
        return {name: value for name, value in wanted.items() if name not in self._left_out}

    def _received(self, response: Any) -> bytes | _Busy:
        """All of the answer's body. Raises NoAnswer if it is too large."""
        pieces, size = [], 0
        try:
            for piece in response.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > MAX_BYTES:
                    message = f"the model's answer is larger than {MAX_BYTES // 1024**2} MB, which no section is"
                    raise NoModelAnswer(message, f"check {URL}, or use another model")
        except NoModelAnswer:
            raise
        except Exception as error:  # the library lets those of its two HTTP libraries through
            return _Busy(self._clean(str(error)) or "the connection broke off")
        return b"".join(pieces)

    def _refused(
        self,
        refused: _Refused,
        messages: Sequence[Mapping[str, str]],
        most: int,
        schema: Mapping[str, Any] | None,
        deadline: float,
    ) -> Answer | _Busy:
        status, text = refused.status, refused.words.decode(errors="replace")
        words = self._clean(_words_of(_json(text)))
        said = f"{status}{f' ({words})' if words else ''}"
        named = next((name for name in _OPTIONAL if name in text and name not in self._left_out), None)
        if status in (400, 422) and named and named in self._options(most, schema):
            self._left_out.add(named)
            return self._try(messages, most, schema, deadline)
        if status in _BUSY:
            return _Busy(f"it answered {said}", pause_asked(refused.headers, time.time()))
        hints = {
            401: f"check {KEY}",
            403: f"check {KEY}, and whether you may use this model",
            404: f"check {URL}, which mostly ends with /v1, and {NAME}",
        }
        if 300 <= status < 400:
            message = f"the model's server sends us elsewhere ({status}), where your text is not sent"
            raise NoModelAnswer(message, f"write the final address into {URL}") from None
        raise NoModelAnswer(
            f"the model's server answered {said}", hints.get(status, f"check {URL} and {NAME}")
        ) from None

    def _read(self, body: bytes) -> Answer:
        """The text in an answer. Raises NoAnswer for what the protocol does not know."""
        if re.match(rb"\s*<(?:!doctype|html)", body, re.IGNORECASE):
            message = "the model's answer is a web page"
            raise NoModelAnswer(message, f"check {URL}: it is the address of an API, which mostly ends with /v1")
        try:
            value = json.loads(body)
            choice = value["choices"][0]
            text, ended = choice["message"].get("content"), choice.get("finish_reason")
        except (ValueError, RecursionError):
            message = "the model's answer is not JSON"
            raise NoModelAnswer(message, f"check {URL}: is it an OpenAI-compatible server?") from None
        except (LookupError, TypeError, AttributeError):
            said = self._clean(_words_of(value))
            message = f"the model's answer has no text where it should have one{f': {said}' if said else ''}"
            raise NoModelAnswer(message, f"check {URL}: is it an OpenAI-compatible server?") from None
        used = value.get("usage")
        tokens = used.get("total_tokens") if isinstance(used, dict) else None
        return Answer(
            text if isinstance(text, str) else "",
            tokens if isinstance(tokens, int) and 0 <= tokens < 10**9 else None,
            whole=ended not in ("length", "content_filter"),
        )

    def _clean(self, words: str) -> str:
        """Words of a server as they may be shown: short, in one line, without the key."""
        shown = " ".join(re.sub(r"^\[[^]]*\] ", "", words).split())
        shown = shown.replace(self.model.key, "***") if self.model.key else shown
        return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _words_of(body: object) -> str:
    """What an error says for people: `{"error": {"message": ...}}`, or one of many variants. No web page."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return message if isinstance(message, str) else ""
    return body if isinstance(body, str) else ""
