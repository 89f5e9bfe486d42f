"""Collections in which every text, file and field attacks its reader; made from the table in `attacks.yaml`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

import yaml
from running import some

from paper_notes.markdown.syntax.components import COMPONENTS

TABLE: dict[str, list[str]] = yaml.safe_load((Path(__file__).parent / "attacks.yaml").read_text("utf-8"))
PAYLOADS = [payload for kind in ("html", "urls", "svg") for payload in some(TABLE[kind], 16)]
"""Some of each kind; `markdown/test_safety.py` has them all, without a browser, and `make nightly` here too."""
HARMLESS = "harmless"
_FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def notes_collection(payloads: Sequence[str]) -> dict[str, str]:
    """A note for each payload, which is in everything that a note, its files and its papers are made of."""
    files = {
        "notes_src/site.yaml": "title: Site\nlanguages: [zh, en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: Topic\n",
        "notes_src/papers.bib": "\n".join(_entry(number, payload) for number, payload in enumerate(payloads)),
        "notes_src/glossary.yaml": _yaml([_term(number, payload) for number, payload in enumerate(payloads)]),
    }
    for number, payload in enumerate(payloads):
        folder = f"notes_src/t/{number:03}_N"
        files[f"{folder}/note.yaml"] = _yaml(_facts(number, payload))
        files[f"{folder}/zh.md"] = _in_markdown(number, payload)
        files[f"{folder}/en.md"] = _as_html(payload)
        files[f"{folder}/a.svg"] = payload if payload in TABLE["svg"] else _FIGURE.format(payload)
        files[f"{folder}/b.svg"] = _figure(payload)
        files[f"{folder}/c.svg"] = _FIGURE.format("")
    files["notes_src/t/999_Ids/note.yaml"] = "title: Ids\n"
    sections = [f"## Section {n} {{#{name}}}\n\n:::note Box {{#{name}}}\n[x](#{name})\n:::\n" for n, name in _ids()]
    files["notes_src/t/999_Ids/zh.md"] = files["notes_src/t/999_Ids/en.md"] = "\n".join(sections)
    return files


def words_collection(payloads: Sequence[str]) -> dict[str, str]:
    """A topic for each payload, which is in all that the topic says of itself, as all are in what the site says."""
    topics = [f"t{number}" for number in range(len(payloads))]
    all_of_them = " ".join(payloads)
    both = {"zh": all_of_them, "en": f"{all_of_them} (en)"}
    files = {"notes_src/site.yaml": _yaml({"title": both, "description": both, "topics": topics})}
    for topic, payload in zip(topics, payloads, strict=True):
        text = {"zh": payload, "en": f"{payload} (en)"}
        path = {"id": "a", "title": text, "steps": ["1"], "guide": text}
        facts = {"title": text, "emoji": payload, "intro": text, "reading_paths": [path]}
        files[f"notes_src/{topic}/topic.yaml"] = _yaml(facts)
        files[f"notes_src/{topic}/01_N/note.yaml"] = _yaml({"title": text, "summary": text})
        files[f"notes_src/{topic}/01_N/zh.md"] = "x\n"
    return files


def _ids() -> list[tuple[int, str]]:
    return list(enumerate(TABLE["ids"]))


def _yaml(value: object) -> str:
    """A value as YAML in one line: as JSON, but for tabs, which are refused as escapes that may have been TeX."""
    return f"{_flow(value)}\n"


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_flow(key)}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, str) and "\t" in value and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value)


def _facts(number: int, payload: str) -> dict[str, object]:
    other = "1" if number != 1 else "2"
    return {
        "title": payload,
        "summary": {"zh": payload, "en": f"{payload} (en)"},
        "papers": [f"p{number}"],
        "tags": [payload, f"{payload} too"],
        "extra": {"own": payload, payload: [payload]},
        "corrects": [{"note": other, "claim": payload, "correction": payload}],
    }


def _term(number: int, payload: str) -> dict[str, object]:
    return {
        "zh": f"术语{number}",
        "en": f"{payload} {number}",
        "aliases": [f"term{number}", payload],
        "definition": payload,
    }


def _entry(number: int, payload: str) -> str:
    """A BibTeX entry; what its braces would end early has them replaced."""
    balanced = re.sub(r"[{}]", "|", payload)
    names = ("title", "author", "organization", "journal", "booktitle", "abstract", "note", "keywords", "editor")
    places = ("url", "code", "project", "hf", "blog", "pdf", "doi", "eprint", "howpublished")
    fields = [f"  {name} = {{{balanced}}}," for name in (*names, *places)]
    return "\n".join([f"@misc{{p{number},", *fields, "  year = {2024}", "}", ""])


def _figure(payload: str) -> str:
    """A figure that is well-formed, with the payload in its texts and attributes."""
    value = escape(payload)
    attributes = " ".join(
        f'{name}="{value}"' for name in ("id", "fill", "style", "mask", "href", "class", "aria-label")
    )
    texts = f"<title>{value}</title><desc>{value}</desc><text x='{value}' y='5'>{value}<tspan>{value}</tspan></text>"
    moves = f'<animate attributeName="fill" values="{value}" begin="{value}"/><use href="{value}"/>'
    return _FIGURE.format(f"{texts}<rect {attributes}>{moves}</rect>")


def _in_markdown(number: int, payload: str) -> str:
    """The payload in every construct of Markdown, each in a section of its own so that none hides another."""
    line = " ".join(payload.split("\n"))
    cell = line.replace("|", "\\|")
    tex = line.replace("$", "")
    constructs = [
        f"x {line} y **{line}** ~~{line}~~ <{line}>",
        f"- {line}\n- [ ] {line}\n\n> x {line}\n\n1. {line}",
        f"[x]({line}) [y](<{line}>) [z](https://a.example '{line}') [{line}](https://a.example)",
        f'[x](https://a.example "{line}") [y]({escape(line)}) [{line}] [z][{line}]\n\n[{line}]: {line} "{line}"',
        f"![{line}](b.svg) ![x]({line}) ![y](c.svg '{line}') ![z](c.svg \"{line}\")",
        f":::figure {line}\n![{line}](a.svg)\n\n{line}\n:::",
        f"`{line}` ``{line}``\n\n```{line}\n{line}\n```\n\n~~~html {line}\n{payload}\n~~~\n\n    {line}",
        f":::note {line} {{#{line}}}\n{line}\n:::\n\n:::{line}\nx\n:::\n\n:::note {{{line}}}\n:::",
        *(f":::{name} {line}\nx {line}\n:::" for name in COMPONENTS if name != "figure"),
        f"> [!NOTE] {line}\n> x {line}\n\n> [!{line}]\n> x",
        f'[{line}]{{.term}} [x]{{.{line}}} [y]{{{line}}} [z]{{.pill title="{line}"}} `x`{{{line}}}',
        f"| {cell} | b |\n|---|---|\n| {cell} | [x]({cell}) |",
        f"{line}\n: {line}",
        f"x[^a] y[^{line}] ^[{line}]\n\n[^a]: x {line}\n\n[^{line}]: {line}",
        f"[[#1|{line}]] [[{line}]] [[t/#2#{line}]] [@p{number}, {line}] [@{line}] 术语{number}",
        f"$\\text{{{tex}}}$ ${tex}$ $\\href{{{tex}}}{{x}}$ $\\class{{{tex}}}{{x}}$ $\\mathrm{{{tex}}}$",
        f"$$\n\\mbox{{{tex}}} \\url{{{tex}}} \\textcolor{{{tex}}}{{x}}\n$$\n\n$\\htmlData{{{tex}}}{{x}}$",
        f"$$\n{tex}\n$$\n\n$\\style{{{tex}}}{{x}}$ $\\operatorname{{{tex}}}$ $\\begin{{{tex}}}x\\end{{{tex}}}$",
        f"## {line}\n\n### x {{#{line}}}\n\n{line} \\\n{line}",
    ]
    return f"{line}\n\n" + "".join(f"## {place}\n\n{text}\n\n" for place, text in enumerate(constructs))


def _as_html(payload: str) -> str:
    """The payload as a note's own HTML: in a line, as a block, in a list, in attributes, and as what an address is."""
    value = escape(payload)
    line = " ".join(payload.split("\n"))
    parts = [
        f'## A\n\n<p title="{value}" lang="{value}" class="{value}">x <kbd>y</kbd></p>\n\nx <b title={line}>y</b>',
        f'## B\n\n<a href="{value}">x</a> <form action="{value}"><button formaction="{value}">y</button></form>',
        f'## C\n\n<iframe src="{value}"></iframe><img src="{value}"><object data="{value}"></object>',
        f"## D\n\n- x\n  {line}\n\n- y\n\n  {line}\n\n> {line}",
        f"## E\n\n<div>\n{payload}\n</div>",
        f"## F\n\n<table><tr><td>{payload}",
        f"## G\n\n<!-- {payload} -->\n\n## H\n\nx {line} y",
        f"## I\n\n{payload}",
    ]
    return "\n\n".join(parts) + "\n"
