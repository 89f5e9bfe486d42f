"""Who wrote a paper: the lines of names below its title, or the PDF's metadata if the first page bears them out.

Rather none than a wrong name: a line is believed only if all of it reads as names, and lines of which it is unclear
whether they are names or places make the whole unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex
from paper_notes.sources.pdf.document import PdfDocument, PdfLine, PdfPage
from paper_notes.sources.pdf.identity import ABSTRACT, NO_METADATA, title_lines
from paper_notes.sources.pdf.text import cleaned, is_raised, title_text
from paper_notes.values import Struct

_MARK = "\x1f"
"""Stands for footnote signs: it ends a name."""
_SIGNS = regex(
    r"\(\s*\d(?:\s*,\s*\d)*\s*\)|[\d*+†‡§¶‖#∗⋆★☆✉♠♣♥♦♯◦⊕⊗△▽◇○●⇤\x80-\x9f\ue000-\uf8ff]+(?:\s*,\s*(?=[\d*†‡§¶∗]))?|[\u00b9\u00b2\u00b3\u2070-\u2079]+"
)
_RAISED = regex(r"\s*[a-z\d,;*†‡§¶∗⋆+♯\s]{1,7}\s*")
_EMAIL = regex(r"[<(\[]?\s*(?:\{[^}]*\}|[\w.+-]+)\s*@\s*[\w.-]+\w\s*[>)\]]?|\S*(?:https?:|www\.)\S*")
_BETWEEN = regex(r"\s*(?:[,;，；、|·•]|\band\b|&|\bund\b|\bet\b|(?<=[\u4e00-\u9fff])和)\s*", re.IGNORECASE)
_DEGREE = regex(
    r"(?:ph\.?\s?d|m\.?\s?d|m\.?sc|b\.?sc|dr|prof|mba|(?:(?:life|senior|student|graduate)\s+)?(?:member|fellow)"
    r"|ieee|acm)\.?",
    re.IGNORECASE,
)
_BEFORE = regex(r"^(?:by|authors?|作\s*者|with contributions by)\s*[:：]?\s+", re.IGNORECASE)
_END = regex(
    r"^(?:(?:\d{1,2}|[IVX]{1,4})?[.:]?\s*introduction\b|contents\s*$|引\s*言|keywords?\b|index terms|关键词)",
    re.IGNORECASE,
)
_PARTICLES = frozenset(
    "van von de der den di da do del della dos du la le el al bin ben ibn ter ten zu zur af y e".split()
)
_SUFFIXES = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_WORD = regex(r"[^\W\d_]+(?:\.?[-‐'’ʼ.][^\W\d_]+)*\.?")
_PIECES = regex(r"[-‐'’ʼ.]")
_NO_NAME = frozenset(
    "university universität universitat université universite universidad universidade università universiteit"
    " institute institut instituto department dept school college faculty fakultät laboratory laboratories lab labs"
    " center centre zentrum research group team academy corporation corp inc ltd llc gmbh co company technologies"
    " technology technion sciences science engineering computing computer informatics statistics mathematics physics"
    " economics medicine hospital clinic foundation project society association ministry bank network systems software"
    " solutions international national federal state royal polytechnic politecnico eth epfl mit inria cnrs cmu ai"
    " street avenue road city province usa uk china germany france austria switzerland"
    " google microsoft meta deepmind openai amazon apple nvidia ibm adobe alibaba tencent bytedance baidu huawei"
    " intel facebook anthropic salesforce samsung sony siemens bosch twitter linkedin yahoo xerox bell debian"
    " brain associates industries initiative consortium collaboration contributors community"
    " equal contribution contributions corresponding advising technical report working paper draft"
    " preprint version revision release edition vignette guide manual tutorial introduction overview notes"
    " documentation handbook reference quick start package analysis method methods model models data journal"
    " proceedings conference workshop published under review submitted accepted copyright license confidential"
    " january february march april may june july august september october november december spring summer winter"
    " approach study survey review comparison theory application applications learning language neural deep large"
    " supplementary material appendix part volume series user users getting started"
    " the on in of for to at from by with using via"
    " north south east west new san los saint hong kong united".split()
)
"""Words of affiliations, titles, dates and places; of names hardly ever."""
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段漕钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪"
    "严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢骆岳齐尚莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席"
    "卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫來嵺苟全褚廉简娄盖符"
    "奚木穆党燕郎邸冀谈姬屠连郜晏栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝都巩稽井练仲乐虞卞封竺冼原官衣楚佟栗匡宗应台巫鞠僧桑荆谌银扬明沙薄伏岑习胥保和蔺"
)
_CHINESE = regex(r"(?:[\u4e00-\u9fff]\s*){2,4}")
_SMALL = regex(r"(?<!\S)[^\W\d_A-Z]{2,}(?=[.,;:]?(?!\S))")
"""A word in lower case that stands alone: not in an e-mail address, or in code."""
MOST_LINES = 60
"""The most lines between a title and the text: long lists of authors have 40."""


def authors(document: PdfDocument, pages: Sequence[PdfPage]) -> tuple[str, ...]:
    """The authors as the first page names them, else those of the metadata that it has too. Rather none than wrong."""
    first = pages[0]
    shown = byline(first)
    if shown:
        words = {word for page in pages for line in page.lines for word in _SMALL.findall(line.text)}
        if any(words.issuperset(re.findall(r"[^\W\d_]{2,}", name.lower())) for name in shown):
            shown = ()  # all of its words are also written small, as those of a subtitle
    known = _of_metadata(document.metadata.get("author", ""))
    page = folded_title(" ".join(_plain(line) for line in first.lines if line.upright))
    if not page:
        return known
    if not all(_surname(name) in page for name in known) or not (len(known) == 1 or all(map(is_name, known))):
        return shown
    return known if len(known) > len(shown) else shown


def _of_metadata(value: str) -> tuple[str, ...]:
    text = cleaned(value)
    if not text or NO_METADATA.search(text):
        return ()
    parts = re.split(r"\s*;\s*" if ";" in text else r"\s*,\s*(?:and\s+)?|\s+and\s+", text)
    names = tuple(part for part in parts if re.search(r"[^\W\d_]{2}", part))
    return names if all(len(name) < 60 and not re.search(r"[@\d]", name) for name in names) else ()


def _surname(name: str) -> str:
    return folded_title([word for word in name.split() if word not in _SUFFIXES][-1])


class _Row(Struct, frozen=True, dict=True):
    """A line below the title: of names, of a place, or unclear."""

    line: PdfLine

    @cached_property
    def text(self) -> str:
        return _EMAIL.sub(" ", _BEFORE.sub("", _plain(self.line))).strip(" -–—.")

    @cached_property
    def is_address(self) -> bool:
        """True for e-mail and web addresses: they end what is said of somebody."""
        return not self.text.strip(f"{_MARK} ,;{{}}()") or ("@" in self.line.text and not self.names)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What stands between signs, commas and `and`."""
        parts = (part.strip() for chunk in self.text.split(_MARK) for part in _BETWEEN.split(chunk))
        return tuple(part for part in parts if part and not _DEGREE.fullmatch(part))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of a line that has nothing else."""
        if self.text.startswith(_MARK) or not all(map(is_name, self.parts)):
            return ()
        return tuple(map(_in_lower_case, self.parts))

    @property
    def is_list(self) -> bool:
        """True if it has more than one name, or a sign of a footnote: a place has neither."""
        return len(self.parts) > 1 or _MARK in self.text

    @property
    def goes_on(self) -> bool:
        """True if it ends with a comma or `and`."""
        return bool(self.parts) and bool(re.search(rf"(?:[,;，；、·•&]|\band)[\s{_MARK}]*$", self.text))

    @property
    def style(self) -> tuple[int, bool, str]:
        """How it looks: names mostly look alike, and unlike places."""
        spans = [span for span in self.line.spans if span.text.strip() and not is_raised(span, self.line)]
        first = max(spans, key=lambda span: len(span.text.strip()), default=self.line.spans[0])
        return round(self.line.largest), first.bold, first.font


def byline(first: PdfPage) -> tuple[str, ...]:
    """The names below the title, in the order of reading; empty if there are none, or if it is not clear which."""
    rows = _mended(list(_below_title(first)))
    start = next((row for row in rows if row.names), None)
    if start is None or len(rows) > MOST_LINES:
        return ()
    names: list[str] = []
    last: _Row | None = None
    for row in rows:
        if row.style != start.style or not row.names:
            if last and last.goes_on and row.style == start.style and not row.is_address:
                return ()  # the list goes on with something that is no name
            if row.text.startswith(_MARK) and names:
                break  # what the signs mean: places, and remarks
            continue
        if any(other.style == row.style and _beside(other, row) and not other.names for other in rows):
            return ()
        above = _above(row, rows)
        if above and above.style == row.style and not above.is_address and _near(above, row):
            goes_on = above.goes_on or (above.is_list and row.is_list)
            if not (above.names and goes_on):
                return ()  # a name, or a place?
        if any(_above(other, rows) is row and _goes_on_in_words(row, other) for other in rows):
            return ()
        names += row.names
        last = row
    return tuple(names) if len(set(names)) == len(names) and not (last and last.goes_on) else ()


def _below_title(first: PdfPage) -> Iterator[_Row]:
    """The lines between the title and the text, in rows from left to right."""
    title = title_lines(first)
    if not title:
        return
    bottom, size = max(line.box[3] for line in title), title[0].largest
    lines = [line for line in first.lines if line.upright and line.box[1] > bottom - 0.4 * size]
    lines = sorted(
        (line for line in lines if line not in title), key=lambda line: (round(line.box[1] / 3), line.box[0])
    )
    for line in lines:
        text = title_text([line])
        if ABSTRACT.match(text) or _END.match(text) or line.box[1] > 0.7 * first.height:
            return
        row = _Row(line)
        if len(text.split()) > 9 and len(row.parts) < 3 and not row.is_address:
            return  # running text
        if abs(line.largest - size) >= 0.8 or row.names:
            yield row


def _mended(rows: Sequence[_Row]) -> list[_Row]:
    """The rows with names in one piece that are broken between two: `Laurent Sifre and John` + `Jumper`."""
    mended: list[_Row] = []
    for row in rows:
        before = mended[-1] if mended else None
        if before and before.style == row.style and _near(before, row) and len(before.parts) > 1 and not before.goes_on:
            half = before.parts[-1]
            broken = not is_name(half) and all(map(is_name, before.parts[:-1])) and not before.text.endswith(_MARK)
            whole = _Row(_together(before.line, row.line)) if broken and not row.text.startswith(_MARK) else None
            if whole and whole.names:
                mended[-1] = whole
                continue
        mended.append(row)
    return mended


def _together(first: PdfLine, second: PdfLine) -> PdfLine:
    space = first.spans[-1]
    spans = (*first.spans, type(space)(" ", space.size, space.font, space.bold, space.box), *second.spans)
    return PdfLine(
        spans, (second.box[0], first.box[1], max(first.box[2], second.box[2]), second.box[3]), first.block, True
    )


def _above(row: _Row, rows: Sequence[_Row]) -> _Row | None:
    """The nearest line above in the same column."""
    left, top, right, _ = row.line.box
    above = [r for r in rows if r.line.box[1] < top - 3 and r.line.box[0] < right and r.line.box[2] > left]
    return max(above, key=lambda r: r.line.box[3], default=None)


def _beside(one: _Row, other: _Row) -> bool:
    return abs(one.line.box[1] - other.line.box[1]) < 3


def _goes_on_in_words(row: _Row, below: _Row) -> bool:
    """True if the line below begins in lower case: both are a subtitle. Names are rarely larger than 15 points."""
    near = _near(row, below) or row.line.size > 15
    return near and below.style == row.style and below.text[:1].islower() and not (below.names or below.is_address)


def _near(above: _Row, below: _Row) -> bool:
    return below.line.box[1] - above.line.box[3] < 0.6 * below.line.size


def _plain(line: PdfLine) -> str:
    """The text of a line, with a mark for each footnote sign."""
    pieces = []
    for span in line.spans:
        raised = is_raised(span, line) and _RAISED.fullmatch(span.text)
        pieces.append(_MARK if raised else _SIGNS.sub(_MARK, span.text))
    return _MARK.join(cleaned(piece) for piece in "".join(pieces).split(_MARK))


def is_name(text: str) -> bool:
    """True if the words read as the name of one person: `Ann B. Author`, `Bo van der Berg, Jr.`, `王小明`."""
    if _CHINESE.fullmatch(text):
        letters = "".join(text.split())
        return letters[0] in _SURNAMES and len(letters) < 4
    words = [word for word in text.split() if word not in _SUFFIXES]
    if not 2 <= len(words) <= 6 or words[0] in (*_PARTICLES, "A") or words[-1] in _PARTICLES:
        return False
    whole = [word for word in words if word.lower() not in _PARTICLES]
    if not all(
        _WORD.fullmatch(word) and word[0].isupper() and word.lower().rstrip(".,") not in _NO_NAME for word in whole
    ):
        return False
    garbled = any(
        sum(map(str.isupper, word)) > 2 and not word.isupper() for part in whole for word in _PIECES.split(part)
    )
    return len(words[-1].strip(".")) > 1 and not garbled


def _in_lower_case(name: str) -> str:
    """The name as it is written in text: some journals set it in capitals."""
    if _CHINESE.fullmatch(name):
        return "".join(name.split())
    return name.title() if name.isupper() and len(name) > 5 else name
