"""Whatever characters a text holds, it is read right, or what cannot be read is named with its line and column."""

from __future__ import annotations

import json
import re
import unicodedata
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from building import note, said, source
from running import files_of, paper_notes, write

from paper_notes.corpus.tags import folded
from paper_notes.diagnostics import Diagnostic
from paper_notes.markdown.render import render_body
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.characters import UNUSABLE
from paper_notes.sources.tree import read_tree
from paper_notes.sources.yaml import parse_yaml

ZH = "## 动机\n\n这是一个测试，用来检查“编码”。\n"
BYTES: dict[str, tuple[bytes, str]] = {
    "UTF-8": (ZH.encode(), ""),
    "with a byte order mark": (b"\xef\xbb\xbf" + ZH.encode(), ""),
    "with CRLF": (ZH.replace("\n", "\r\n").encode(), ""),
    "with CR alone": (ZH.replace("\n", "\r").encode(), ""),
    "a NUL": (ZH.encode() + b"\0", "4:1: error[control-character]: the character U+0000 is not allowed in a text file"),
    "UTF-16": (ZH.encode("utf-16"), "1:1: error[invalid-utf8]: byte 0xFF is not valid UTF-8|(it looks like UTF-16)"),
    "UTF-16 LE": (ZH.encode("utf-16-le"), "1:7: error[invalid-utf8]: byte 0xA8|(it looks like UTF-16)"),
    "UTF-16 BE": (ZH.encode("utf-16-be"), "1:8: error[invalid-utf8]: byte 0xA8|(it looks like UTF-16)"),
    "English in UTF-16": ("title".encode("utf-16-be"), "1:1: error[control-character]|(it looks like UTF-16)"),
    "UTF-32": (ZH.encode("utf-32"), "1:1: error[invalid-utf8]|(it looks like UTF-16)"),
    "GBK": (ZH.encode("gbk"), "1:4: error[invalid-utf8]: byte 0xB6 is not valid UTF-8|(it looks like GBK)"),
    "GB18030": ("中文，也有 English。\n".encode("gb18030"), "1:1: error[invalid-utf8]: byte 0xD6|(it looks like GBK)"),
    "GBK after lines of ASCII": (b"a\nb\n\n" + "引用".encode("gbk"), "4:1: error[invalid-utf8]|(it looks like GBK)"),
    "Latin-1": ("naïve résumé".encode("latin-1"), "1:3: error[invalid-utf8]: byte 0xEF|save the file as UTF-8\n"),
    "Windows-1252": ("it’s “fine”".encode("cp1252"), "1:3: error[invalid-utf8]: byte 0x92|save the file as UTF-8\n"),
    "surrogates": (b"ok\nx \xed\xa0\xbd\xed\xb8\x80", "2:3: error[invalid-utf8]: byte 0xED|(it looks like CESU-8"),
    "an overlong form": (b"a\xc0\xaf", "1:2: error[invalid-utf8]: byte 0xC0"),
    "an escape for terminals": (b"a\x1b[31mb", "1:2: error[control-character]: the character U+001B"),
    "a C1 control": ("ab\u009b".encode(), "1:3: error[control-character]: the character U+009B"),
    "a vertical tab": (b"a\n\x0b", "2:1: error[control-character]: the character U+000B"),
    "a noncharacter": ("好\ufdd0".encode(), "1:2: error[control-character]: the character U+FDD0"),
    "the last of a plane": ("好\U0001ffff".encode(), "1:2: error[control-character]: the character U+1FFFF"),
    "an override": ("a\n\u202eb".encode(), "2:1: error[control-character]: the invisible character U+202E turns the"),
    "an isolate": ("b \u2067c\n\u2069".encode(), "1:3: error[control-character]: the invisible character U+2067"),
    "the wrong end": ("b \u2067c\u202c".encode(), "1:3: error[control-character]: the invisible character U+2067"),
    "an override with its end": ("a \u202eb\u202c c".encode(), ""),
    "an isolate with its end": ("a \u2068b \u202bc\u202c\u2069 d".encode(), ""),
    "marks of direction": ("a\u200fb\u200ec\u061c".encode(), ""),
    "zero-width characters": ("a\u200bb\u2060c\ufeffd\u00ade".encode(), ""),
    "joined emoji": ("👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈".encode(), ""),
    "line separators": ("a\u2028b\u2029c".encode(), ""),
    "combining marks without end": (("a" + "\u0301" * 5_000).encode(), ""),
    "private and unassigned characters": ("\ue000\U000f0000\u0378".encode(), ""),
}
"""The bytes of a file, and what is said: its place and beginning, and maybe a part of the hint."""


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("suffix", ["md", "yaml", "bib", "svg"])
@pytest.mark.parametrize("name", BYTES)
def test_a_file_is_read_right_or_its_wrong_byte_is_named(name: str, suffix: str, tmp_path: Path) -> None:
    data, wanted = BYTES[name]
    (tmp_path / "notes_src").mkdir()
    (tmp_path / "notes_src" / f"a.{suffix}").write_bytes(data)
    sources, problems = read_tree(tmp_path)
    if not wanted:
        assert problems == ()
        assert sources[0].text == data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return
    start, _, hint = wanted.partition("|")
    assert sources == ()
    assert said(problems).startswith(f"notes_src/a.{suffix}:{start}")
    assert hint in said(problems)


