"""Whether a claim says what its evidence says: numbers, formulas, names and labels, comparisons, negations, boasts.

A model is asked again with each sentence that is given back here, and in the end such claims are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from paper_notes.corpus.model import GlossaryTerm, Lang
from paper_notes.features.drafting.claims import PaperText, SourceWords
from paper_notes.features.drafting.formulas import FORMULA, difference, formulas_in
from paper_notes.features.verify.paper import folded_letters
from paper_notes.features.verify.quantities import Quantity, agreement, direction, quantities_in, values_in_words
from paper_notes.features.verify.statements import places_in, without_places
from paper_notes.features.verify.wording import boasts, saying
from paper_notes.patterns import regex
from paper_notes.values import Struct

_WORD = regex(r"[A-Za-z][A-Za-z0-9]*(?:[-.+'’][A-Za-z0-9]+)*")
_NO_NUMBER = regex(
    r"百分之|百分点|十分(?!之)|千万别|万一|一[致样般直些旦定方种个]|四舍五入|进一步|同一|第一|唯一|\b(?:half-precision|second-order)\b"
)
"""Words with number words in them that say no number."""
_STEP = regex(r"\A\d{1,3}[.)]\s+")
_CITED = regex(r"\[@[^\]]*\]")
_SIDE = regex(r"(?<!\bon )(?<!\bin )(?<!\bat )(?<!\bwith )(?<!\bfor )(?<![\w-])[A-Za-z][\w.+-]*\w")
"""A word that may be a side of a comparison, and not what both were tried on."""
_COMMON = frozenset(
    "the a an of in on at to for and or is are was were be been with by from as than that this these those it its we"
    " our which when while about but if so do does did can could may might will would also both each such into under"
    " between per via based using used uses use they their there then them has have had one two not no more most less"
    " paper authors author method methods approach work section table figure shows show shown report reports says"
    " propose proposes proposed present presents introduce introduces find finds thus hence because since where".split()
)
_CLAUSE_END = regex(r"[,;:.]\s|[，；：。]")
_WHOLE = 0.6
"""The part of a quotation's length from which a sentence says all of it."""
_SHARED = 0.34
"""The part of a sentence's words that its evidence has at least, where both are in one language."""
_FEW = 4


class Setting(Struct, frozen=True):
    """What claims are compared with, besides their evidence."""

    paper: PaperText
    lang: Lang
    title: str
    terms: tuple[GlossaryTerm, ...] = ()

    def in_english(self, text: str) -> str:
        """The text with the terms of the glossary in English, so that labels of tables can be found in it."""
        english = Lang("en")
        for term in sorted(self.terms, key=lambda term: -len(term.name[self.lang])):
            if not self.lang.startswith("en") and term.name[self.lang]:
                text = text.replace(term.name[self.lang], f" {term.name[english]} ")
        return text


def mistakes(text: str, evidence: Sequence[SourceWords], setting: Setting) -> Iterator[str]:
    """What a claim says that its evidence does not: a sentence each."""
    said = _CITED.sub(" ", _STEP.sub("", text))
    plain = setting.in_english(FORMULA.sub(lambda match: " " * len(match[0]), said))
    yield from _formulas(said, evidence)
    yield from _places(text, evidence, setting.paper)
    compares = any(len(_sides(plain, item, setting)) == 2 for item in evidence)
    yield from _numbers(without_places(said).replace("\0", " "), evidence, compares=compares)
    yield from _names(without_places(plain).replace("\0", " "), evidence, setting)
    yield from _labels(plain, evidence, setting.paper)
    yield from _exchanged(plain, evidence)
    yield from _compared(plain, evidence, setting)
    yield from _negated(plain, evidence, setting)
    yield from _boasts(plain, evidence)
    yield from _unsaid(plain, evidence, setting)


def is_unlinked(text: str, setting: Setting) -> bool:
    """Whether nothing of a claim can be compared with its evidence: another language, no name, number or formula."""
    plain = setting.in_english(_CITED.sub(" ", text))
    comparable = [*names_in(plain, ideographic=True), *quantities_in(text), *formulas_in(text)]
    terms = plain != _CITED.sub(" ", text)
    return not (setting.lang.startswith("en") or comparable or terms)


