"""Fills in templates: our own in this process, others in one with limits of time and memory."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from itertools import islice
from pathlib import PurePosixPath

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined, TemplateSyntaxError
from jinja2.bccache import Bucket
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang, Text
from paper_notes.patterns import regex

Texts = tuple[tuple[str, str], ...]
"""Names and texts of templates, sorted by name."""
MAX_PAGE = 50_000_000
"""Characters that a template of a collection may write."""
_LIMITS = Limits("templates")
_AT_ONCE = 1_000
"""Pieces of a page that are joined at a time: ten million would take much more memory than their text."""
_SECONDS = 5
"""Processor time for one page. Less than in `_LIMITS`, so that the line of the template can be reported."""


class TemplateProblem(Exception):
    """A template (most likely one of the collection's own) cannot be used."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)  # so that another process can send it
        self.diagnostic = diagnostic


class _TooMuch(Exception):
    """A template takes too long, or writes too much."""


class Templates:
    """The templates of a theme."""

    def __init__(self, texts: Texts, *, trusted: bool, own: tuple[str, ...] = ()) -> None:
        """`trusted` if all templates are our own: others are sandboxed and limited.

        `own` are those of the collection: an error is reported in one of them, wherever it shows.
        """
        self._texts, self._trusted, self._own = texts, trusted, own
        self.stopped: list[TemplateProblem] = []
        """Problems that stopped a page: later pages fail at once. Cleared before each build."""

    @contextmanager
    def compiled(self, cache: Cache) -> Iterator[None]:
        """Take the code of our own templates from the cache, and keep there what had to be compiled.

        It is read at once and not when a template is needed: that may be in a fork, which must not use the file.
        """
        if not self._trusted:
            yield
            return
        code, name = _Code(), f"templates/{MAGIC_NUMBER.hex()}"
        code.known = unpack(dict[str, bytes], cache.get(name) or b"") or {}
        environment = _environment(self._texts, trusted=True)
        environment.bytecode_cache = code
        try:
            yield
        finally:
            environment.bytecode_cache = None
            if code.added:
                cache.put(name, pack(code.known))

    def fill(self, template: str, page: object, words: Words) -> str:
        """The page of a template as HTML. Raises TemplateProblem."""
        if self._trusted:
            return _filled(_environment(self._texts, trusted=True), template, page, words, self._own)
        if self.stopped:
            raise self.stopped[0]
        try:
            html, problem = limited(
                _LIMITS, _filled_in_time, self._texts, template, page, words, self._own, _SECONDS, MAX_PAGE
            )
        except Stopped as stopped:
            html, problem = "", _problem(template, 1, f"the page {stopped}")
        if problem:
            self.stopped.append(problem)
            raise problem
        return html


class _Code(BytecodeCache):
    """Compiled templates by name; Jinja itself looks whether they are of this very source, and of this Jinja."""

    known: dict[str, bytes]
    added = False

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self.known.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key], self.added = bucket.bytecode_to_string(), True


_OUR_OBJECT = regex(r"'paper_notes\.[\w.]*\b(\w+) object'")
"""Jinja's name of a view. The module of its class is useless to the author of a template."""


def _filled(
    environment: Environment, template: str, page: object, words: Words, own: tuple[str, ...], most: int | None = None
) -> str:
    """The page of a template as HTML. Raises TemplateProblem."""
    try:
        loaded = environment.get_template(template)
        return (
            loaded.render(page=page, words=words)
            if most is None
            else _up_to(most, loaded.generate(page=page, words=words))
        )
    except TemplateSyntaxError as error:
        raise _problem(error.name or template, error.lineno, error.message or "syntax error") from error
    except Exception as error:  # a template is a program: its author has to fix any exception
        frames = [
            (PurePosixPath(frame.filename).name, frame.lineno)
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename.endswith(".html")
        ]
        message = _OUR_OBJECT.sub(r"'\1'", str(error))
        if isinstance(error, MemoryError):
            message = "it needs too much memory"
        elif isinstance(error, KeyError):
            message = f"there is no {error}"
        last = frames[-1] if frames else (template, 1)
        place = next((frame for frame in reversed(frames) if frame[0] in own), (own[0], 1) if own else last)
        if place[0] != last[0]:
            message += f" (in line {last[1]} of our own {last[0]})"
        raise _problem(*place, message) from error


def _up_to(most: int, parts: Iterator[str]) -> str:
    joined, size = list[str](), 0
    while some := list(islice(parts, _AT_ONCE)):
        joined.append("".join(some))
        size += len(joined[-1])
        if size > most:
            assert isinstance(parts, Generator)
            parts.throw(_TooMuch(f"the page has more than {most:,} characters"))  # raised at the line that writes
    return "".join(joined)


def _filled_in_time(
    texts: Texts, template: str, page: object, words: Words, own: tuple[str, ...], seconds: float, most: int
) -> tuple[str, TemplateProblem | None]:
    """The page, or the problem that its template exceeded a limit. Raises TemplateProblem for other mistakes.

    Runs in a process of its own, as it sets the signal handler for processor time.
    """

    def late(_signal: int, _frame: object) -> None:
        raise _TooMuch(f"it takes more than {seconds:.0f} seconds")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, late)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return _filled(_environment(texts, trusted=False), template, page, words, own, most), None
    except TemplateProblem as problem:
        if isinstance(problem.__cause__, _TooMuch | MemoryError):
            return "", problem
        raise
    except _TooMuch as last:  # before the template began
        return "", _problem(template, 1, str(last))
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)


@lru_cache(maxsize=2)
def _environment(templates: Texts, *, trusted: bool) -> Environment:
    by_name = dict(templates)
    environment = (Environment if trusted else SandboxedEnvironment)(
        loader=FunctionLoader(lambda name: (by_name[name], name, None) if name in by_name else None),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["spans"] = _spans
    return environment


def _spans(text: Text, languages: Sequence[Lang], tags: Mapping[Lang, str], classes: str = "") -> Markup:
    """A text in each language, of which pages show one; if all are the same, once. A macro takes longer."""
    if text[languages[0]] == text[languages[-1]]:
        return escape(text[languages[0]])
    return Markup(
        "".join(f'<span class="{lang}{classes}" lang="{tags[lang]}">{escape(text[lang])}</span>' for lang in languages)
    )


def _problem(name: str, line: int | None, message: str) -> TemplateProblem:
    hint = "compare it with the template of the same name that comes with paper-notes"
    where = Location(PurePosixPath("templates", name), line or 1)
    return TemplateProblem(Diagnostic(where, "bad-template", message, hint))
