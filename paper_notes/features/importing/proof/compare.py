"""The words of an original against those of its page, in order: what is lost, moved or there twice, and where."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import dropwhile
from typing import Literal, NamedTuple

from paper_notes.features.importing.proof.visible import NUMBER, PageWords, Part, VisiblePart, spaced, words_of
from paper_notes.patterns import regex
from paper_notes.typography import is_ideographic
from paper_notes.values import Struct, replace

RemovalKind = Literal[
    "facts", "contents", "navigation", "title", "list-marker", "label", "page-frame", "dropped-element"
]
"""What says it instead. Nothing says a `page-frame`, which stands before or behind all of the text, and a
`dropped-element`, which the user's own table of classes leaves out."""
_CONTENTS = regex(r"(?:目录|目錄|目次|本页|内容|导航|table|of|contents?|toc|on|this|page|outline)+")
_NAVIGATION = frozenset(
    "上一篇 下一篇 上一页 下一页 上一章 下一章 返回 返回目录 返回首页 首页 主页 目录 回到顶部 返回顶部"
    " home index back next prev previous up top backtotop backtoindex readme github editongithub editthispage editpage"
    " viewsource viewpagesource showsource pagesource 编辑本页 编辑此页 在github上编辑".split()
)
_LABELS = frozenset(
    "作者 日期 时间 创建 创建于 更新 更新于 最后更新 最后更新于 最后修改 修订于 写于 标签 关键词 来源"
    " 链接 论文 笔记 阅读 阅读时间 精读 版本 状态 分类 机构 会议"
    " 年份 author authors date created updated tags tag keywords source link paper arxiv pdf doi note notes version"
    " status category venue year written last by on".split()
)
"""Words of old meta lines that say what a value is: our pages say it in their own."""
_STATES = {
    "read": "done finished complete completed 已读 读完 已读完 完成 已完成 已精读 精读".split(),
    "reading": "inprogress doing started current 在读 正在读 阅读中 进行中".split(),
    "todo": "todo toread unread notstarted backlog inbox later 未读 待读 想读 未开始 待办".split(),
    "revisit": "reread review toreview 重读 待重读 再读".split(),
}
_SAME = {word: state for state, words in _STATES.items() for word in words}
"""States of reading in the words of others, and what note.yaml calls them."""
_LABEL = regex(r"\s*[^:：]{1,24}[:：](?!//)\s*(?=\S)")
_BETWEEN = regex(r"[·|•,，;；、()（）\[\]【】\t]+|\s[-–—/]\s")
_MONTHS = "january february march april may june july august september october november december".split()
_DAY = regex(
    r"(?P<y>\d{4})\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})(?:\s*日)?"
    r"|(?P<name>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2}),? (?P<year>\d{4})"
    r"|(?<=[\d日])[T ]+\d{1,2}:\d\d[\d:.+ Z-]*(?:[AP]M)?"
)
_FIGURE = regex(r"(?:figure|fig|图|圖)(?=\d|\Z)")
_LARGE = 100
"""With more words than these on both sides, the longest common sequence is looked for between fixed points."""
_TOO_LARGE = 25_000
"""With so many words on both sides and no fixed point between them, none is looked for."""
_RUN = 8
"""So many words in a row are not there twice by chance."""
_FEW = 2
"""So many letters that both have may be alike by chance."""
_ENOUGH = 4
"""So many letters in a row are a part of a word that was cut, or joined, in another place."""
_IN_A_ROW = 3
"""So many words in a row are not on a page by chance, if it has them as often as the original."""
_SHORT = 5
"""Shorter rows of words, with their blanks, are not looked for elsewhere."""
_BEFORE = 6
"""So many words before a lost one say where it was."""
_APART = r"(?:<[^<>]*>|[^\w<])*"
"""What may stand between two words: signs and tags."""
_LONG = 600
"""Of longer differences the letters are not compared."""


class Removed(Struct, frozen=True):
    """Words that an importer leaves out of the text because the page says them in its own way: proven by their kind."""

    kind: RemovalKind
    words: str
    """As the original has them, those that do not stand together on lines of their own."""
    line: int = 1
    """Of the original, on which they begin or before it."""


