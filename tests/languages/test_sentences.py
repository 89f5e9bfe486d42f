"""The terminal speaks the user's language: every sentence is translated, and values in it stay what they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import paper_notes, write
from said import help_texts
from said import sentences as said

from paper_notes.commands import main
from paper_notes.commands.help import columns, wrapped
from paper_notes.languages.sentences import (
    TRANSLATED,
    Sentences,
    catalogue,
    filled,
    sections,
    sentences,
    terminal_language,
)

_NUMBERED = re.compile(r"\{\d*\}")
_CHINESE = re.compile("[\u4e00-\u9fff，。；：“”、]")
TEA = Sentences(
    {
        "no tea": "没有茶",
        'no note "{}" in topic "{}"': "主题“{1}”里没有笔记“{0}”",
        "{} cups": "{} 杯",
        "{}; {}": "{}；{}",
        "try {}": "试试{}",
        "`{}` is not {}": "`{}` 不是{}",
        "a text": "文本",
    }
)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("no tea", "没有茶"),
        ('no note "3" in topic "rl"', "主题“rl”里没有笔记“3”"),
        ('no note "a" in topic "b" in topic "c"', '主题“b" in topic "c”里没有笔记“a”'),
        ("3 cups; try no tea", "3 杯；试试没有茶"),
        ("`a text` is not a text", "`a text` 不是文本"),
        ("one; two", "one; two"),
        ("something else", "something else"),
        ("", ""),
    ],
)
def test_a_sentence_is_translated_with_its_values(english: str, chinese: str) -> None:
    assert TEA(english) == chinese


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_value_is_lost_and_none_fails(first: str, second: str) -> None:
    for text in (first, f'no note "{first}" in topic "{second}"', f"{first}; {second}", f"{{}} {first}"):
        assert isinstance(TEA(text), str)
    if first and second and '" in topic "' not in f'{first}" in topic "{second}':
        assert filled("主题“{1}”里没有笔记“{0}”", (first, second)) == TEA(f'no note "{first}" in topic "{second}"')


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_sentence_of_the_program_is_translated(lang: str) -> None:
    """If this fails: add the sentence to the file, or say in `said.py` that it is read by nobody."""
    known = catalogue(lang)  # type: ignore[arg-type]
    missing = {f"{module}:{line}": text for module, line, text in said() if text not in known}
    assert missing == {}
    translator = sentences(lang)  # type: ignore[arg-type]
    assert [text for text in help_texts() if text and translator(text) == text] == []


@pytest.mark.parametrize("lang", TRANSLATED)
def test_a_translation_has_the_places_of_its_sentence(lang: str) -> None:
    for english, other in catalogue(lang).items():  # type: ignore[arg-type]
        count = english.count("{}") + english.count("{#}")
        if not count:
            continue  # other braces are BibTeX
        places = _NUMBERED.findall(other)
        numbers = [place[1:-1] for place in places]
        assert len(set(numbers)) == len(numbers) or not any(numbers), english
        wanted = list(map(str, range(count))) if any(numbers) else [""] * count
        assert sorted(numbers) == sorted(wanted), english
        assert english.count("{}{}") <= other.count("{}{}"), f"places side by side are one: {english}"


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_sentence_is_in_the_catalogue_that_nobody_says(lang: str) -> None:
    ours, parts = {text for _, _, text in said()} | set(help_texts()), sections(lang)  # type: ignore[arg-type]
    every = [text for name, pairs in parts.items() if name not in ("click", "joined") for text in pairs]
    assert [text for text in every if text not in ours] == []
    assert sum(map(len, parts.values())) == len(catalogue(lang)), "a sentence is there twice"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "zh_CN"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "zh"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh:en"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "\u4e2d"}, "en"),
    ],
)
def test_the_environment_names_the_language(environment: dict[str, str], lang: str) -> None:
    assert terminal_language(environment) == lang


def test_findings_help_and_wrong_usage_are_in_chinese(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    root = write(tmp_path, {"notes_src/site.yaml": "title: A\nlanguages: [en]\ntopics: [rl]\n"})
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    found = paper_notes("check", "--root", str(root))
    assert found.exit_code == 1
    assert "notes_src/site.yaml:3:10: error[" in found.stderr  # programs look for this
    assert "提示：" in found.stderr
    assert not re.search("[a-z]{3,} [a-z]{3,} [a-z]{3,}", found.stderr)
    assert "用法：" in paper_notes("build", "--help").stdout
    assert _CHINESE.search(paper_notes("build", "--chekc").stderr)
    assert "Usage:" in paper_notes("--in", "en", "build", "--help").stdout
    assert '"message": "the topic' in paper_notes("check", "--json", "--root", str(root)).stdout


_TYPED = re.compile(r"`[^`]*`|\"[^\"]*\"|^ +(?:\w+: +)?paper-notes .*?(?=  #|$)|^ +source .*?(?=  #|$)", re.MULTILINE)
"""What users type."""


INNER = [f"topic {name}" for name in main.commands["topic"].commands]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["", *sorted(main.commands), *INNER])
def test_help_in_chinese_has_no_english_in_it(name: str) -> None:
    shown = paper_notes("--in", "zh", *name.split(), "--help").stdout.partition("\n")[2]
    shown = _TYPED.sub(" ", shown)
    small = "a an the this that of for to in with and or is are be it its by from on no not only one all each".split()
    assert re.findall(rf"(?<![\w.:/{{-])(?:{'|'.join(small)})(?![\w./-])", shown) == []
    assert re.findall(r"(?<![\w.:/-])[a-z]{2,} [a-z]{2,}(?![\w./-])", shown) == []


def test_help_is_translated_into_any_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paper_notes.commands.help.translated", str.swapcase)
    shown = paper_notes("open", "--help").stdout
    assert "oPEN " in shown
    assert "  -H, --HELP" not in shown, "what is typed stays"
    assert "sHOW THIS MESSAGE AND EXIT." in shown


@given(st.text(st.sampled_from("中文，。（）ab c“”`"), max_size=80), st.integers(10, 40))
def test_wrapped_lines_are_as_wide_as_the_terminal_at_most(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(columns(line) <= width or " " not in line.strip() for line in lines)