def test_the_message_about_direction(tmp_path: Path) -> None:
    write(tmp_path, {"notes_src/a.md": "a\u202eb"})
    assert said(read_tree(tmp_path)[1]) == (
        "notes_src/a.md:1:2: error[control-character]: "
        "the invisible character U+202E turns the direction of what follows, without an end\n"
        "  hint: delete it\n"
    )


ESCAPES = {
    r'a: "\ud800"': "1:7: error[yaml-syntax]: this escape is not a character",
    r'a: "\ud83d\ude00"': "1:7: error[yaml-syntax]: this escape is not a character",
    r'a: "\UFFFFFFFF"': "1:7: error[yaml-syntax]: this escape is not a character",
    r'a: "b\0"': "1:4: error[control-character]: the character U+0000 is not allowed in a text",
    r'a: "\e[31m"': "1:4: error[control-character]: the character U+001B is not allowed in a text",
    r'a: "\N"': "1:4: error[control-character]: the character U+0085 is not allowed in a text",
    r'a: "\uFDD0"': "1:4: error[control-character]: the character U+FDD0 is not allowed in a text",
    r'"a\0": b': "1:1: error[control-character]: the character U+0000 is not allowed in a text",
    r'a: "\u202e"': "1:4: error[control-character]: the invisible character U+202E turns the direction",
    r'"\u202e": a': "1:1: error[control-character]: the invisible character U+202E turns the direction",
}


@pytest.mark.parametrize("text", ESCAPES)
def test_an_escape_in_yaml_brings_in_only_what_a_file_may_hold(text: str) -> None:
    found = parse_yaml(source("a.yaml", "").path, text)
    assert isinstance(found, Diagnostic)
    assert str(found).startswith(f"a.yaml:{ESCAPES[text]}")


def test_escapes_of_other_characters_are_read() -> None:
    found = parse_yaml(source("a.yaml", "").path, r'a: "\U0001F600\u00e9\L\P\_"')
    assert not isinstance(found, Diagnostic)
    assert found.value == {"a": "😀é\u2028\u2029\u00a0"}


@pytest.mark.parametrize("key", ["k\u200b", "k\u202e\u202c", "\ufeffk", "k\u2066\u2069"])
def test_a_key_of_bibtex_holds_nothing_invisible(key: str) -> None:
    problems = parse_bibtex(source("l.bib", f"@misc{{{key}, title = {{a}}}}"))[1]
    assert [problem.rule for problem in problems] == ["bad-bibkey"]
    assert "a key cannot hold the invisible character U+" in problems[0].message


def test_tags_that_differ_in_what_nobody_sees_are_alike() -> None:
    assert folded("a\u200bb") == folded("ab") == folded("A\ufeffB")


REFERENCES = "&#xD800; &#0; &#x110000; &#xFFFE; &#x1b; &#xfdd0; &#99999999999;"


@pytest.mark.parametrize("text", [REFERENCES, f'<b title="{REFERENCES}">x</b>', f"<div>{REFERENCES}</div>"])
def test_references_to_what_is_no_character_become_the_replacement_character(text: str) -> None:
    html = render_body(note({"en": text})).halves["en"].lead
    assert not UNUSABLE.search(unescape(html).replace("\n", ""))
    assert "\ufffd" in html


