"""The words of an original against those of its page, in order: what is lost, moved or there twice, and where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from paper_notes.features.importing.proof.page import PageWords, spaced
from paper_notes.features.importing.proof.visible import NUMBER, Part, Piece, words_of

RemovalKind = Literal["facts", "contents", "navigation", "title"]
_CONTENTS = frozenset("目录 目錄 目次 contents tableofcontents toc onthispage 本页目录 导航 outline".split())
_NAVIGATION = frozenset(
    "上一篇 下一篇 上一页 下一页 返回 返回目录 返回首页 首页 主页 目录 回到顶部 返回顶部"
    " home index back next prev previous up top backtotop backtoindex readme".split()
)
_LABELS = frozenset(
    "作者 日期 时间 创建 创建于 更新 更新于 标签 关键词 来源 链接 论文 笔记 阅读 阅读时间 精读 版本 状态"
    " 分类 机构 会议 年份 author authors date created updated tags tag keywords source link paper arxiv doi"
    " note notes version status category venue year written lastupdated by on".split()
)
"""Words of old meta lines that say what a value is: our pages say it in their own."""
_FIGURE = re.compile(r"(?:figure|fig|图|圖)(?=\d|\Z)")
_LARGE = 4_000
"""With more words than these on both sides, the longest common sequence is looked for between fixed points."""
_RUN = 8
"""So many words in a row are not there twice by chance."""
_LONG = 600
"""Of longer differences the letters are not compared."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What an importer leaves out of the text because the page says it in its own way: proven by its kind."""

    kind: RemovalKind
    text: str
    """As the original has it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of one part of an original that are not on its page, or not there as they were."""

    kind: Literal["lost", "moved", "twice"]
    part: Part
    number: int
    """Of the figure or table."""
    line: int
    words: tuple[str, ...]
    before: tuple[str, ...] = ()
    """Words before it that have arrived."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What has become of the words of an original."""

    words: int
    kept: int
    characters: int
    kept_characters: int
    differences: tuple[Difference, ...] = ()

    @property
    def lost(self) -> tuple[Difference, ...]:
        return tuple(difference for difference in self.differences if difference.kind == "lost")


@dataclass(frozen=True, slots=True)
class Known:
    """What else is known of a note than its text."""

    facts: Collection[str] = ()
    """Each value of note.yaml, of its topic and of its papers."""
    titles: Collection[str] = ()
    """Of all notes, to which navigation leads."""


def prove(pieces: Sequence[Piece], page: PageWords, known: Known = Known(), removals: Iterable[Removal] = ()) -> Proof:
    """Compare the pieces of an original with its page."""
    comparison = _Comparison(pieces, page, known)
    for removal in removals:
        comparison.remove(removal)
    comparison.facts()
    comparison.in_order()
    comparison.elsewhere()
    return comparison.proof()


