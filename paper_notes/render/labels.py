"""Words of the pages that stand in values, in both languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from paper_notes.corpus.model import Kind, Lang, ReadingSource, Status, Text
from paper_notes.languages.text import zh_en

KINDS: Mapping[Kind, Text] = {
    "paper": zh_en("论文精读", "Paper"),
    "evolution": zh_en("演化", "Evolution"),
    "comparison": zh_en("横评", "Comparison"),
    "landscape": zh_en("全景", "Landscape"),
    "tutorial": zh_en("教程", "Tutorial"),
    "industry": zh_en("产业", "Industry"),
    "digest": zh_en("日报", "Digest"),
}
STATUSES: Mapping[Status, Text] = {
    "todo": zh_en("待读", "To read"),
    "reading": zh_en("在读", "Reading"),
    "read": zh_en("已读", "Read"),
    "revisit": zh_en("待重读", "To revisit"),
}
READING_SOURCES: Mapping[ReadingSource, Text] = {
    "pdf": zh_en("PDF 全文", "the PDF"),
    "html": zh_en("网页版", "the web version"),
    "abstract": zh_en("仅摘要", "the abstract only"),
    "code": zh_en("代码", "the code"),
}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
CHARACTERS_PER_MINUTE = 300
"""Chinese, technical prose read with care."""
WORDS_PER_MINUTE = 180
"""English, the same."""


def count_of_notes(number: int) -> Text:
    """`8 篇`, `8 notes`."""
    return counted(number, "篇", "note")


def counted(number: int, zh: str, en: str) -> Text:
    """`8 个标签`, `8 tags`; `en` is the word for one."""
    return zh_en(f"{number:,} {zh}", f"{number:,} {en if number == 1 else f'{en}s'}")


def month_name(month: int) -> Text:
    """`10 月`, `October`; `month` counts from 1."""
    return zh_en(f"{month} 月", _MONTHS[month - 1])


def initial(name: str) -> str:
    """The letter that a name is found under: A to Z, a character of another script, or `#` for all else."""
    first = unicodedata.normalize("NFKD", name)[:1].upper()
    return first if first.isalpha() else "#"


def initial_order(name: str) -> tuple[bool, str, str]:
    """Sorts names by their letters, `#` last."""
    letter = initial(name)
    return letter == "#", letter, name.casefold()


def minutes_to_read(words: int, characters: int) -> int:
    """How long a half of a note takes to read."""
    return max(1, round(characters / CHARACTERS_PER_MINUTE + words / WORDS_PER_MINUTE))


def reading_time(words: int, characters: int, lang: Lang) -> str:
    """How long a half of a note takes to read, as its page says it."""
    minutes = minutes_to_read(words, characters)
    return f"约 {minutes} 分钟" if lang == "zh" else f"about {minutes} min"


def size_of(count: int) -> str:
    """A number of bytes as people read it: `54 KB`, `1.2 MB` (1 KB is 1000 bytes)."""
    if count < 999_500:
        return f"{max(1, round(count / 1000))} KB"
    return f"{count / 1_000_000:.1f} MB"
