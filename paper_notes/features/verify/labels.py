"""Which labels of a table a text speaks of: in full, in short, translated, in the words of the glossary.

`Q3-8B` is `Qwen3-8B`, `平均` is `Avg.`, `2Wiki` is `2WikiMultihopQA`. Of labels that share words, a text names those
that have most of its words: `EAGLE-3` is not `EAGLE-2`, `DFlash` may be `DFlash (16)` and `DFlash (10)`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from paper_notes.features.verify.quantities import folded
from paper_notes.features.verify.wording import table_of_words
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_STOPS = frozenset(
    "of the a an in on at for and or with by from as to is are w per vs this that its be used result results".split()
)
_WEAK = frozenset("token tokens step steps model models method data =memory =time =training =code size number".split())
"""Words that name a label only together with another one of it, or if it has no other."""
_ATOM = regex(
    r"[a-z]+-[a-z](?![a-z\d])|[A-Za-zµμÀ-ɏ]+(?:'[a-z]+)?|@?\d+(?:,\d{3})*(?:\.\d+)?(?:[A-Za-z]{1,2}(?![A-Za-z]))?|[α-ωΑ-Ω]"
)
_GAP = regex(r"[\s\-_=:：/+(（)），、,.@'’\"*]{0,3}")
_HYPHENED = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]{2,})+")
_AND_MORE, _AND_BEFORE = regex(r"\s?\+\s?[A-Za-z]"), regex(r"[A-Za-z]\s?\+\s?$")
"""Around a name that is a part of another one."""
_SETTING = regex(r"(?:\b(?:at|with|size)|[在为取])\s?$", re.IGNORECASE)
"""What stands before a number that names a column of numbers: `1.38x with 64`."""
Level = tuple[str, int]
"""`row`, `column` or `caption`, and how far from the innermost label."""
_MEANS = regex(
    r"\b([A-Z][A-Za-z0-9-]{0,7})\s(?:represents?|denotes?|stands? for|refers? to|means|=|is short for)\s"
    r"([A-Za-z][\w.\- ]{1,40}?)(?=[,;.)]\s|[,;.)]?$|\sand\b)"
)
"""What a caption says of short labels: `L31 represents LLaMA-Instruct 3.1`."""
_EQUALS = regex(r"\s?=\s?[\d.]")
_FIRST, _SHORT = 3, 12
"""Letters that tell a word by its beginning, and characters between `batch size` and its number."""


class Atom(Struct, frozen=True):
    """A word, a number, or a term of several words, in the form that all its spellings have."""

    start: int
    end: int
    text: str


class Vocabulary:
    """Words with the same meaning: those of every collection, and those of its glossary."""

    def __init__(self, terms: Iterable[Sequence[str]] = ()) -> None:
        """Each of the terms is a name with its other names."""
        self._forms: dict[str, str] = {}
        for group in (*(group.split("|") for group in table_of_words()["same"]), *terms):
            names = [name.lower() for name in group if name.strip()]
            known = next((self._forms[name] for name in names if name in self._forms), f"={names[0]}" if names else "")
            for name in names:
                self._forms.setdefault(name, known)
        self._memo: dict[str, tuple[Atom, ...]] = {}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted(self._forms, key=len, reverse=True)
        return re.compile(
            "|".join(f"(?<![a-z]){re.escape(n)}(?![a-z])" if n[:1].isascii() else re.escape(n) for n in names)
        )

    def atoms(self, text: str) -> tuple[Atom, ...]:
        """The words of a text in order."""
        if text not in self._memo:
            low, atoms, done = folded(text).lower(), list[Atom](), 0
            for term in self._pattern.finditer(low):
                atoms += (Atom(*atom.span(), atom[0]) for atom in _ATOM.finditer(low, done, term.start()))
                atoms.append(Atom(*term.span(), self._forms[term[0]]))
                done = term.end()
            atoms += (Atom(*atom.span(), atom[0]) for atom in _ATOM.finditer(low, done))
            atoms = [
                atom if atom.text[:1] == "=" else replace(atom, text=re.sub("[-,]", "", atom.text)) for atom in atoms
            ]
            self._memo[text] = tuple(atom for atom in atoms if atom.text not in _STOPS)
        return self._memo[text]


BUILT_IN = Vocabulary()


class Mention(Struct, frozen=True):
    """Words of a text that name one of these labels."""

    start: int
    end: int
    labels: frozenset[str]
    is_clear: bool = True
    """Whether they are named by half of their words at least, and not as a part of `Exp+Sph`."""

    def is_inside(self, others: Iterable[Mention], *, whole: bool = False) -> bool:
        """Whether other words have these among them, and more of them; with `whole`, or just the same."""
        spans = [(other.start, other.end) for other in others if other.start <= self.start and self.end <= other.end]
        return any(whole or span != (self.start, self.end) for span in spans)


class Axis:
    """The labels that the rows or the columns of a table have at one level, and how texts name them."""

    def __init__(
        self, labels: Iterable[str], vocabulary: Vocabulary, name: str = "", meanings: Mapping[str, str] | None = None
    ) -> None:
        """`name` says what they are, if they are numbers: `Batch size`; `meanings` are of words in the labels."""
        self.labels = tuple(dict.fromkeys(labels))
        self._name = frozenset(atom.text for atom in vocabulary.atoms(name))
        self._vocabulary = vocabulary
        self._sizes: dict[str, int] = {}
        self._by_atom: dict[str, set[str]] = defaultdict(set)
        for label in self.labels:
            meaning = " ".join((meanings or {}).get(word, word) for word in label.split())
            atoms = {atom.text for atom in vocabulary.atoms(f"{label}; {meaning}" if meaning != label else label)}
            self._sizes[label] = len(atoms)
            for atom in atoms:
                self._by_atom[atom].add(label)
            words = re.findall(r"[A-Za-z]+", label)
            if len(words) > 1 and all(word[0].isupper() for word in words):
                self._by_atom["".join(word[0] for word in words).lower()].add(label)
            for word in _HYPHENED.findall(label):  # a narrow column breaks `HumanEval`
                self._by_atom[word.replace("-", "").lower()].add(label)
        self._is_numeric = all(label.isdecimal() for label in self.labels)
        self._memo: dict[str, tuple[Mention, ...]] = {}

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Where the text names some of the labels, but not all."""
        if text not in self._memo:
            self._memo[text] = tuple(self._mentions(text))
        return self._memo[text]

    def named(self, text: str) -> frozenset[str]:
        """The labels that a text names."""
        return frozenset(label for mention in self.mentions(text) for label in mention.labels)

    def _mentions(self, text: str) -> Iterable[Mention]:
        atoms = self._vocabulary.atoms(text)
        at = 0
        while at < len(atoms):
            matched = self._longest(atoms, at, text)
            if matched is None:
                at += 1
                continue
            last, labels = matched
            if len(labels) < len(self.labels):
                spoken = {atom.text for atom in atoms[at : last + 1]}
                missing = min(self._sizes[label] for label in labels) - len(spoken)
                is_clear = missing < len(spoken) or (missing == len(spoken) and spoken <= self._by_atom.keys())
                is_clear &= not (_AND_MORE.match(text, atoms[last].end) or _AND_BEFORE.search(text[: atoms[at].start]))
                yield Mention(atoms[at].start, atoms[last].end, labels, is_clear)
            at = last + 1

    def _longest(self, atoms: Sequence[Atom], at: int, text: str) -> tuple[int, frozenset[str]] | None:
        """The run of words from here that some label has, its last word, and these labels."""
        labels, solid = self._having(atoms[at].text)
        if not labels:
            return None
        if not solid and atoms[at].text[0].isdigit():  # `batch 64`, or the head of a column
            before = atoms[at - 1] if at else None
            is_near = before is not None and atoms[at].start - before.end < _SHORT
            solid = bool(before and is_near and any(_is_name_of(before.text, name) for name in self._name))
            solid = solid or (self._is_numeric and bool(_SETTING.search(text[: atoms[at].start])))
            if not solid and (text[: atoms[at].start].strip() or text[atoms[at].end :].strip()):
                return None
            solid = True
        solid = solid or (atoms[at].text in self._by_atom and bool(_EQUALS.match(text, atoms[at].end)))
        last, count = at, 1
        for after in range(at + 1, len(atoms)):
            if not _GAP.fullmatch(text, atoms[last].end, atoms[after].start):
                break
            more, firm = self._having(atoms[after].text)
            if not labels & more:
                break
            both = min(len(atoms[last].text), len(atoms[after].text)) > _FIRST  # `feature constraint` of `fea con`
            labels, solid, last, count = labels & more, solid or firm or both, after, count + 1
        whole = {label for label in labels if self._sizes[label] <= count}
        if not solid or (not whole and all(atom.text in _WEAK for atom in atoms[at : last + 1])):
            return None
        return last, frozenset(whole or labels)

    def _having(self, atom: str) -> tuple[frozenset[str], bool]:
        """The labels with a word, and whether it is more than a number or a letter."""
        if exact := self._by_atom.get(atom):
            return frozenset(exact), not atom.isascii() or (len(atom) > 1 and not atom.isdecimal() and atom[-1] != ".")
        if not atom[:1].isalpha() or not atom.isascii():
            return frozenset(), False
        alike = {known: labels for known, labels in self._by_atom.items() if _is_short_for(atom, known)}
        solid = len(atom) > _FIRST and any(len(known) > _FIRST + 1 or known == f"{atom[:-1]}" for known in alike)
        return frozenset(label for labels in alike.values() for label in labels), solid