class _Comparison:
    """The state of one comparison: which words of the original are accounted for."""

    def __init__(self, pieces: Sequence[Piece], page: PageWords, known: Known) -> None:
        self.page, self.known, self.pieces = page, known, pieces
        each = [words_of(piece.text) for piece in pieces]
        self.words = [word for words in each for word in words]
        self.piece_of = [at for at, words in enumerate(each) for _ in words]
        self.kept = [False] * len(self.words)
        self.starts = [0]
        for words in each:
            self.starts.append(self.starts[-1] + len(words))
        self.spare: list[list[str]] = []
        """Words of the page that no word of the original is, in rows."""
        self.moved: list[tuple[int, int]] = []

    def remove(self, removal: Removal) -> None:
        """Account for what was left out, as far as its kind allows."""
        shown = spaced(self.words)
        for line in removal.text.split("\n"):
            words = words_of(line)
            if not words or spaced(words) not in shown:
                continue
            start = self._find(words)
            if start is not None and self._is_said(removal.kind, words, line):
                self.kept[start : start + len(words)] = [True] * len(words)

    def _find(self, words: Sequence[str]) -> int | None:
        """The first place of the words that are not yet accounted for."""
        for start in range(len(self.words) - len(words) + 1):
            if self.words[start : start + len(words)] == words and not any(self.kept[start : start + len(words)]):
                return start
        return None

    def _is_said(self, kind: RemovalKind, words: Sequence[str], line: str) -> bool:
        bare = list(words)
        while bare and (bare[0].isdigit() or bare[0].startswith(NUMBER)):
            bare = bare[1:]
        joined = "".join(bare)
        match kind:
            case "contents":
                said = spaced(bare)
                return joined in _CONTENTS or not bare or any(said in heading for heading in self.page.headings)
            case "navigation":
                return joined in _NAVIGATION or any(joined == "".join(words_of(title)) for title in self.known.titles)
            case "title":
                return spaced(words) in (self.page.headings[0] if self.page.headings else "")
            case "facts":
                values = re.split(r"[·|•,，;；:：、()（）\[\]【】\t]+", line)
                return all(self._is_fact(value) for value in values)

    def _is_fact(self, value: str) -> bool:
        words = [word.lstrip("0") or word for word in words_of(value)]
        while (words and "".join(words[:2]) in _LABELS) or (words and words[0] in _LABELS):
            words = words[1:] if words[0] in _LABELS else words[2:]
        return not words or any(spaced(words) in fact for fact in self._facts())

    def _facts(self) -> Iterable[str]:
        if not hasattr(self, "_all_facts"):
            self._all_facts = [
                spaced([word.lstrip("0") or word for word in words_of(str(fact))]) for fact in self.known.facts
            ]
        return self._all_facts

    def facts(self) -> None:
        """Account for the front matter: each value is one of the facts, or within one."""
        for at, piece in enumerate(self.pieces):
            if piece.part == "fact" and self._is_fact(re.sub(r"(?<=\d)[T ]\d\d:\d\d[\d:.+ Z-]*", "", piece.text)):
                self._keep(self.starts[at], self.starts[at + 1])

    def _keep(self, start: int, end: int) -> None:
        self.kept[start:end] = [True] * (end - start)

    def in_order(self) -> None:
        """Account for the words that the page has in the same order."""
        own = [
            at
            for at, word in enumerate(self.words)
            if not self.kept[at] and not (piece := self.pieces[self.piece_of[at]]).is_tip and piece.part != "fact"
        ]
        a, b = [self.words[at] for at in own], self.page.words
        done_a = done_b = 0
        for start_a, start_b, size in (*_meaningful([*matches(a, b)], len(a), len(b), a), (len(a), len(b), 0)):
            gone, new = a[done_a:start_a], list(b[done_b:start_b])
            if gone:
                lost, new = _torn(gone, new)
                for at in range(len(gone)):
                    self.kept[own[done_a + at]] = at not in lost
            if new:
                self.spare.append(new)
            for at in range(start_a, start_a + size):
                self.kept[own[at]] = True
            done_a, done_b = start_a + size, start_b + size

    def elsewhere(self) -> None:
        """Account for what stands elsewhere on the page, word for word: moved there, or told of a picture."""
        spare = [spaced(words) for words in self.spare]
        tips = Counter(self.page.tips)
        for start, end in [*self._runs()]:
            wanted, piece = spaced(self.words[start:end]), self.pieces[self.piece_of[start]]
            if piece.is_tip:
                row = next((row for row in tips if tips[row] and wanted in row), None)
                if row is not None:
                    tips[row] -= wanted == row
                    self._keep(start, end)
                    continue
            if len(wanted) < 5 or (piece.part == "fact"):
                continue
            at = next((at for at, row in enumerate(spare) if wanted in row), None)
            if at is not None:
                spare[at] = spare[at].replace(wanted, " \0 ", 1)
                self._keep(start, end)
                if not piece.is_tip:
                    self.moved.append((start, end))
        self.spare = [row.split() for rows in spare for row in rows.split("\0")]

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Words in a row of one piece that are not accounted for."""
        start = 0
        while start < len(self.words):
            if self.kept[start]:
                start += 1
                continue
            end = start
            while end < len(self.words) and not self.kept[end] and self.piece_of[end] == self.piece_of[start]:
                end += 1
            yield start, end
            start = end

    def proof(self) -> Proof:
        """What is known now."""
        kept = [word for word, is_kept in zip(self.words, self.kept, strict=True) if is_kept]
        differences = [
            *self._differences("lost", self._runs()),
            *self._differences("moved", self.moved),
            *self._twice(),
        ]
        differences.sort(key=lambda difference: difference.line)
        sizes = sum(map(len, self.words)), sum(map(len, kept))
        return Proof(len(self.words), len(kept), *sizes, tuple(differences))

    def _differences(self, kind: Literal["lost", "moved"], runs: Iterable[tuple[int, int]]) -> Iterator[Difference]:
        """One for each figure, table, heading or line."""
        parts: dict[tuple[str, int, int], Difference] = {}
        for start, end in runs:
            piece = self.pieces[self.piece_of[start]]
            key = (piece.part, piece.number, 0) if piece.number else (piece.part, 0, piece.line)
            words = tuple(word.removeprefix(NUMBER) for word in self.words[start:end])
            if known := parts.get(key):
                parts[key] = Difference(kind, piece.part, piece.number, known.line, known.words + words, known.before)
            else:
                before = tuple(self.words[at] for at in range(max(0, start - 40), start) if self.kept[at])[-6:]
                parts[key] = Difference(kind, piece.part, piece.number, piece.line, words, before)
        yield from parts.values()

    def _twice(self) -> Iterator[Difference]:
        """Rows of words that the page has more often than the original."""
        rows = [row for row in self.spare if len(row) >= _RUN]
        if not rows:
            return
        original, page = spaced(self.words), spaced(self.page.words)
        for row in rows:
            said = spaced(row)
            if 0 < original.count(said) < page.count(said):
                start = len(original[: original.index(said)].split())
                piece = self.pieces[self.piece_of[start]]
                yield Difference("twice", piece.part, piece.number, piece.line, tuple(row))


def matches(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Rows of words that both have in the same order, as `SequenceMatcher` gives them: a longest common sequence.

    Exact, but where both are large: there rows of words that each has once are fixed points first.
    """
    waiting = [(0, len(a), 0, len(b))]
    found: list[tuple[int, int, int]] = []
    while waiting:
        start_a, end_a, start_b, end_b = waiting.pop()
        size = 0
        limit = min(end_a - start_a, end_b - start_b)
        while size < limit and a[start_a + size] == b[start_b + size]:
            size += 1
        if size:
            found.append((start_a, start_b, size))
        start_a, start_b, limit = start_a + size, start_b + size, limit - size
        size = 0
        while size < limit and a[end_a - size - 1] == b[end_b - size - 1]:
            size += 1
        if size:
            found.append((end_a - size, end_b - size, size))
        end_a, end_b = end_a - size, end_b - size
        if start_a == end_a or start_b == end_b:
            continue
        if (end_a - start_a) * (end_b - start_b) > _LARGE**2 and (
            points := _fixed_points(a[start_a:end_a], b[start_b:end_b])
        ):
            at_a, at_b = start_a, start_b
            for point_a, point_b in (*points, (end_a - start_a, end_b - start_b)):
                waiting.append((at_a, start_a + point_a, at_b, start_b + point_b))
                at_a, at_b = start_a + point_a, start_b + point_b
        else:
            found += _common(a, b, start_a, end_a, start_b, end_b)
    yield from _joined(sorted(found))