class Difference(Struct, frozen=True):
    """Words of one part of an original that are not on its page, or not there as they were."""

    kind: Literal["lost", "moved", "twice"]
    part: Part
    number: int
    """Of the figure or table."""
    line: int
    words: tuple[str, ...]
    before: tuple[str, ...] = ()
    """Words before it that have arrived."""
    column: int = 1
    """Of its first word, where that can be found on the line."""


class Proof(Struct, frozen=True):
    """What has become of the words of an original."""

    words: int
    """Without those that were left out on purpose."""
    kept: int
    characters: int
    kept_characters: int
    left_out: int = 0
    """Words that were, each proven by its kind."""
    differences: tuple[Difference, ...] = ()

    @property
    def lost(self) -> tuple[Difference, ...]:
        return tuple(difference for difference in self.differences if difference.kind == "lost")


NO_PROOF = Proof(0, 0, 0, 0)


class Known(Struct, frozen=True):
    """What else is known of a note than its text."""

    facts: Collection[str] = ()
    """Each value of note.yaml, of its topic and of its papers."""
    titles: Collection[str] = ()
    """Of all notes, to which navigation leads: the letters of their words."""


def with_columns(proof: Proof, original: str) -> Proof:
    """The proof with the place of each difference on its line: a page may be a single long one."""
    lines = original.split("\n")
    return replace(
        proof,
        differences=tuple(
            replace(difference, column=_column("".join(lines[difference.line - 1 : difference.line]), difference))
            for difference in proof.differences
        ),
    )


def _column(line: str, difference: Difference) -> int:
    """Where the words stand, and of several such places behind the word before them."""
    row = _APART.join(map(re.escape, difference.words[:_IN_A_ROW]))
    behind = "".join(f"{re.escape(word)}{_APART}" for word in difference.before[-1:])
    hits = (re.search(rf"{before}({row})", line, re.IGNORECASE) for before in (behind, ""))
    return next((hit.start(1) + 1 for hit in hits if hit), 1)


def prove(
    pieces: Sequence[VisiblePart], page: PageWords, known: Known = Known(), removals: Iterable[Removed] = ()
) -> Proof:
    """Compare the pieces of an original with its page."""
    comparison = _Comparison(pieces, page, known)
    numbers: list[Removed] = []
    for removal in removals:
        if removal.kind == "list-marker":
            numbers.append(removal)  # a line may have `1` twice: what the page has tells which one is meant
        else:
            comparison.remove(removal)
    comparison.facts()
    comparison.in_order()
    for removal in numbers:
        comparison.remove(removal)
    comparison.around()
    comparison.elsewhere()
    return comparison.proof()


