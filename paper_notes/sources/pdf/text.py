"""Lines of a page as normal text: broken words joined, accents composed, small caps in lower case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from paper_notes.patterns import regex
from paper_notes.sources.pdf.document import PdfLine, PdfSpan
from paper_notes.typography import is_ideographic

_ACCENTS = {
    "¨": "\u0308",
    "´": "\u0301",
    "`": "\u0300",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˚": "\u030a",
}
_ACCENTED = regex(r"([¨´ˆ˜ˇ¸˚`])\s?([A-Za-zıȷ])")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_HYPHEN = regex(r"(\w-)?(\w+)[-\u2010\u00ad]$")
_LONGEST_WORD = 200
_KEPT = frozenset(
    "auto cross end few fine first full half hand high large left long low meta mid multi near next non off one open"
    " post quasi real right second self semi short single small state task third three time top two user well"
    " zero".split()
)
"""First parts of compounds that keep a hyphen at the end of a line, unless other words of the paper decide it."""


def cleaned(text: str) -> str:
    """One line of plain text: no control characters, accents on their letters, ligatures and formulas in letters."""
    text = _ACCENTED.sub(lambda m: _DOTLESS.get(m[2], m[2]) + _ACCENTS[m[1]], text)
    text = unicodedata.normalize("NFC", text)
    text = re.sub("[\ufb00-\ufb06\U0001d400-\U0001d7ff]", lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = re.sub("[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]", " ", text)
    return " ".join(text.split())


def joined(texts: Iterable[str], words: frozenset[str] = frozenset()) -> str:
    """Lines as one paragraph. `words` of the whole paper decide whether a hyphen at a line's end stays."""
    result = ""
    for text in map(cleaned, texts):
        broken = _HYPHEN.search(result, max(0, len(result) - _LONGEST_WORD))
        if not result or not text:
            result += text
        elif broken and text[0].isalnum():
            following = re.match(r"\w+", text)
            whole = (broken[2] + (following[0] if following else "")).lower()
            kept = f"{broken[2]}-{following[0] if following else ''}".lower()
            result = (result if broken[1] or _keeps_hyphen(broken[2], text, whole, kept, words) else result[:-1]) + text
        elif is_ideographic(result[-1]) and is_ideographic(text[0]):
            result += text
        else:
            result += f" {text}"
    return result


def _keeps_hyphen(first: str, text: str, whole: str, kept: str, words: frozenset[str]) -> bool:
    if (whole in words) != (kept in words):
        return kept in words
    if not text[0].islower() or any(map(str.isdigit, first)):
        return True
    return first.lower() in _KEPT


def words_of(lines: Iterable[PdfLine]) -> frozenset[str]:
    """The words of the lines in lower case, without those at a line's end, which may be broken."""
    return words_in(line.text for line in lines)


def words_in(lines: Iterable[str]) -> frozenset[str]:
    """The same of lines that are texts."""
    words: set[str] = set()
    for line in lines:
        words.update(re.findall(r"[a-z]+(?:-[a-z]+)*", line.lower())[:-1])
    return frozenset(words)


def is_raised(span: PdfSpan, line: PdfLine) -> bool:
    """True for the small raised letters of a line."""
    return span.size < 0.8 * line.size and span.box[3] < (line.box[1] + line.box[3]) / 2 + 0.3 * line.size


def without_marks(line: PdfLine) -> str:
    """The text of a line without the small raised numbers of footnotes."""

    def is_mark(span: PdfSpan) -> bool:
        return is_raised(span, line) and bool(re.fullmatch(r"\s*[\d*†‡§,]{1,3}\s*", span.text))

    return "".join(span.text for span in line.spans if not is_mark(span))


def title_text(lines: Sequence[PdfLine]) -> str:
    """The lines of a title as one, with small caps in lower case."""
    texts = []
    for line in lines:
        text = ""
        for span in line.spans:
            small = span.size < 0.92 * line.largest and span.text.isupper() and len(text.strip()) > 0
            text += span.text.lower() if small else span.text
        texts.append(text)
    return joined(texts)
