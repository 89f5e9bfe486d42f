"""Definitions of links and footnotes: their content is only shown where something refers to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.markdown.context import Context, context_of


class LinkDefinitions(dict[str, Any]):
    """The definitions of links in a text by their labels; those that were looked up are `used`."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.used.add(key)
        return super().get(key, default)


def footnotes_apart(state: StateCore) -> None:
    """Move footnotes that are defined inside of another behind it: the library loses both."""
    context = context_of(state.env)
    lines: dict[str, int] = state.env.setdefault("footnote_lines", {})
    outside: list[Token] = []
    inner: list[Token] = []
    open_ones: list[list[Token]] = []
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            _note_line(context, lines, token)
            open_ones.append([])
        if not open_ones:
            outside.append(token)
            continue
        open_ones[-1].append(token)
        if token.type == "footnote_reference_close":
            done = open_ones.pop()
            if open_ones:
                inner += done
            else:
                outside += done + inner
                inner = []
    state.tokens = outside


def _note_line(context: Context, lines: dict[str, int], token: Token) -> None:
    """Record where a footnote is defined, and report a second definition, which would replace it."""
    label, line = str(token.meta["label"]), (token.map or [0])[0]
    if lines.setdefault(label, line) != line:
        first = context.at(lines[label], 0).line
        message = f'the footnote "{label}" is already written on line {first}: only one of the two would be shown'
        context.report(context.locate(line, f"[^{label}]:"), "duplicate-id", message, "choose another name")


def report_unused(context: Context, env: Mapping[str, Any]) -> None:
    """Report definitions that nothing refers to: their content is not shown."""
    unused = (name[1:] for name, number in env.get("footnotes", {}).get("refs", {}).items() if number < 0)
    for label in unused:
        where = context.locate(env["footnote_lines"].get(label, 0), f"[^{label}]:")
        message = f'no text refers to the footnote "{label}"'
        context.report(where, "unused-footnote", message, f"refer to it: [^{label}], or delete it", "warning")
    links: LinkDefinitions = env["references"]
    _report_links(context, (definition for label, definition in links.items() if label not in links.used))
    _report_links(context, env.get("duplicate_refs", ()))


def _report_links(context: Context, definitions: Iterable[Mapping[str, Any]]) -> None:
    for definition in definitions:
        line = definition["map"][0]
        words = context.lines[line]
        words = words[max(words.find("["), 0) :].strip()
        message = f'"{words[:60]}" defines a link that nothing uses, so it is not shown'
        hint = "use it as [text][name], or delete it; where it is meant as text, write \\[ for its bracket"
        context.report(context.locate(line, "["), "unused-definition", message, hint, "warning")
