"""Texts and files made to exhaust a machine, and the rule of each. Run as a program, it tries them one by one.

It prints a line of JSON for each: its kind and name, and the rules of the diagnostics. Each kind has a process with
limits of memory and of processor time: if a bomb succeeds, its line and all later ones of its kind are missing.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

MEMORY = 1_200_000_000
SECONDS = 120
"""Of a processor, for all of a kind; each takes one or two."""
NOTE = 512 * 1024
"""Bytes of the largest note."""
FINE: frozenset[str] = frozenset()
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
Bomb = tuple[str, str]
"""A text, and the rule that it breaks, or nothing if it is only large."""


def full(piece: str, size: int = NOTE) -> str:
    return piece * (size // len(piece.encode()))


def tex_power(n: int) -> str:
    names = [f"\\q{chr(97 + i)}" for i in range(n)]
    steps = "".join(rf"\newcommand{{{b}}}{{{a}{a}}}" for a, b in pairwise(names))
    first = rf"\newcommand{{{names[0]}}}{{x}}"
    return f"${first}{steps}{names[-1]}$"


TEXTS: dict[str, Bomb] = {
    "a table of 55,000 lines": ("| a |\n|---|\n" + "|b|\n" * 55_000, "file-too-large"),
    "a table of many columns": ("|a" * 60_000 + "|\n" + "|-" * 60_000 + "|\n" + "|b|\n" * 20, "file-too-large"),
    "a list of 55,000 items": ("- a\n" * 55_000, "file-too-large"),
    "quotations in quotations": (">" * 100_000 + " a", "too-deep"),
    "lists in lists": ("- " * 50_000 + "a", "too-deep"),
    "components in components": (":::note\n" * 20_000, "too-deep"),
    "brackets that open": (full("["), "too-tangled"),
    "double brackets": (full("[["), "too-tangled"),
    "images that open": (full("!["), "too-tangled"),
    "footnotes that open": (full("^["), "too-tangled"),
    "citations that open": (full("[@a "), "too-tangled"),
    "references that open": (full("[[#1 "), "too-tangled"),
    "emphasis within emphasis": ("*a **b " * 5_000 + "a* b**" * 5_000, ""),
    "15,000 tasks": ("- [ ] a\n" * 15_000, ""),
    "strikethrough within strikethrough": ("~~a " * 10_000 + " a~~" * 10_000, ""),
    "backticks of all lengths": (" ".join("`" * n for n in range(1, 900)), ""),
    "opening angle brackets": (full("<", 150_000), ""),
    "comments that open": (full("<!--"), "html-not-allowed"),
    "comments inside a line": ("a " + full("<!--", 200_000), ""),
    "instructions that open": (full("<?"), ""),
    "sections of CDATA": (full("<![CDATA["), ""),
    "elements in elements": (full("<div>", 100_000), "too-deep"),
    "elements in elements of many paragraphs": (full("<div>\n\n", 100_000), "too-deep"),
    "attributes that open": (full('<div a="', 100_000), ""),
    "entities that open": (full("&#", 100_000), ""),
    "full-width brackets that open": (full("【"), ""),
    "numbers of notes": (full("笔记 #15 ", 100_000), ""),
    "addresses and numbers": (full("https://a#1 #2 ", 100_000), ""),
    "definitions of links": ("".join(f"[a{n}]: b\n" for n in range(20_000)), ""),
    "definitions of footnotes": ("".join(f"[^a{n}]: b\n\n" for n in range(5_000)), "unused-footnote"),
    "headings of one name": ("## a\n" * 4_000, ""),
    "code of one language": ("```py\nx\n```\n" * 3_000, ""),
    "languages that do not exist": ("".join(f"```py{n}\n```\n" for n in range(4_000)), "unknown-code-language"),
    "images that do not exist": ("".join(f"![a](k{n}.svg) " for n in range(5_000)), "missing-image"),
    "links that lead nowhere": ("".join(f"[a](#k{n})\n\n### b {{#l{n}}}\n\n" for n in range(1_500)), "unknown-anchor"),
    "spaces in a citation": ("[@a, b" + " " * 100_000 + "c] [" + " " * 100_000 + "@a b]", ""),
    "a formula of 100,000 characters": ("$" + "x" * 100_000 + "$", "bad-tex"),
    "braces within braces in TeX": ("$" + "{" * 4_000 + "}" * 4_000 + "$", "bad-tex"),
    "brackets in TeX": ("$" + "(" * 60 + "$", "bad-tex"),
    "brackets of other scripts in TeX": ("$" + "⟨⟦⌈" * 20 + "$", "bad-tex"),
    "brackets with a size in TeX": ("$" + r"\bigl(" * 60 + "$", "bad-tex"),
    "brackets by name in TeX": ("$" + r"\lparen\llbracket\ulcorner" * 20 + "$", "bad-tex"),
    "brackets closed in another group of TeX": ("$" + "(" * 60 + r"\text{" + ")" * 60 + "}$", "bad-tex"),
    "brackets closed in a comment of TeX": ("$" + "(%)\n" * 60 + "x$", "bad-tex"),
    "brackets hidden in a macro": (r"$\newcommand{\a}{(}" + r"\a" * 60 + "$", "bad-tex"),
    "brackets hidden behind a definition": (r"$\def\a{(}" + r"\a " * 60 + r"$ $\let\b=(" + r"\b" * 60 + "$", "bad-tex"),
    "brackets that a macro leaves open": (r"$\def\a#1#2{#1}" + r"\a()" * 60 + "$", "bad-tex"),
    "a macro that doubles": (tex_power(26), "bad-tex"),
    "a macro that doubles brackets": (r"$\newcommand{\a}[1]{#1#1}" + r"\a{" * 8 + "(" + "}" * 8 + "$", "bad-tex"),
}
"""In a note, as English."""

YAMLS: dict[str, Bomb] = {
    "aliases of aliases": (
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(12)),
        "yaml-too-large",
    ),
    "lists in lists": ("a: " + "[" * 100_000, "yaml-too-deep"),
    "mappings in mappings": ("a: " + "{b: " * 100_000, "yaml-too-deep"),
    "keys that ask": ("? " * 100_000, "yaml-syntax"),
    "indentation": ("".join(f"{' ' * n}a:\n" for n in range(900)), "yaml-too-deep"),
    "a text of a million characters": ("a: " + "x" * 1_000_001, "yaml-too-large"),
    "a title that is a book": ("title: {zh: a, en: " + "x" * 10_001 + "}", "bad-value"),
    "30,000 keys": ("".join(f"k{n}: 1\n" for n in range(30_000)), "unknown-key"),
    "10,000 tags": ("title: a\ntags: [" + ", ".join(f"tag{n}" for n in range(10_000)) + "]", ""),
}
"""As `note.yaml`."""

BIBS: dict[str, Bomb] = {
    "strings that double": (
        '@string{a0="xxxxxxxxxx"}\n' + "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(60)),
        "bad-value",
    ),
    "a long string in every field": (
        '@string{b="' + "x" * 90_000 + '"}\n' + "".join(f"@misc{{k{n},title=b}}\n" for n in range(5_000)),
        "bad-value",
    ),
    "braces in braces": ("@misc{a, title = " + "{" * 1_000_000, "unclosed-brace"),
    "strings that do not exist": ("".join(f"@misc{{k{n},title=u{n}}}\n" for n in range(5_000)), "undefined-bib-string"),
    "types that do not exist": ("".join(f"@foo{n}{{k{n},title={{a}}}}\n" for n in range(5_000)), "unknown-bib-type"),
    "a title of commands": ("@misc{k,title={" + r"\foo " * 50_000 + "}}", "missing-field"),
    "at signs": ("@" * 1_000_000, "unread-text"),
    "entries that are never closed": ("".join(f"@misc{{k{n}, title={{a\n" for n in range(5_000)), "unclosed-brace"),
}

SVGS: dict[str, Bomb] = {
    "groups in groups": (SVG + "<g>" * 200_000 + "</g>" * 200_000 + "</svg>", "bad-svg"),
    "a million elements": (SVG + "<rect/>" * 1_000_000 + "</svg>", "bad-svg"),
    "elements that do not exist": (SVG + "".join(f"<foo{n}/>" for n in range(5_000)) + "</svg>", "bad-svg"),
    "attributes that do not exist": (
        SVG + "<rect " + " ".join(f'a{n}="1"' for n in range(5_000)) + "/></svg>",
        "bad-svg",
    ),
    "entities of entities": (
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">'
        + "".join(f"<!ENTITY {chr(98 + n)} '" + f"&{chr(97 + n)};" * 10 + "'>" for n in range(12))
        + f"]>{SVG}<text>&m;</text></svg>",
        "bad-svg",
    ),
    "addresses that open": (SVG + '<rect fill="' + "url(#" * 500_000 + '"/></svg>', "bad-svg"),
    "a word of a million letters": (SVG + '<set attributeName="x" begin="' + "a" * 1_000_000 + '"/></svg>', ""),
    "a path of a million steps": (SVG + '<path d="' + "M0 0" * 1_000_000 + '"/></svg>', ""),
}


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side: int) -> bytes:
    """A few bytes that unpack to a picture of that many black pixels a side."""
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(side, 1_000) * (side // 8 + 1)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def pdf(objects: dict[int, bytes]) -> bytes:
    """A PDF of these objects; the first is its catalogue."""
    out, places = b"%PDF-1.7\n", {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % places[number] for number in range(1, len(objects) + 1))
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
    return out + head + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))


def stream(data: bytes, keys: bytes = b"") -> bytes:
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (keys, len(data), data)


ONE_PAGE = {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>"}
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]%b>>"
FLATE = b"/Filter/FlateDecode"
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
TILE = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep .001/YStep .001/Resources<<>>"


def page(keys: bytes, *streams: bytes) -> bytes:
    return pdf({**ONE_PAGE, 3: PAGE % keys, **dict(enumerate(streams, 4))})


def nested(depth: int) -> list[bytes]:
    """Forms that draw the next one ten times each."""
    resources = b"%b/Resources<</XObject<</X %d 0 R>>>>"
    return [stream(b"/X Do " * 10, resources % (FORM, number)) for number in range(6, 6 + depth)]


def large() -> bytes:
    return b"0 0 m 9 9 l S " * 3_000_000


PDFS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a page that unpacks without end": (
        lambda: page(b"/Contents 4 0 R", stream(zlib.compress(large()), FLATE)),
        "unpacks to more than",
    ),
    "a page that is packed twice": (
        lambda: page(
            b"/Contents 4 0 R",
            stream(zlib.compress(zlib.compress(large())), b"/Filter[/FlateDecode/FlateDecode]"),
        ),
        "unpacks to more than",
    ),
    "a page packed as text": (
        lambda: page(
            b"/Contents 4 0 R",
            stream(base64.a85encode(zlib.compress(large())) + b"~>", b"/Filter[/ASCII85Decode/FlateDecode]"),
        ),
        "unpacks to more than",
    ),
    "forms that draw each other": (
        lambda: page(
            b"/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>", stream(b"/X Do"), *nested(12), stream(b"S", FORM)
        ),
        "unpacks to more than",
    ),
    "tiles of a thousandth of a point": (
        lambda: page(
            b"/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>",
            stream(b"/Pattern cs /P scn 0 0 612 792 re f"),
            stream(b"0 0 1 1 re f", TILE),
        ),
        "tiles that are too small",
    ),
    "an image of a billion pixels": (
        lambda: page(
            b"/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>",
            stream(b"/X Do"),
            stream(b"", b"/Subtype/Image/Width 40000/Height 40000/BitsPerComponent 8/ColorSpace/DeviceGray"),
        ),
        "40,000 x 40,000 pixels",
    ),
    "pages within pages": (
        lambda: pdf({1: ONE_PAGE[1], 2: b"<</Type/Pages/Kids[2 0 R]/Count 1>>"}),
        "cannot be read",
    ),
    "two billion pages": (
        lambda: pdf({**ONE_PAGE, 2: b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>", 3: PAGE % b""}),
        "the PDF",
    ),
    "a page of a million points": (lambda: page(b"/MediaBox[0 0 1e9 1e9]"), ""),
}
"""PDFs, and the diagnostic for drawing the first page."""


NOTES = {
    "site.yaml": "title: {zh: 站, en: Site}\ntopics: [one]\n",
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "one/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
    "one/01_A/zh.md": "文\n",
    "one/01_A/en.md": "text\n",
}


def steps(number: int) -> str:
    return f"{NOTES['one/topic.yaml']}reading_paths:\n- {{id: a, title: t, steps: [{', '.join(['1'] * number)}]}}\n"


TERMS = "".join(f"- {{zh: 词{n}, en: {'a ' * (n % 40)}{'b' * (n // 40 + 1)}}}\n" for n in range(600))
AUTHORS = " and ".join(f"Doe{n}, J." for n in range(3_000))
COLLECTIONS: dict[str, tuple[dict[str, str], str]] = {
    "a paper of 3,000 authors": (
        {
            "l.bib": f"@misc{{k, title={{T}}, year=2020, author={{{AUTHORS}}}}}",
            "one/01_A/note.yaml": "title: {zh: 甲, en: A}\npapers: [k]\n",
        },
        "",
    ),
    "terms that begin alike": (
        {"glossary.yaml": TERMS, "one/01_A/en.md": ("a " * 1_000 + "\n\n") * 200},
        "",
    ),
    "a term that is a book": ({"glossary.yaml": f"- {{zh: 词, en: a, aliases: [{'x' * 101}]}}\n"}, "bad-value"),
    "a reading path of 20,000 steps": ({"one/topic.yaml": steps(20_000)}, "bad-value"),
    "a reading path of 1,000 steps": ({"one/topic.yaml": steps(1_000)}, "missing-translation"),
    "20,000 topics": (
        {"site.yaml": f"title: S\ntopics: [one, {', '.join(f't{n}' for n in range(20_000))}]\n"},
        "bad-value",
    ),
    "references to notes that are not there": (
        {"one/01_A/en.md": "".join(f"[[#{n}]] [[x{n}]]\n" for n in range(2, 3_000))},
        "dangling-reference",
    ),
}
"""Files of whole collections."""
LONG = frozenset(
    {
        "a table of 55,000 lines", "a table of many columns", "a list of 55,000 items", "components in components",
        "emphasis within emphasis", "15,000 tasks", "instructions that open", "numbers of notes",
        "languages that do not exist", "links that lead nowhere", "30,000 keys", "a long string in every field",
        "types that do not exist", "elements that do not exist", "references to notes that are not there",
    }
)  # fmt: skip
"""Bombs that take seconds though they do not go off: only `make nightly` tries them."""


def _collection(files: dict[str, str]) -> list[str]:
    import tempfile

    from paper_notes.build import build

    with tempfile.TemporaryDirectory() as place:
        for name, text in {**NOTES, **files}.items():
            path = Path(place) / "notes_src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return [problem.rule for problem in build(Path(place)).diagnostics]


def _text(text: str) -> Iterable[str]:
    from building import note

    from paper_notes.markdown.render import render_body

    return (problem.rule for problem in render_body(note({"en": text})).diagnostics)


def _yaml(text: str) -> Iterable[str]:
    from paper_notes.corpus.schema import NoteFile
    from paper_notes.corpus.validate import validate
    from paper_notes.diagnostics import Diagnostic
    from paper_notes.sources.yaml import parse_yaml

    document = parse_yaml(PurePosixPath("note.yaml"), text)
    if isinstance(document, Diagnostic):
        return (document.rule,)
    return (problem.rule for problem in validate(NoteFile, document, ("en",))[1])


def _bib(text: str) -> Iterator[str]:
    from building import source

    from paper_notes.corpus.bibliography.from_bibtex import papers_from
    from paper_notes.sources.bibtex import parse_bibtex

    entries, problems = parse_bibtex(source("l.bib", text))
    yield from (problem.rule for problem in problems)
    yield from (problem.rule for problem in papers_from(entries)[1])


def _svg(text: str) -> Iterable[str]:
    from building import note

    from paper_notes.markdown.render import render_body

    return (problem.rule for problem in render_body(note({"en": "![a](a.svg)"}, {"a.svg": text})).diagnostics)


def _pdf(make: Callable[[], bytes]) -> Iterable[str]:
    from building import source

    from paper_notes.sources.pdf.model import PdfProblem
    from paper_notes.sources.pdf.reader import PdfReader

    made = source("a.pdf", make())
    reader = PdfReader()
    reader.identity(made)
    drawn = reader.picture(made, 1, None, width=400, height=400, limit=60_000)
    return (drawn.message,) if isinstance(drawn, PdfProblem) else ()


KINDS: dict[str, tuple[Any, Callable[..., Iterable[str]]]] = {
    "collection": (COLLECTIONS, _collection),
    "text": (TEXTS, _text),
    "yaml": (YAMLS, _yaml),
    "bib": (BIBS, _bib),
    "svg": (SVGS, _svg),
    "pdf": (PDFS, _pdf),
}


def explode(kind: str, names: Iterable[str]) -> None:
    """Try bombs of a kind, in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    bombs, light = KINDS[kind]
    for name in names:
        sys.stdout.write(json.dumps([kind, name, sorted(set(light(bombs[name][0])))]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import paper_notes.build  # noqa: F401 -- once for all kinds
    from paper_notes.markdown.syntax import inline

    inline.MAX_LOOKAHEAD //= 10  # the limit is the same, only sooner reached
    for kind, names in json.load(sys.stdin).items():
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            explode(kind, names)
        finally:
            os._exit(0)