def _places(text: str, evidence: Sequence[SourceWords], paper: PaperText) -> Iterator[str]:
    """Tables and figures that a claim names, and that its evidence is not of and does not speak of."""
    known = {("table", item.table.upper()) for item in evidence if item.table}
    known |= {(place.kind, place.number.upper()) for item in evidence for place in places_in(item.words, "", 0)}
    quoted = [folded_letters(item.words) for item in evidence if not item.table]
    for place in places_in(text, "", 0):
        name = (place.kind, place.number.upper())
        captions = [part.title for part in paper.passages.parts if (part.kind, part.number.upper()) == name]
        is_quoted = any(words in folded_letters(caption) for caption in captions for words in quoted)
        if place.kind in ("table", "figure") and name not in known and not is_quoted:
            yield f"its evidence is not of {place.name}"


def _formulas(text: str, evidence: Sequence[SourceWords]) -> Iterator[str]:
    quoted = [item.words for item in evidence if not item.table]
    for tex in formulas_in(text):
        if not re.search(r"[A-Za-z\\]", tex) or re.fullmatch(r"[\d.,\s\\%]+", tex):
            continue  # a number, which is looked for as such
        differences = [difference(tex, words) for words in quoted]
        if not differences:
            yield f"${tex.strip()[:60]}$ needs a quotation of the printed formula"
        elif all(differences):
            yield f"${' '.join(tex.split())[:60]}$: {min(differences, key=len)}"


def _shown(evidence: Iterable[SourceWords]) -> str:
    """All that the evidence says, labels included."""
    return " | ".join(" ".join((item.words, *item.labels)) for item in evidence)


def _numbers(text: str, evidence: Sequence[SourceWords], *, compares: bool) -> Iterator[str]:
    text = FORMULA.sub(
        lambda match: match[0] if re.fullmatch(r"\$[\d.,\s\\%×x]+\$", match[0]) else " " * len(match[0]), text
    )
    shown = _shown(evidence)
    printed = [(item.words, quantity) for item in evidence for quantity in quantities_in(item.words, in_paper=True)]
    printed += [
        (label, quantity)
        for item in evidence
        for label in item.labels
        for quantity in quantities_in(label, in_paper=True)
    ]
    for number in quantities_in(text):
        pairs = [(agreement(number, quantity), words, quantity) for words, quantity in printed]
        same = [(words, quantity) for kind, words, quantity in pairs if kind == "same"]
        if not same:
            near = next((f", which has {quantity.text}" for kind, _, quantity in pairs if kind != "value"), "")
            spelled = number.value.normalize() in {*values_in_words(_NO_NUMBER.sub(" ", shown))}
            if not spelled:
                yield f"{number.text} is not in its evidence{near}"
        elif (
            not compares
            and (way := direction(text, number))
            and all(direction(words, quantity) == -way for words, quantity in same)
        ):
            yield f"{number.text}: its evidence says the opposite of rising or falling"
    known = {quantity.value.normalize() for _, quantity in printed} | {
        quantity.plain.normalize() for _, quantity in printed
    }
    known |= {*values_in_words(shown)}
    without_digits = re.sub(r"\d[\d.,]*\s?[十百千万亿]*", " ", text)  # and their scales: `20 万`
    for value in dict.fromkeys(values_in_words(_NO_NUMBER.sub(" ", without_digits))):
        if value > 1 and value not in known and Decimal(1) / value not in known:
            yield f"{value:f} in words is not in its evidence"


def names_in(text: str, *, ideographic: bool) -> list[str]:
    """Words that are names: with capitals or digits within; in Chinese text all that begin with a capital."""
    names = list[str]()
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        before = text[: match.start()].rstrip(" *_(\"“'‘")
        begins = not before or before[-1] in ".!?:;\n-|#"
        inner = any(sign.isupper() or sign.isdigit() for sign in word[1:])
        capital = word[:1].isupper() and len(word) > 1 and (ideographic or not begins)
        if inner or capital:
            names.append(word)
    return names


def _names(text: str, evidence: Sequence[SourceWords], setting: Setting) -> Iterator[str]:
    shown = f"{_shown(evidence)} {setting.title} {_captions(evidence, setting.paper)}"
    letters = folded_letters(shown)
    initials = "".join(word[0] for word in _WORD.findall(shown)).lower()
    for name in dict.fromkeys(names_in(text, ideographic=not setting.lang.startswith("en"))):
        plain = folded_letters(name)
        singular = plain[:-1] if plain.endswith("s") and len(plain) > 2 else plain
        short = name.removesuffix("s").isupper() and singular in initials
        if plain not in letters and singular not in letters and not short and name.lower() not in _COMMON:
            yield f'its evidence does not speak of "{name}"'


