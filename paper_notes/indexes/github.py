"""Converts short Markdown for GitHub: our blocks to GitHub's, footnotes with labels that are unique in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from paper_notes.indexes.gfm import cell
from paper_notes.indexes.github_lines import Lines, Tokens, emphasised
from paper_notes.markdown.syntax.alerts import CALLOUTS

_ALERTS = {name: sign for sign, name in CALLOUTS.items()}
_ALIGNED = {"text-align:left": ":--", "text-align:right": "--:", "text-align:center": ":-:"}


@dataclass(frozen=True)
class GithubWriter(Lines):
    """Writes the tokens of one text as GitHub's Markdown."""

    def blocks(self, tokens: Tokens, *, tight: bool = False) -> str:
        """Blocks with blank lines between them; in a tight list, only where they would merge."""
        markdown = ""
        before = ""
        for token, inside in _parts(tokens):
            block = self.block(token, inside)
            if block:
                joined = tight and before == "paragraph_open" and _interrupts(token, block)
                markdown += ("\n" if joined else "\n\n") * bool(markdown) + block
                before = token.type
        return markdown

    def block(self, token: Token, inside: Tokens) -> str:
        write = _BLOCKS.get(token.type)
        return write(self, token, inside) if write else ""

    def paragraph(self, token: Token, inside: Tokens) -> str:
        return "".join(self.inline(part.children) for part in inside if part.type == "inline")

    def bare(self, token: Token, inside: Tokens) -> str:
        return self.inline(token.children)

    def heading(self, token: Token, inside: Tokens) -> str:
        words = re.sub(r"(^| )(#+)$", r"\1\\\2", self.inline(inside[0].children, one_line=True))
        return f"{'#' * int(token.tag[1])} {words}".rstrip()

    def quote(self, token: Token, inside: Tokens) -> str:
        return _indented(self.blocks(inside), "> ", "> ")

    def rule(self, token: Token, inside: Tokens) -> str:
        return "___"

    def html(self, token: Token, inside: Tokens) -> str:
        return token.content.rstrip("\n")

    def code(self, token: Token, inside: Tokens) -> str:
        sign = "~" if "`" in token.info else "`"
        runs = [len(run) for run in re.findall(f"{sign}+", token.content)]
        fence = sign * max(3, 1 + max(runs, default=0))
        return f"{fence}{token.info.strip()}\n{token.content.removesuffix(chr(10))}\n{fence}"

    def math(self, token: Token, inside: Tokens) -> str:
        return f"```math\n{token.content.strip(chr(10))}\n```"

    def list(self, token: Token, inside: Tokens) -> str:
        items = [(item, content) for item, content in _parts(inside) if item.type == "list_item_open"]
        tight = any(part.hidden for _, content in items for part in content if part.level == token.level + 2)
        number = int(str(token.attrs.get("start", 1)))
        written = []
        for place, (_, content) in enumerate(items):
            marker = f"{number + place}{token.markup} " if token.type == "ordered_list_open" else f"{token.markup} "
            written.append(_indented(self.blocks(content, tight=tight), marker, " " * len(marker)))
        return ("\n" if tight else "\n\n").join(written)

    def definitions(self, token: Token, inside: Tokens) -> str:
        """A definition list as a list of terms with their explanations: GitHub has none."""
        items: list[list[str]] = []
        before = ""
        for part, content in _parts(inside):
            if part.type == "dt_open" and before != "dt_open":
                items.append([])
            items[-1].append(self.paragraph(part, content) if part.type == "dt_open" else self.blocks(content))
            before = part.type
        return "\n".join(_indented("\n\n".join(filter(None, item)), "- ", "  ") for item in items)

    def component(self, token: Token, inside: Tokens) -> str:
        """A component as a quotation with its title on top, or as GitHub's alert of the same kind."""
        has_title = bool(inside) and inside[0].meta.get("title")
        title = self.inline(inside[0].children, one_line=True) if has_title else ""
        body = self.blocks(inside[1:] if has_title else inside)
        content = "\n\n".join(filter(None, (emphasised("strong", "", title, "", nested=False), body)))
        alert = f"[!{_ALERTS[token.info]}]\n" if token.info in _ALERTS else ""
        return _indented(alert + content, "> ", "> ")

    def table(self, token: Token, inside: Tokens) -> str:
        rows: list[list[str]] = []
        aligned = []
        for part in inside:
            if part.type == "tr_open":
                rows.append([])
            elif part.type == "merged_cell":
                rows[-1].append("")
            elif part.type == "inline":
                rows[-1].append(cell(self.inline(part.children, one_line=True)))
            elif part.nesting == 1 and part.type in ("th_open", "td_open") and len(rows) == 1:
                aligned.append(_ALIGNED.get(str(part.attrs.get("style", "")), "---"))
        head, *others = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([head, f"| {' | '.join(aligned)} |", *others])

    def footnotes(self, token: Token, inside: Tokens) -> str:
        return "\n\n".join(
            _indented(self.blocks(content), f"[^{self.label}{note.meta['id'] + 1}]: ", "    ")
            for note, content in _parts(inside)
            if note.type == "footnote_open"
        )


_BLOCKS: Mapping[str, Callable[[GithubWriter, Token, Tokens], str]] = {
    "paragraph_open": GithubWriter.paragraph,
    "inline": GithubWriter.bare,
    "heading_open": GithubWriter.heading,
    "blockquote_open": GithubWriter.quote,
    "hr": GithubWriter.rule,
    "html_block": GithubWriter.html,
    "fence": GithubWriter.code,
    "code_block": GithubWriter.code,
    "math_block": GithubWriter.math,
    "bullet_list_open": GithubWriter.list,
    "ordered_list_open": GithubWriter.list,
    "dl_open": GithubWriter.definitions,
    "component_open": GithubWriter.component,
    "table_open": GithubWriter.table,
    "footnote_block_open": GithubWriter.footnotes,
}


def _parts(tokens: Tokens) -> list[tuple[Token, Tokens]]:
    """Each block with the tokens inside it."""
    parts: list[tuple[Token, Tokens]] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if depth == 0:
            start = place
        depth += token.nesting
        if depth == 0:
            parts.append((tokens[start], tokens[start + 1 : place]))
    return parts


def _interrupts(token: Token, block: str) -> bool:
    """Whether the block may follow a paragraph without a blank line."""
    if token.type == "ordered_list_open":
        return str(token.attrs.get("start", 1)) == "1" and " " in block.partition("\n")[0].strip()
    return token.type == "fence" or (token.type == "bullet_list_open" and " " in block.partition("\n")[0].strip())


def _indented(content: str, first: str, rest: str) -> str:
    """The lines of nested blocks, with `first` before the first one and `rest` before all others."""
    lines = content.split("\n")
    blank = rest.rstrip()
    indented = [f"{first}{lines[0]}".rstrip() if not lines[0] else first + lines[0]]
    return "\n".join([*indented, *(rest + line if line else blank for line in lines[1:])])