def _joined(rows: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    last = (0, 0, 0)
    for start_a, start_b, size in rows:
        if (last[0] + last[2], last[1] + last[2]) == (start_a, start_b):
            last = (last[0], last[1], last[2] + size)
        else:
            if last[2]:
                yield last
            last = (start_a, start_b, size)
    if last[2]:
        yield last


def _fixed_points(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places of rows of six words that each has once, as many as are in the same order (patience)."""
    rows_a, rows_b = _single(a), _single(b)
    pairs = sorted((place, rows_b[row]) for row, place in rows_a.items() if row in rows_b)
    ends: list[int] = []
    best: list[tuple[int, int]] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            if pairs[ends[middle]][1] < place:
                low = middle + 1
            else:
                high = middle
        before.append(ends[low - 1] if low else -1)
        ends[low:] = [at, *ends[low + 1 :]] if low < len(ends) else [at]
    at = ends[-1] if ends else -1
    while at >= 0:
        best.append(pairs[at])
        at = before[at]
    return [point for point in reversed(best) if point != (0, 0)]


def _single(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    rows: dict[tuple[str, ...], int] = {}
    for place, row in enumerate(zip(*(words[at:] for at in range(6)), strict=False)):
        rows[row] = -1 if row in rows else place
    return {row: place for row, place in rows.items() if place >= 0}


def _common(
    a: Sequence[str], b: Sequence[str], start_a: int, end_a: int, start_b: int, end_b: int
) -> Iterator[tuple[int, int, int]]:
    """A longest common sequence, by the bits of long integers (Hyyrö 2004): a row of the table is one operation."""
    if (end_a - start_a) * (end_b - start_b) > 40 * _LARGE**2:
        return
    masks: dict[str, int] = {}
    for at in range(start_b, end_b):
        masks[b[at]] = masks.get(b[at], 0) | 1 << (at - start_b)
    every = (1 << (end_b - start_b)) - 1
    row, rows = every, list[int]()
    for at in range(start_a, end_a):
        common = row & masks.get(a[at], 0)
        row = ((row + common) | (row - common)) & every
        rows.append(row)
    at_b = end_b - start_b - 1
    at_a = end_a - start_a - 1
    while at_a >= 0 and at_b >= 0:
        if rows[at_a] >> at_b & 1:
            at_b -= 1
        elif at_a and not rows[at_a - 1] >> at_b & 1:
            at_a -= 1
        else:
            yield start_a + at_a, start_b + at_b, 1
            at_a, at_b = at_a - 1, at_b - 1


def _meaningful(
    rows: Sequence[tuple[int, int, int]], end_a: int, end_b: int, a: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """The rows without a letter or two in the midst of lost words that also are among words which only the page has."""
    done_a = done_b = 0
    for at, (start_a, start_b, size) in enumerate(rows):
        next_a, next_b, _ = rows[at + 1] if at + 1 < len(rows) else (end_a, end_b, 0)
        gone = start_a - done_a, next_a - start_a - size
        new = start_b - done_b + next_b - start_b - size
        if size <= 2 and all(gone) and new and sum(map(len, a[start_a : start_a + size])) <= 2:
            continue
        done_a, done_b = start_a + size, start_b + size
        yield start_a, start_b, size


def _torn(gone: Sequence[str], new: Sequence[str]) -> tuple[set[int], list[str]]:
    """Which of the words that a difference takes away are lost; the others are only cut, or joined, in another place.

    And the words of the page that are none of these.
    """
    old, now = ("".join(words).replace(NUMBER, "").replace(".", "") for words in (gone, new))
    short = _FIGURE.sub("图", old)
    if not now:
        return {*range(len(gone))}, []
    if old in now or short in _FIGURE.sub("图", now) or (_is_formula(gone) and not Counter(old) - Counter(now)):
        return set(), []
    if len(old) > _LONG or len(now) > _LONG:
        return {*range(len(gone))}, [*new]
    covered = [False] * len(old)
    for start, at, size in SequenceMatcher(None, old, now, autojunk=False).get_matching_blocks():
        if size >= 4:
            covered[start : start + size] = [True] * size
            now = now[:at] + "\0" * size + now[at + size :]
    lost, start = set[int](), 0
    for at, word in enumerate(gone):
        size = len(word.replace(NUMBER, "").replace(".", ""))
        if not all(covered[start : start + size]):
            lost.add(at)
        start += size
    return lost, [*new] if len(lost) == len(gone) else [word for word in now.split("\0") if word]


def _is_formula(words: Sequence[str]) -> bool:
    """Whether these may be the signs of a formula, which pages may set in another order."""
    return sum(map(len, words)) <= 60 and all(len(word) <= 2 for word in words)