def _captions(evidence: Iterable[SourceWords], paper: PaperText) -> str:
    """The captions of the tables whose cells are evidence."""
    tables = (paper.tables.get(item.table.upper()) for item in evidence if item.table)
    return " ".join(table.caption for table in tables if table)


def _labels(text: str, evidence: Sequence[SourceWords], paper: PaperText) -> Iterator[str]:
    """Rows and columns of a table that a claim speaks of, and whose cells are not its evidence."""
    letters = folded_letters(text)
    known = folded_letters(_shown(evidence))
    for table in dict.fromkeys(item.table.upper() for item in evidence if item.table):
        cells = grid.cells if (grid := paper.tables.get(table)) else ()
        for label in dict.fromkeys(label for cell in cells for label in (*cell.row_path, *cell.column_path)):
            plain = folded_letters(label)
            if len(plain) > 3 and plain in letters and plain not in known:
                yield f'it speaks of "{label}", and its evidence is of another row or column of Table {table}'


def _exchanged(text: str, evidence: Sequence[SourceWords]) -> Iterator[str]:
    """Numbers of two rows (or columns) of a table that stand at each other's names."""
    cells = [item for item in evidence if item.table]
    labels = {label for item in cells for label in item.labels}
    shared = {label for label in labels if all(label in item.labels for item in cells)}
    mentions = sorted((match.start(), label) for label in labels - shared for match in _mentions(label, labels, text))
    mentions = [(at, label) for at, label in mentions if label]
    for kind in _axes(cells):
        named = [(at, label) for at, label in mentions if label in kind]
        numbers = [
            (number, {label for item in cells if _is_of(item, number) for label in item.labels if label in kind})
            for number in quantities_in(text)
        ]
        numbers = [(number, owners) for number, owners in numbers if len(owners) == 1]
        if len({label for _, label in named}) < 2 or not numbers:
            continue
        in_turn = [label for _, label in named][: len(numbers)]
        if len(named) == len(numbers) and all(
            label in owners for label, (_, owners) in zip(in_turn, numbers, strict=True)
        ):
            continue
        for number, owners in numbers:
            before = [label for at, label in named if at < number.start]
            after = [label for at, label in named if at > number.end]
            near = before[-1:] or after[:1]
            if near and near[0] not in owners:
                yield f"{number.text} is of {next(iter(owners))} in the table, and stands at {near[0]}"


def _mentions(label: str, labels: Iterable[str], text: str) -> Iterator[re.Match[str]]:
    """Where a text names a label, and no longer one that has it in itself."""
    words = [re.escape(word) for word in re.split(r"[\s\-‐–]+", label) if word]
    if not words or len(folded_letters(label)) < 2:
        return
    longer = [other for other in labels if other != label and folded_letters(label) in folded_letters(other)]
    for match in re.finditer(r"[\s\-‐–]*".join(words), text, re.IGNORECASE):
        whole = text[max(0, match.start() - 40) : match.end() + 40]
        if not any(folded_letters(other) in folded_letters(whole) for other in longer):
            yield match


def _axes(cells: Sequence[SourceWords]) -> list[set[str]]:
    """Labels that stand for each other: those at the same depth of the cells of a table."""
    axes = list[set[str]]()
    for depth in range(max((len(item.labels) for item in cells), default=0)):
        labels = {item.labels[depth] for item in cells if len(item.labels) > depth}
        if len(labels) > 1:
            axes.append(labels)
    return axes


def _is_of(cell: SourceWords, number: Quantity) -> bool:
    return any(agreement(number, printed) == "same" for printed in quantities_in(cell.words, in_paper=True))


def _compared(text: str, evidence: Sequence[SourceWords], setting: Setting) -> Iterator[str]:
    """Comparisons of two methods whose sides or whose outcome are exchanged."""
    for item in evidence:
        sides = _sides(text, item, setting)
        if len(sides) < 2:
            continue
        places = [_place(text, side, setting) for side in sides]
        outcome, other = (
            _outcome(text, places),
            _outcome(item.words, [_place(item.words, side, setting) for side in sides]),
        )
        if outcome and other and (outcome == other) != (places[0] < places[1]):
            yield f'it compares the other way round than "{item.words[:60]}"'
    cells = [
        (number, item) for number in quantities_in(text) for item in evidence if item.table and _is_of(item, number)
    ]
    order = bool(saying("larger").search(text)) - bool(saying("less").search(text))
    if order and len(cells) == 2 and len({item.labels for _, item in cells}) == 2:
        (first, _), (second, _) = cells
        if (first.value - second.value) * order < 0:
            yield f"{first.text} and {second.text} are the other way round"