class _Comparison:
    """The state of one comparison: which words of the original are accounted for."""

    def __init__(self, pieces: Sequence[VisiblePart], page: PageWords, known: Known) -> None:
        self.page, self.known, self.pieces = page, known, pieces
        each = [[words_of(line) for line in piece.text.split("\n")] for piece in pieces]
        self.words = [word for lines in each for words in lines for word in words]
        self.piece_of = [at for at, lines in enumerate(each) for words in lines for _ in words]
        self.line_of = [
            piece.line + at
            for piece, lines in zip(pieces, each, strict=True)
            for at, words in enumerate(lines)
            for _ in words
        ]
        self.kept = [False] * len(self.words)
        self.left_out = [False] * len(self.words)
        self._facts = [spaced([word.lstrip("0") or word for word in words_of(str(fact))]) for fact in known.facts]
        self._all_facts = "".join(self._facts).replace(" ", "")
        self.starts = [0]
        for lines in each:
            self.starts.append(self.starts[-1] + sum(map(len, lines)))
        is_title = spaced(self.words[: self.starts[1]]) in page.headings[:1] if pieces else False
        self.title = self.starts[1] if is_title else 0
        """How many words at the beginning are the title."""
        self.spare: list[list[str]] = []
        """Words of the page that no word of the original is, in rows."""
        self.moved: list[tuple[int, int]] = []
        self.frame: list[tuple[int, int]] = []
        """Words that are said to stand around the text."""

    def remove(self, removal: Removed) -> None:
        """Account for what was left out, as far as its kind allows."""
        place = bisect_left(self.line_of, removal.line) if removal.line > 1 else 0
        if removal.kind == "page-frame" or (self.line_of and self.line_of[0] > removal.line > 1):
            place = max(place, self.title)  # the title is before all, wherever it stands
        first = place
        for line in removal.words.split("\n"):
            words = words_of(line)
            start = self._find(words, place) if words else None
            if words and start is None and place > first:  # the line before it was found further down
                start = self._find(words, first)
            if words and start is None and (bare := list(dropwhile(str.isdigit, words))) != words:
                end = self._find(bare, place) if bare else None  # the number of a heading is one word
                start = end - 1 if end and self.words[end - 1].startswith(NUMBER) else None
                words = words[-len(bare) - 1 :]
            if start is not None:
                place = start + len(words)
                if self._is_said(removal.kind, start, place, line):
                    self._keep(start, place)
                    self.left_out[start:place] = [True] * len(words)

    def _find(self, words: Sequence[str], at: int) -> int | None:
        """The first place from one on of the words that are not yet accounted for."""
        size = len(words)
        with suppress(ValueError):
            while True:
                at = self.words.index(words[0], at)
                if self.words[at : at + size] == words and not any(self.kept[at : at + size]):
                    return at
                at += 1
        return None

    def _is_said(self, kind: RemovalKind, start: int, end: int, line: str) -> bool:
        words = self.words[start:end]
        bare = words[next((at for at, word in enumerate(words) if not word.isdigit()), len(words)) :]
        joined, links = "".join(bare), {self.pieces[at].link for at in self.piece_of[start:end]}
        match kind:
            case "contents":
                is_heading = any(spaced(bare) in heading for heading in self.page.headings)
                return is_heading or not bare or "" not in links or bool(_CONTENTS.fullmatch(joined))
            case "navigation":
                return "" not in links or joined in _NAVIGATION or joined in self.known.titles
            case "label":
                return len(words) <= _ENOUGH
            case "list-marker":
                return all(word.isdigit() for word in words)
            case "page-frame":
                self.frame.append((start, end))
            case "title":
                return spaced(words) in (self.page.headings[0] if self.page.headings else "")
            case "facts":
                values = (_LABEL.sub("", value, count=1) for value in _BETWEEN.split(_days(line)))
                return all(self._is_fact(value, _LABELS) for value in values)
        return True

    def _is_fact(self, value: str, labels: Collection[str] = ()) -> bool:
        words = [word.lstrip("0") or word for word in words_of(value)]
        while words and (label := next((size for size in (4, 3, 2, 1) if "".join(words[:size]) in labels), 0)):
            words = words[label:]
        same = spaced(words_of(_SAME.get("".join(words), "\0")))
        if not words or any(spaced(words) in fact or same == fact for fact in self._facts):
            return True
        if len(words) > 1 and all(spaced([word]) in self._facts for word in words):
            return True  # tags with blanks between them
        return len("".join(words)) > _ENOUGH and "".join(words) in self._all_facts  # and without

    def facts(self) -> None:
        """Account for the front matter: each value is one of the facts, or within one."""
        for at, piece in enumerate(self.pieces):
            if piece.part == "fact" and any(map(self._is_fact, (piece.text, _days(piece.text)))):
                self._keep(self.starts[at], self.starts[at + 1])

    def _keep(self, start: int, end: int) -> None:
        self.kept[start:end] = [True] * (end - start)

    def in_order(self) -> None:
        """Account for the words that the page has in the same order."""
        own = [
            at
            for number, piece in enumerate(self.pieces)
            if not piece.is_tip and piece.part != "fact"
            for at in range(self.starts[number], self.starts[number + 1])
            if not self.kept[at]
        ]
        a, b = [self.words[at] for at in own], self.page.words
        for gap in _gaps(a, b):
            gone, page = a[gap.start_a : gap.end_a], b[gap.start_b : gap.end_b]
            lost, new = _torn(gone, page) if gone else (set[int](), [*page])
            for at, place in enumerate(own[gap.start_a : gap.end_a]):
                self.kept[place] = at not in lost
            self.spare += [new] if new else []
            for place in own[gap.end_a : gap.end_a + gap.same]:
                self.kept[place] = True

    def around(self) -> None:
        """Take words for lost that are said to stand around the text, and stand in it."""
        frame = {at for start, end in self.frame for at in range(start, end)}
        text = [at for at in range(self.title, len(self.words)) if self.kept[at] and at not in frame]
        for start, end in self.frame:
            if text and text[0] < start < text[-1]:
                self.kept[start:end] = self.left_out[start:end] = [False] * (end - start)

    def elsewhere(self) -> None:
        """Account for what stands elsewhere on the page, word for word: moved there, or told of a picture."""
        spare, tips = [spaced(words) for words in self.spare], Counter(self.page.tips)
        original, page = spaced(self.words), spaced(self.page.words)
        for start, end in [*self._runs()]:
            wanted, piece = spaced(self.words[start:end]), self.pieces[self.piece_of[start]]
            told = [] if piece.is_tip or piece.part == "figure" else [(start, end)]
            tip = next((row for row in tips if tips[row] and wanted in row), None) if piece.is_tip else None
            if tip is not None:
                tips[tip] -= wanted == tip
            elif end - start >= (1 if piece.part == "figure" else _IN_A_ROW) and page.count(wanted) >= original.count(
                wanted
            ):
                self.moved += told
            elif len(wanted) >= _SHORT or piece.part in ("fact", "figure"):
                at = next((at for at, row in enumerate(spare) if wanted in row), None)
                if at is None:
                    continue
                spare[at] = spare[at].replace(wanted, " \0 ", 1)
                self.moved += told
            else:
                continue
            self._keep(start, end)

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Words in a row of one piece that are not accounted for."""
        start = 0
        with suppress(ValueError):  # at the end of the words
            while True:
                start = end = self.kept.index(False, start)
                while end < self.starts[self.piece_of[start] + 1] and not self.kept[end]:
                    end += 1
                yield start, end
                start = end

    def proof(self) -> Proof:
        """What is known now."""
        counted = [at for at, is_left_out in enumerate(self.left_out) if not is_left_out]
        words = [self.words[at] for at in counted]
        kept = [self.words[at] for at in counted if self.kept[at]]
        differences = [
            *self._differences("lost", self._runs()),
            *self._differences("moved", self.moved),
            *self._twice(),
        ]
        differences.sort(key=lambda difference: difference.line)
        sizes = sum(map(len, words)), sum(map(len, kept))
        return Proof(len(words), len(kept), *sizes, len(self.words) - len(words), tuple(differences))

    def _differences(self, kind: Literal["lost", "moved"], runs: Iterable[tuple[int, int]]) -> Iterator[Difference]:
        """One for each figure, table, heading or line."""
        parts: dict[tuple[str, int, int], Difference] = {}
        for at in (at for start, end in runs for at in range(start, end)):
            piece, line, word = self.pieces[self.piece_of[at]], self.line_of[at], self.words[at].removeprefix(NUMBER)
            key = (piece.part, piece.number, 0 if piece.number else line)
            if known := parts.get(key):
                parts[key] = replace(known, words=(*known.words, word))
            else:
                before = tuple(self.words[at] for at in range(max(0, at - 40), at) if self.kept[at])[-_BEFORE:]
                parts[key] = Difference(kind, piece.part, piece.number, line, (word,), before)
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
                yield Difference("twice", piece.part, piece.number, self.line_of[start], tuple(row))


def _days(text: str) -> str:
    """The text with days as note.yaml has them, without the time."""

    def day(match: re.Match[str]) -> str:
        if match["y"]:
            return f"{match['y']}-{match['m']:0>2}-{match['d']:0>2} "
        name = (match["name"] or "").lower()
        month = next((at for at, month in enumerate(_MONTHS, 1) if name and month.startswith(name)), 0)
        return f"{match['year']}-{month:02}-{match['day']:0>2} " if month else match[0] if name else " "

    return _DAY.sub(day, text)


def matches(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Rows of words that both have in the same order, as `SequenceMatcher` gives them: a longest common sequence.

    Exact, but where both are large: there rows of words that each has once are fixed points first.
    """
    waiting = [(0, len(a), 0, len(b))]
    rows: list[tuple[int, int, int]] = []
    while waiting:
        start_a, end_a, start_b, end_b = waiting.pop()
        size = 0
        limit = min(end_a - start_a, end_b - start_b)
        while size < limit and a[start_a + size] == b[start_b + size]:
            size += 1
        if size:
            rows.append((start_a, start_b, size))
        start_a, start_b, limit = start_a + size, start_b + size, limit - size
        size = 0
        while size < limit and a[end_a - size - 1] == b[end_b - size - 1]:
            size += 1
        if size:
            rows.append((end_a - size, end_b - size, size))
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
            rows += _common(a, b, start_a, end_a, start_b, end_b)
    yield from _joined(sorted(rows))


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
    places: list[int] = []
    """Of the ends, in `b`."""
    best: list[tuple[int, int]] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        low = bisect_left(places, place)
        before.append(ends[low - 1] if low else -1)
        ends[low : low + 1], places[low : low + 1] = [at], [place]
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
    if (end_a - start_a) * (end_b - start_b) > _TOO_LARGE**2:
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


