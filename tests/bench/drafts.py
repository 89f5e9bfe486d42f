"""How well bad claims of a draft are refused: plants them in the sentences of papers. Not a test.

    PYTHONPATH=tests python tests/bench/drafts.py PDFS [--seed 7] [--missed]

Each sentence of a paper is a claim whose evidence is itself, so that each refusal of an untouched one is a false alarm.
Then one thing is changed in it: two names of a comparison are exchanged, a name is another one of the paper's, a digit,
a number word or a negation is changed, or a boast is added.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from paper_notes.features.drafting.claims import NoEvidence, PaperText
from paper_notes.features.drafting.support import Setting, mistakes, names_in
from paper_notes.features.verify.paper import read_passages
from paper_notes.languages.text import Lang

_END = re.compile(r"(?<=[a-z)%0-9]\.) (?=[A-Z])")
_PLAIN = re.compile(r"[\x20-\x23\x25-\x7e“”’–—×τ]{60,300}")
_COMPARES = re.compile(r"outperform|faster|slower|better than|higher than|lower than|surpass|exceed")
_PLACE = frozenset({"Figure", "Table", "Section", "Appendix", "Algorithm"})
_NEXT = dict(
    zip("two three four five six seven eight".split(), "three four five six seven eight nine".split(), strict=True)
)


def sentences(paper: PaperText) -> Iterator[tuple[str, int]]:
    """The plain sentences of the running text, with their pages."""
    for part in paper.passages.parts:
        for page in sorted({row.page for row in part.rows} if part.kind in ("section", "front") else ()):
            text = " ".join(row.text for row in part.rows if row.page == page)
            text = re.sub(r"(\w)- (\w)", r"\1\2", text)
            yield from ((sentence, page) for sentence in _END.split(text) if _PLAIN.fullmatch(sentence))


def planted(sentence: str, names: list[str], title: str) -> Iterator[tuple[str, str]]:
    """Kinds of mistakes, and the sentence with each."""
    own = [name for name in dict.fromkeys(names_in(sentence, ideographic=False)) if name not in _PLACE]
    if _COMPARES.search(sentence) and len(own) > 1:
        first, second = own[:2]
        yield (
            "names of a comparison exchanged",
            sentence.replace(first, "\0").replace(second, first).replace("\0", second),
        )
    other = random.choice(names)
    if own and other not in sentence and other not in title:
        yield "another name", sentence.replace(own[0], other, 1)
    yield "negation lost", re.sub(r"\b(?:(do|does|did|is|are|was|can)\s?not|never) ", r"\1 ", sentence, count=1)
    digits = re.search(r"(?<![\w.])\d{2,}(?:\.\d+)?(?![\w.])", sentence)
    if digits and not 1950 < float(digits[0]) < 2050:
        changed = f"{int(digits[0][0]) % 9 + 1}{digits[0][1:]}"
        yield "digit changed", sentence[: digits.start()] + changed + sentence[digits.end() :]
    yield "number word", re.sub(rf"\b(?:{'|'.join(_NEXT)})\b", lambda match: _NEXT[match[0]], sentence, count=1)
    yield "boast", re.sub(r"\b(is|are|can|we)\b", r"\1 significantly", sentence, count=1)


def main() -> None:
    """Print how many were planted and refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    random.seed(options.seed)
    every, refused, missed = Counter[str](), Counter[str](), list[tuple[str, str]]()
    for pdf in sorted(options.pdfs.glob("*.pdf")):
        paper = PaperText(read_passages(pdf.read_bytes()))
        title = paper.passages.parts[0].rows[0].text
        setting = Setting(paper, Lang("en"), title)
        texts = [*sentences(paper)]
        found = [name for text, _ in texts for name in names_in(f"x {text}", ideographic=False)]
        names = [name for name in found if len(name) > 3 and (sum(map(str.isupper, name)) > 1 or not name.isalpha())]
        for text, page in texts:
            try:
                evidence = paper.quotation(text, page)
            except NoEvidence:
                every["untouched, not found"] += 1
                continue
            for kind, claim in (("untouched", text), *planted(text, names, title)):
                if kind == "untouched" or claim != text:
                    every[kind] += 1
                    is_refused = bool([*mistakes(claim, [evidence], setting)])
                    refused[kind] += is_refused
                    if is_refused is (kind == "untouched"):
                        missed.append((kind, claim))
    for kind, count in every.items():
        print(f"{kind}: {refused[kind]:,} of {count:,} refused")  # noqa: T201
    for kind, claim in missed if options.missed else ():
        print(f"{kind}: {claim}")  # noqa: T201


if __name__ == "__main__":
    main()