def _sides(text: str, item: SourceWords, setting: Setting) -> list[str]:
    """The two that a sentence of the paper compares, as far as the text names them, in the order of the paper."""
    own = _own_name(setting)
    said = {
        _aliased(folded_letters(name), own) for name in names_in(text, ideographic=not setting.lang.startswith("en"))
    }
    names = [match[0] for match in _SIDE.finditer(item.words) if names_in(f"x {match[0]}", ideographic=True)]
    sides = [*dict.fromkeys(_aliased(folded_letters(name), own) for name in names)]
    if own and own not in sides and saying("ours").search(item.words):
        sides.insert(0, own)
    return [] if item.table else [side for side in sides if side in said][:2]


def _own_name(setting: Setting) -> str:
    """What the paper calls its method, if its title begins with that."""
    name, colon, _ = setting.title.partition(":")
    return folded_letters(name) if colon and len(name.split()) < 3 else ""


def _place(text: str, side: str, setting: Setting) -> int:
    """Where a text names a side of a comparison: as a side, or at least at all."""
    own = _own_name(setting)
    names = [*_SIDE.finditer(text), *_WORD.finditer(text)]
    same = (match.start() for match in names if _aliased(folded_letters(match[0]), own) == side)
    return next(same, len(text))


def _aliased(name: str, own: str) -> str:
    return own if name == f"{own}s" else name


def _outcome(text: str, places: Sequence[int]) -> int:
    """1 if the first that is named does better or has more, -1 if it is the other way round, 0 if neither or both.

    The words between the two count; if these say nothing, those of their clause, and then all.
    """
    start, end = min(places), max(places)
    clause = _CLAUSE_END.search(text, end)
    for part in (text[start:end], text[start : clause.start() if clause else len(text)], text):
        better, worse = bool(saying("better").search(part)), bool(saying("worse").search(part))
        if better != worse:
            return (better - worse) * (-1 if saying("beaten").search(part) else 1)
    return 0


def _negated(text: str, evidence: Sequence[SourceWords], setting: Setting) -> Iterator[str]:
    quoted = [f"{item.before[-24:]} {item.words}" for item in evidence if not item.table]
    if not quoted:
        return
    no, nearly_no = saying("no"), saying("no", "maybe-no")
    is_whole = setting.lang.startswith("en") and len(quoted) == 1 and len(text) > _WHOLE * len(quoted[0])
    said, printed = ([len(pattern.findall(part)) for pattern in (no, nearly_no)] for part in (text, quoted[0]))
    if is_whole and said[0] < printed[0] and said[1] < printed[1]:
        yield "its evidence says no more often: quote less, or say so"
        return
    if no.search(text) and not any(map(nearly_no.search, quoted)):
        yield "it says that something is not so, and its evidence does not"
    if all(map(no.search, quoted)) and not nearly_no.search(text):
        yield "its evidence says that something is not so, and it does not: quote less, or say so"


def _boasts(text: str, evidence: Sequence[SourceWords]) -> Iterator[str]:
    shown = _shown(evidence)
    for name, pattern in boasts().items():
        if (match := pattern.search(text)) and not pattern.search(shown):
            yield f'its evidence does not say "{match[0]}" ({name})'
    if (match := saying("reason").search(text)) and not saying("reason", "maybe-reason").search(shown):
        yield f'its evidence gives no reason, as "{match[0]}" does'


def _unsaid(text: str, evidence: Sequence[SourceWords], setting: Setting) -> Iterator[str]:
    """In English, sentences most of whose words are not in their evidence."""
    shown = f"{_shown(evidence)} {_captions(evidence, setting.paper)} {setting.title}"
    words = {stem for word in _WORD.findall(text) if (stem := _stem(word)) and word.lower() not in _COMMON}
    known = {_stem(word) for word in _WORD.findall(shown)}
    if setting.lang.startswith("en") and len(words) >= _FEW and len(words & known) < _SHARED * len(words):
        yield f"its evidence says nothing of {', '.join(sorted(words - known)[:5])}"


def _stem(word: str) -> str:
    """A word without its ending, so that `speeds` and `speeding` are one."""
    word = word.lower()
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "ly", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word