class _Gap(NamedTuple):
    """Words that the two do not have in the same order, and how many behind them they have."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    same: int


def _gaps(a: Sequence[str], b: Sequence[str]) -> Iterator[_Gap]:
    """The differences. A letter or two between them that both have is none of the same where it is so by chance."""
    rows = [*matches(a, b), (len(a), len(b), 0)]
    done_a = done_b = at = 0
    while at < len(rows):
        last = at
        while last + 1 < len(rows) and sum(map(len, a[rows[last][0] : rows[last][0] + rows[last][2]])) <= _FEW:
            last += 1
        gone, new = a[done_a : rows[last][0]], b[done_b : rows[last][1]]
        short = sum(row[2] for row in rows[at:last])
        whole = short < min(len(gone), len(new)) and short > 0 and _is_same(_letters(gone), _letters(new), gone)
        for place in range(last if whole else at, last + 1):
            start_a, start_b, size = rows[place]
            if place < last:
                left = start_a - done_a, rows[place + 1][0] - start_a - size
                more = start_b - done_b + rows[place + 1][1] - start_b - size
                if all(left) and more:
                    continue
            yield _Gap(done_a, start_a, done_b, start_b, size)
            done_a, done_b = start_a + size, start_b + size
        at = last + 1


def _torn(gone: Sequence[str], new: Sequence[str]) -> tuple[set[int], list[str]]:
    """Which of the words that a difference takes away are lost; the others are only cut, or joined, in another place.

    And the words of the page that are none of these.
    """
    old, now = _letters(gone), _letters(new)
    if not now:
        return {*range(len(gone))}, []
    if old in now:
        start = now.index(old)
        used = _covered(new, range(start, start + len(old)))
        return set(), [word for at, word in enumerate(new) if at not in used]
    if _is_same(old, now, gone):
        return set(), []
    if len(old) > _LONG or len(now) > _LONG:
        return {*range(len(gone))}, [*new]
    rows = SequenceMatcher(None, old, now, autojunk=False).get_matching_blocks()
    rows = [row for row in rows if row.size >= _ENOUGH or old[row.a : row.a + row.size] in new]
    arrived = _covered(gone, {at for row in rows for at in range(row.a, row.a + row.size)})
    used = _covered(new, {at for row in rows for at in range(row.b, row.b + row.size)})
    return {*range(len(gone))} - arrived, [word for at, word in enumerate(new) if at not in used]


def _covered(words: Sequence[str], letters: Collection[int]) -> set[int]:
    """The places of words all of whose letters are at these places of the words in a row."""
    covered, start = set[int](), 0
    for at, word in enumerate(words):
        end = start + len(_letters([word]))
        if all(letter in letters for letter in range(start, end)):
            covered.add(at)
        start = end
    return covered


def _letters(words: Iterable[str]) -> str:
    return "".join(words).replace(NUMBER, "").replace(".", "")


def _is_same(old: str, now: str, words: Sequence[str]) -> bool:
    """Whether all letters are there: in a row, or as the signs of a formula, which pages may set in another order."""
    if _FIGURE.sub("图", old) in _FIGURE.sub("图", now):
        return True
    is_formula = len(old) <= 60 and all(len(word) <= 2 and not is_ideographic(word) for word in words)
    return is_formula and not Counter(old) - Counter(now)