def _is_name_of(atom: str, name: str) -> bool:
    """Whether a word is what a head calls its numbers: `function` of `Func.`"""
    return atom == name or (len(name) > _FIRST and name.isascii() and _is_short_for(atom, name))


def _is_short_for(atom: str, known: str) -> bool:
    """Whether one is the beginning of the other: `q` of `qwen`, `hotpot` of `hotpotqa`, `steps` for `step`."""
    if known[:1] != atom[0]:
        return False
    return known.startswith(atom) or (atom.startswith(known) and (len(known) >= _FIRST or atom[len(known) :] == "s"))


def axes_of(
    paths: Mapping[str, Iterable[Sequence[str]]], vocabulary: Vocabulary, corner: Sequence[str], caption: str
) -> Mapping[Level, Axis]:
    """The levels of rows and columns, counted from the innermost, that have more than one label."""
    levels: dict[Level, list[str]] = defaultdict(list)
    for side, every in paths.items():
        for path in every:
            for depth, label in enumerate(reversed(path)):
                levels[side, depth].append(label)
    meanings = {match[1]: match[2] for match in _MEANS.finditer(caption)}
    axes = {level: Axis(labels, vocabulary, " ".join(corner), meanings) for level, labels in levels.items()}
    return {level: axis for level, axis in axes.items() if len(axis.labels) > 1}
