"""BibTeX text to entries with exact positions, and a diagnostic for each part that could not be read.

bibtexparser 2 only splits the names (`corpus.bibliography.names`). It keeps no columns, does not resolve `#`, ignores
undefined names and missing commas, and drops a whole entry for one mistake.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from paper_notes.diagnostics import Diagnostic, Location, RuleId, Severity, Suggestions, in_file_order
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.values import Struct

_ENTRY_TYPES = (
    "article book booklet conference inbook incollection inproceedings manual mastersthesis misc phdthesis proceedings "
    "techreport unpublished artwork audio bookinbook collection dataset electronic image inreference legislation "
    "letter movie music mvbook mvcollection mvproceedings mvreference online patent performance periodical reference "
    "report review software standard suppbook suppcollection suppperiodical thesis video www xdata"
)
ENTRY_TYPES = frozenset(_ENTRY_TYPES.split())
"""The entry types of BibTeX and biblatex."""

_MONTHS = "January February March April May June July August September October November December"
MONTHS = {month[:3].lower(): month for month in _MONTHS.split()}
"""The strings that every BibTeX style defines."""

_BLOCK = regex(r"@(\w*)[ \t]*([{(])")
_LINE_OF_BLOCK = regex(r"^[ \t]*(@)\w*[ \t]*[{(]", re.MULTILINE)
_NESTED = r"(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\})*+"
"""Text with matching braces up to three deep, which is fast and nearly always enough. Deeper ones are counted."""
_CLOSED = regex(_NESTED + r"\}")
_PLAIN_FIELD = regex(r"\s*([^\W\d][^\s\"#%'(),={}@]*)\s*=\s*(\{" + _NESTED + r"\}|\"[^\"{}]*+\"|[0-9]++)\s*([,}])")
"""A field without `#`, names of strings or mistakes, and the character after it."""
_BAD_IN_KEY = regex('[\\s{}",#%=~\\\\\\[\\];@\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]')
_FIELD = regex(r"([^\W\d][^\s\"#%'(),={}@]*)\s*=")
_SWALLOWED_FIELD = regex(r",[ \t]*\n\s*[A-Za-z][\w+:.-]*[ \t]*=[ \t]*[{\"\d]")
_WORD = regex(r"[^\s\"#%'(),={}]+")
_SPACE = regex(r"\s*")
_MARK = regex(r"[{}),=\"\n]")
_LOST = frozenset({"unclosed-brace", "unclosed-quote", "unexpected-text", "bad-bibkey"})
"""After these, the rest of the block is not reported again."""
_USUAL_LENGTH = 1_000  # characters of a value: few are longer
_MAX_RESOLVED = 100_000  # characters of a value: a few strings that double each other could need terabytes
_MAX_RESOLVED_IN_ALL = 16_000_000  # and of all such values of a file: each field could use one long string
_MAX_OPEN = 1_000  # braces within braces


class BibField(Struct, frozen=True):
    """The value of a field, with strings and `#` resolved; `location` is where the value starts."""

    value: str
    location: Location


class BibEntry(Struct, frozen=True):
    """One entry. `entry_type` and the names of `fields` are in lower case."""

    key: str
    entry_type: str
    fields: Mapping[str, BibField]
    location: Location
    raw: str
    """The entry as in the file, with `@string` and `#` replaced by their values in braces."""


def parse_bibtex(
    source: Source, strings: dict[str, str] | None = None
) -> tuple[tuple[BibEntry, ...], tuple[Diagnostic, ...]]:
    """The entries of a file in file order, and its diagnostics.

    An entry with a mistake is returned with the fields that could be read, unless its key is missing or taken.
    `strings` are the `@string` values of earlier files, by name in lower case; this file's are added to them.
    """
    reader = _Reader(source, {} if strings is None else strings)
    reader.read()
    return tuple(reader.entries.values()), in_file_order(reader.problems)


class _Reader:
    """Reads one file into `entries` and `problems`.

    For the current block, `limit` is where reading must stop, `close` is its closing bracket, and `wary` is true if
    that was not found.
    """

    def __init__(self, source: Source, strings: dict[str, str]) -> None:
        self.text, self.path = source.text, source.path
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.strings = strings
        self.entries: dict[str, BibEntry] = {}
        self.problems: list[Diagnostic] = []
        self.suggestions = Suggestions()
        self.limit, self.close, self.wary = 0, "}", False
        self.resolved: list[tuple[int, int, str]] = []
        self.resolved_in_all = 0

    def read(self) -> None:
        """Read all blocks. `@type{` at the start of a line starts a block even where a brace is still open."""
        done = position = 0
        while block := _BLOCK.search(self.text, position):
            before = max(done, self.text.rfind("\n", 0, block.start()) + 1)  # its line's start
            if self.text[before : block.start()].lstrip().startswith("%"):
                position = block.end()
                continue
            self._outside(done, block.start())
            following = _LINE_OF_BLOCK.search(self.text, block.end())
            self.limit = following.start(1) if following else len(self.text)
            done = position = self._block(block)
        self._outside(done, len(self.text))

    def _at(self, offset: int) -> Location:
        line = bisect_right(self.line_starts, offset)
        return Location(self.path, line, offset - self.line_starts[line - 1] + 1)

    def _report(self, offset: int, rule: RuleId, message: str, hint: str, severity: Severity = "error") -> None:
        self.problems.append(Diagnostic(self._at(offset), rule, message, hint, severity))

    def _skip_space(self, offset: int) -> tuple[int, str]:
        """The offset and the character after white space; no character at the end of the block."""
        match = _SPACE.match(self.text, offset, self.limit)
        end = match.end() if match else self.limit
        return end, self.text[end : end + 1] if end < self.limit else ""

    def _next(self, wanted: str, position: int, limit: int) -> int:
        """The offset of the first of the wanted characters that is outside of braces, or the limit."""
        depth = 0
        for match in _MARK.finditer(self.text, position, limit):
            if depth == 0 and match[0] in wanted:
                return match.start()
            depth = max(0, depth + (match[0] == "{") - (match[0] == "}"))
        return limit

    def _outside(self, start: int, end: int) -> None:
        """Check text between blocks: comments after `%` are fine, prose is a warning, broken BibTeX is an error."""
        lines = re.finditer(r"[^\s%][^\n]*|%[^\n]*", self.text[start:end])
        if written := [line for line in lines if not line[0].startswith("%")]:
            broken = any(re.match(r"@|.*[{}=]", line[0]) for line in written)
            hint = 'look for a "}" too many, or a missing "@type{key,"' if broken else 'begin a comment with "%"'
            message = f"this is in no entry, and left out: {_shown(written[0][0])}"
            self._report(start + written[0].start(), "unread-text", message, hint, "error" if broken else "warning")

    def _block(self, block: re.Match[str]) -> int:
        """Read a block. Gives the offset of its end."""
        kind, start, opened = block[1].lower(), block.start(), block.end() - 1
        self.close, self.resolved, before = "}" if block[2] == "{" else ")", [], len(self.problems)
        limit = len(self.text) if kind == "comment" else self.limit  # a comment may hold whole entries
        quick = _CLOSED.match(self.text, opened + 1, limit) if self.close == "}" else None
        closing = quick.end() - 1 if quick else self._next(self.close, opened + 1, limit)
        self.wary = closing == limit
        end = 0 if self.wary else closing + 1
        if kind == "preamble":
            self._report(start, "ignored-preamble", "@preamble is not used", "delete it if you can", "warning")
        elif kind == "string":
            fields, end = self._fields(opened + 1)
            self.strings.update((name, rules.value) for name, rules in fields.items())
        elif kind != "comment":
            key, position = self._key(opened + 1)
            fields, end = self._fields(position)
            self._keep(start, kind, key, fields, end or limit)
        rules = {problem.rule for problem in self.problems[before:]}
        if not end and not rules & _LOST:
            hint = f"close it at its end, by line {self._at(start + len(self.text[start:limit].rstrip())).line}"
            self._report(opened, "unclosed-brace", f"this {block[2]} of @{kind} is never closed", hint)
        return self.limit if not end or rules & _LOST else end

    def _keep(self, start: int, kind: str, key: str, fields: dict[str, BibField], end: int) -> None:
        if kind not in ENTRY_TYPES:
            hint = self.suggestions.did_you_mean(kind, ENTRY_TYPES) or 'use "@misc"'
            self._report(start, "unknown-bib-type", f'"@{kind}" is not a known type of entry', hint, "warning")
        if first := self.entries.get(key):
            message = f'the key "{key}" is already used in line {first.location.line}'
            self._report(start, "duplicate-bibkey", message, "delete one of the two, or give it another key")
        elif key:
            raw = self.text[start:end].rstrip()
            for value_start, value_end, text in reversed(self.resolved):
                raw = raw[: value_start - start] + "{" + text + "}" + raw[value_end - start :]
            if self.close == ")":
                raw = raw.replace("(", "{", 1).removesuffix(")") + "}"
            for name, field in fields.items():
                if field.value != (value := field.value.strip()):
                    fields[name] = BibField(value, field.location)
            self.entries[key] = BibEntry(key, kind, fields, self._at(start), raw)

    def _key(self, position: int) -> tuple[str, int]:
        """The key of an entry, which is empty if it is missing, and where its fields start."""
        start, _ = self._skip_space(position)
        stop = self._next(",=\n" + self.close, start, self.limit)
        key = self.text[start:stop].rstrip()
        after, character = self._skip_space(stop)
        if character == "=":  # then the last word was the name of a field
            key, space, _ = key.rpartition(" ")
            key, after = key.rstrip(), start + len(key + space)
        if not key:
            self._report(start, "missing-bibkey", "this entry has no key", 'write one after the brace: "@misc{key,"')
        elif bad := _BAD_IN_KEY.search(key):
            shown = f'"{bad[0]}"' if bad[0].isprintable() else f"the invisible character U+{ord(bad[0]):04X}"
            what, hint = shown if bad[0].strip() else "a space", "use letters, digits and : . / _ + -"
            self._report(start + bad.start(), "bad-bibkey", f"a key cannot hold {what}: {_shown(key)}", hint)
        elif _FIELD.match(self.text, after, self.limit):
            self._report(start + len(key), "missing-comma", f'there is no comma after the key "{key}"', 'add ","')
        return key, after + (character == ",")

    def _fields(self, position: int) -> tuple[dict[str, BibField], int]:
        """The fields from `position` on, and where the entry ends, or 0 if it does not."""
        fields: dict[str, BibField] = {}
        while True:
            plain = None if self.wary else _PLAIN_FIELD.match(self.text, position, self.limit)
            if plain and plain[3] in (",", self.close) and (name := plain[1].lower()) not in fields:
                value, position = plain[2], plain.end()
                fields[name] = BibField(value if value.isdigit() else value[1:-1], self._at(plain.start(2)))
                if plain[3] == ",":
                    continue
                return fields, position
            position, character = self._skip_space(position)
            if not character or character == self.close:
                return fields, position + 1 if character else 0
            if not (match := _FIELD.match(self.text, position, self.limit)):
                position = self._unexpected(position)
                continue
            name = match[1].lower()
            value, end = self._value(name, match.end())
            if name in fields:
                message = f'the field "{name}" is already given in line {fields[name].location.line}'
                self._report(position, "duplicate-field", message, "delete one of the two")
            fields.setdefault(name, value)
            position, character = self._skip_space(end)
            if character == ",":
                position += 1
            elif end > match.end() and _FIELD.match(self.text, position, self.limit):
                self._report(end, "missing-comma", f'there is no comma after the field "{name}"', 'add ","')

    def _unexpected(self, position: int) -> int:
        """Report and skip text that is not a field: up to a comma, or a line of comment."""
        comment = self.text[position] == "%"
        end = self._next("\n" if comment else "," + self.close, position, self.limit)
        hint = "BibTeX has no comments inside an entry: delete it" if comment else 'write a field as "name = {value},"'
        text = self.text[position : max(end, position + 1)]
        self._report(position, "unexpected-text", f"this is not a field: {_shown(text)}", hint)
        return end + (not comment and end < self.limit and self.text[end] == ",")

    def _value(self, name: str, equals_end: int) -> tuple[BibField, int]:
        """A value, and where it ends: pieces in braces or quotation marks, numbers and names, joined by `#`."""
        start, character = self._skip_space(equals_end)
        text, uses_strings, position = "", False, start
        while True:
            word = _WORD.match(self.text, position, self.limit)
            if character and character in '{"':
                piece, end = self._delimited(name, position)
            elif word and not _FIELD.match(self.text, position, self.limit):
                piece, end = self._string(word[0], position), word.end()
                uses_strings = uses_strings or word[0].lower() in self.strings
            else:
                end = position if position > start else equals_end
                self._report(end, "bad-value", f'a value of the field "{name}" is missing', 'write it: "{...}"')
                return BibField(text, self._at(start)), end
            text += piece
            if uses_strings and len(text) > _MAX_RESOLVED:
                self._report(start, "bad-value", f'the value of "{name}" is too long', "look at its @string values")
                text = ""
            if uses_strings and self.resolved_in_all > _MAX_RESOLVED_IN_ALL:
                text = ""
            position, character = self._skip_space(end)
            if character != "#":
                break
            position, character = self._skip_space(position + 1)
            uses_strings = True  # not every reader knows `#`
        if uses_strings:
            self.resolved.append((start, end, text))
            was_too_long = self.resolved_in_all > _MAX_RESOLVED_IN_ALL
            self.resolved_in_all += len(text)
            if self.resolved_in_all > _MAX_RESOLVED_IN_ALL and not was_too_long:
                message = "the values of this file that are made with @string are too long in all"
                self._report(start, "bad-value", message, "look at its @string values")
        return BibField(text, self._at(start)), end

    def _string(self, word: str, position: int) -> str:
        """The value of a number, or of a string by its name."""
        value = word if word.isdigit() else self.strings.get(word.lower(), MONTHS.get(word.lower()))
        if value is None:
            hint = self.suggestions.did_you_mean(word, [*MONTHS, *self.strings])
            if not hint.startswith("did"):
                hint = f'write {{{word}}} if it is text, or define it above: @string{{{word} = "..."}}'
            self._report(position, "undefined-bib-string", f'no @string "{word}" is defined up to here', hint)
        return word if value is None else value

    def _delimited(self, name: str, start: int) -> tuple[str, int]:
        """The text in `{...}` or `"..."`, and where it ends: before the next field if it is not closed in time."""
        reach = self._reach(start)
        end, opened = self._matched(start, reach)
        swallowed = _SWALLOWED_FIELD.search(self.text, start, self.limit if opened else end)
        after, character = self._skip_space(end)
        if self.text[start] == '"':
            goes_on = character in ("", ",", "#", self.close) or _FIELD.match(self.text, after, self.limit)
            doubtful = bool(swallowed and not goes_on)
        else:
            alone = self.text[start : end - 1].rstrip(" \t").endswith("\n")
            doubtful = self.wary and bool(swallowed or (not character and alone))
        if not opened and not doubtful:
            return self.text[start + 1 : end - 1], end
        stop = swallowed.start() if swallowed else end - (not opened)
        inner = self._matched(start, stop)[1][-1]
        text = self.text[start:stop].rstrip()
        rule: RuleId = "unclosed-quote" if self.text[inner] == '"' else "unclosed-brace"
        hint = f"close it where its text ends, by line {self._at(start + len(text)).line}"
        self._report(inner, rule, f'this {self.text[inner]} of the field "{name}" is never closed', hint)
        return text[1:], stop

    def _reach(self, start: int) -> int:
        """How far to search for the end of a value: not to the end of the file for each of many unclosed ones."""
        if not self.wary or not self._matched(start, min(start + _USUAL_LENGTH, self.limit))[1]:
            return self.limit
        swallowed = _SWALLOWED_FIELD.search(self.text, start, self.limit)
        return swallowed.start() if swallowed else self.limit

    def _matched(self, start: int, limit: int) -> tuple[int, list[int]]:
        """Where the brace or quotation mark at `start` is closed or reading ends, and the offsets still open there."""
        opened = [start]
        for match in _MARK.finditer(self.text, start + 1, limit):
            in_quote = len(opened) == 1 and self.text[start] == '"'
            if match[0] == "{":
                opened.append(match.start())
                if len(opened) > _MAX_OPEN:
                    return limit, opened
            elif match[0] == ('"' if in_quote else "}"):
                opened.pop()
                if not opened:
                    return match.end(), opened
            elif match[0] == "}":
                return match.start(), opened
        return limit, opened


def _shown(text: str) -> str:
    line = " ".join(text.split("\n")[0].split())
    return f'"{line[:40]}…"' if len(line) > 40 else f'"{line}"'
