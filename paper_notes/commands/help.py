"""The text of `--help` in the language of the terminal, wrapped by the width of its characters; and examples."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import click

from paper_notes.commands.terminal import translated
from paper_notes.patterns import regex

_PIECE = regex(r"(?:[“（「](?=\S))*(?:[!-~]+|\S)[，。、；：！？）”」…,.;:!?)\]]*| +")
"""What a line may end after: a word, or one Chinese character, with the punctuation that goes with it."""

_RANGE = regex(r"(?:\d+<=?)?x(?:[<>]=?\d+)?")
"""What numbers Click takes: a wrong one is told of, and nobody asks before."""
_VALUE = "\ufdd0"
_GAP = regex("( {2,}(?:# )?)")
"""Between columns, and before what an example does."""


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a paragraph, each at most `width` columns wide unless one word is wider."""
    lines = [""]
    for piece in _PIECE.findall(" ".join(text.split())):
        if columns(lines[-1] + piece.rstrip()) > width and lines[-1]:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] or not piece.isspace() else ""
    return lines


class HelpFormatter(click.HelpFormatter):
    """Click's, with every text translated."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, translated(prefix or "Usage: "))

    def write_heading(self, heading: str) -> None:
        self.write(f"{' ' * self.current_indent}{translated(f'{heading}:')}\n")

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        shown = [self._lines(paragraph) for paragraph in text.split("\n\n")]
        self.write("\n\n".join("\n".join(indent + line for line in lines) for lines in shown) + "\n")

    def _lines(self, paragraph: str) -> list[str]:
        """The lines of a paragraph. One that begins with a backspace keeps its lines and their columns, as in Click."""
        if paragraph.startswith("\b\n"):
            lines = paragraph.removeprefix("\b\n").split("\n")
            return ["".join(map(translated, _GAP.split(line))) for line in lines]
        return wrapped(translated(" ".join(paragraph.split())), self.width - self.current_indent)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        shown = [(name, _of_option(text)) for name, text in rows]
        first = min(max(columns(name) for name, _ in shown), col_max) + col_spacing
        indent = " " * self.current_indent
        for name, text in shown:
            lines = wrapped(text, max(self.width - first - len(indent) - 2, 10))
            if columns(name) > first - col_spacing:
                self.write(f"{indent}{name}\n")
                name = ""
            for line in lines:
                self.write(f"{indent}{name}{' ' * (first - columns(name))}{line}\n")
                name = ""


class CommandGroup(click.Group):
    """Commands below a command: what each does is never cut."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each with the first paragraph of its help."""
        rows = [(name, (self.commands[name].help or "").partition("\n\n")[0]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _of_option(text: str) -> str:
    """What an option is for, and behind it what Click adds: `[default: 8000; required]`."""
    purpose, bracket, more = text.rpartition("  [")
    if not bracket:
        return translated(" ".join(text.split()))
    parts = [_of_click(part) for part in more.removesuffix("]").split("; ") if not _RANGE.fullmatch(part)]
    return " ".join([translated(" ".join(purpose.split())), *([f"[{'; '.join(parts)}]"] if parts else [])])


def _of_click(part: str) -> str:
    """`required`, or a default: what a user may type stays as it is, what is in parentheses is a description."""
    name, colon, value = part.partition(": ")
    if not colon or value.startswith("("):
        return translated(part)
    return translated(f"{name}: {_VALUE}").replace(_VALUE, value)


_EXAMPLES = (
    ("paper-notes build", "bring site/ up to date"),
    ("paper-notes build --check", "as CI does: is site/ what its sources say?"),
    ("paper-notes cards --topic spec-rl", "cards.apkg, for Anki"),
    ("paper-notes cards spec-rl/4 --lang en --format markdown", "English ones of a note, to read"),
    ("paper-notes check", "all that is wrong"),
    ("paper-notes check spec-rl/4", "only what concerns this note"),
    ("source <(paper-notes completion bash)", "try it in this terminal"),
    ("paper-notes digest --min-votes 10", "today's papers that others recommend"),
    ("paper-notes digest 2026-W03 --from arxiv:cs.CL", "a week of a category"),
    ("paper-notes doctor", "before the collection is pushed for the first time"),
    ("paper-notes draft spec-rl/4 method --lang en", "one section, in English"),
    ("paper-notes edit spec-rl/4 --lang en", "its English text"),
    ("paper-notes edit notes_src/library.bib:12:3", "the place that a message names"),
    ("paper-notes explain bad-tex recall", "a rule, and a component"),
    ("paper-notes export daily/1 --as-found", "the report that it was made from"),
    ("paper-notes export refs.bib --output list.md", "any BibTeX file as a list"),
    ("paper-notes export spec-rl --epub --lang en", "a topic as a book"),
    ("paper-notes export --data corpus.json", "for pandas, DuckDB and scripts"),
    ("paper-notes figures notes_src/pdfs/2510.26475.pdf", "then copy the line of one into a note"),
    ("paper-notes guide", "no network is needed"),
    ("paper-notes highlights spec-rl/4", "from the PDF in notes_src/pdfs/"),
    ("paper-notes highlights spec-rl/4 ~/Downloads/paper.pdf", "from another copy"),
    ("paper-notes import 2026-01-13.md list.md --topic daily", "nothing in them is lost"),
    ("paper-notes init ~/my-notes --languages zh,en --pages", "with a workflow for GitHub Pages"),
    ("paper-notes list --topic spec-rl --sort newest", ""),
    ('paper-notes list --text "speculative decoding" --json', "for scripts"),
    ("paper-notes lsp", "an editor starts it, see the guide"),
    ("paper-notes mcp", "an assistant starts it, see the guide"),
    ("paper-notes move spec-rl/4 models/7", "to another topic, with all references"),
    ("paper-notes new 2510.26475 --topic spec-rl", "an arXiv paper"),
    ("paper-notes new paper.pdf --topic models --offline", "a PDF, without asking anybody"),
    ('paper-notes new "daily/1#2601.05110" --topic spec-rl', "with what a list says of it"),
    ("paper-notes open", "the home page"),
    ("paper-notes open spec-rl/4#method --lang en", "a section of a note, in English"),
    ("paper-notes lookup spec-rl/4", "ask for what could not be known offline"),
    ("paper-notes lookup --all", "the same for all papers without a title or authors"),
    ("paper-notes lookup --check", "fails if any paper is outdated, for a weekly job"),
    ("paper-notes move spec-rl/4 --before spec-rl/2", "those between move up"),
    ("paper-notes remove spec-rl/4 --redirect spec-rl/5", "what refers to it leads there"),
    ("paper-notes repair list.md --check", "say what would be done"),
    ("paper-notes schema note > note.schema.json", ""),
    ("paper-notes serve --open", "then write"),
    ("paper-notes show spec-rl/4", ""),
    ("paper-notes stats --all", "with everything that is left to do"),
    ("paper-notes topic new agents --before models", "a folder, and its line in site.yaml"),
    ("paper-notes topic renumber spec-rl", "1, 2, 3, ... without gaps"),
    ("paper-notes translate spec-rl/4 --lang en --check", "what would be sent, and how much"),
    ("paper-notes translate spec-rl/4 method", "one section"),
    ("paper-notes verify", "all notes, in numbers"),
    ("paper-notes verify spec-rl/4 --keep", "where, and keep it for the page"),
    ("paper-notes sync spec-rl/4 method gaps", "two sections of note 4"),
)
"""Lines to type and what they do; each belongs to the command that it names."""


def show_examples(command: click.Command) -> None:
    """Put the examples at the end of a command's help."""
    lines = [(line, meaning) for line, meaning in _EXAMPLES if f"paper-notes {command.name} " in f"{line} "]
    width = max((len(line) for line, meaning in lines if meaning), default=0)
    shown = [f"  {line:{width}}  # {meaning}" if meaning else f"  {line}" for line, meaning in lines]
    if shown and not command.epilog:
        command.epilog = "\n".join(["\b", "Examples:" if len(shown) > 1 else "Example:", *shown])