def test_an_svg_brings_in_no_control_characters() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>a&#x85;&#xFDD0;0&#xFDD1;</text></svg>'
    assert "<text>a0</text>" in render_body(note({"en": "![a](a.svg)"}, {"a.svg": svg})).halves["en"].lead


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_found_however_its_accents_are_stored(form: str, tmp_path: Path) -> None:
    stored = unicodedata.normalize(form, "é")  # type: ignore[arg-type]
    write(
        tmp_path,
        {
            "notes_src/site.yaml": "title: a\ntopics: ['\u00e9']\nlanguages: [en]\n",
            f"notes_src/{stored}/topic.yaml": "title: a\n",
            f"notes_src/{stored}/01_{stored}/note.yaml": "title: a\n",
            f"notes_src/{stored}/01_{stored}/en.md": "![a](\u00e9.svg) [[\u00e9/01_\u00e9]]\n",
            f"notes_src/{stored}/01_{stored}/{stored}.svg": SVG,
        },
    )
    result = paper_notes("build", "--root", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "site/\u00e9/notes/01_\u00e9.html").exists()


def test_two_files_whose_names_differ_only_in_form_are_told_of(tmp_path: Path) -> None:
    write(tmp_path, {"notes_src/e\u0301.md": "a", "notes_src/\u00e9.md": "b"})
    if len(list((tmp_path / "notes_src").iterdir())) < 2:
        pytest.skip("this disk takes them for one")
    assert said(read_tree(tmp_path)[1]) == (
        "notes_src/é.md:1:1: error[unreadable-file]: two files have this name, with accents written in two ways\n"
        "  hint: rename one of them\n"
    )


@pytest.mark.parametrize(("name", "shown"), [("a\nb", r"a\nb"), ("a\x1b[31m", r"a\x1b[31m"), ("a\u202eb", r"a\u202eb")])
def test_a_name_with_what_nobody_sees_is_shown_by_its_escapes(name: str, shown: str, tmp_path: Path) -> None:
    write(tmp_path, {f"notes_src/{name}.svg": ""})
    found = said(read_tree(tmp_path)[1])
    assert found.startswith(
        f"notes_src/{shown}.svg:1:1: error[unreadable-file]: the name of the file holds the invisible"
    )
    assert name not in found


ODD = "a\u2028b\u2029c\u200b\u200f\ufeff👨\u200d👩\u0301" + "\u0301" * 50 + "\u2067x\u2069< /script>]]>&\"'\\"


def test_odd_characters_pass_through_the_whole_build(tmp_path: Path) -> None:
    quoted = json.dumps(ODD, ensure_ascii=False)
    bib = "@misc{k, title = {" + ODD.replace("\\", "") + "}, author = {Odd, \u200bA}, year = 2025}\n"
    files = {
        "notes_src/site.yaml": f"title: {quoted}\ntopics: [one]\nbase_url: https://a.example/\nreadme: true\n",
        "notes_src/one/topic.yaml": f"title: {quoted}\nintro: {quoted}\n",
        "notes_src/one/01_A/note.yaml": (
            f"title: {quoted}\nsummary: {quoted}\ntags: [{quoted}]\npapers: [k]\ncreated: 2025-01-01\n"
        ),
        "notes_src/one/01_A/zh.md": f"## {ODD}\n\n{ODD} [@k]\n",
        "notes_src/l.bib": bib,
        "README.md": "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
    }
    result = paper_notes("build", "--root", write(tmp_path, files))
    assert result.exit_code == 0, result.stderr
    made = {name: data.decode() for name, data in files_of(tmp_path / "site").items()}
    for name, text in made.items():
        assert not UNUSABLE.search(text), name
        if name.endswith(".xml"):
            ElementTree.fromstring(text)
        elif name.endswith(".json"):
            json.loads(text)
        for data in re.findall(r'<script type="application/(?:ld\+)?json"[^>]*>(.*?)</script>', text, re.DOTALL):
            json.loads(data)
    assert sum(name.endswith(".xml") for name in made) >= 3
    row = next(line for line in made["one/README.md"].split("\n") if line.startswith("| #1 |"))
    assert row.endswith("KB |"), "the row of a table stays one line"
