"""Markdown notes as other tools keep them, 3 to 10 KB each: the same number always gives the same notes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from collection import DOES, TERMS
from real_notes import sentence
from real_words import ALIGNED, CODE, DISPLAY, INLINE

AREAS = "agents reasoning distillation data multimodal systems safety retrieval".split()
TOPICS = tuple(f"{area}-{kind}" for area in AREAS for kind in ("theory", "methods", "surveys"))
_HEADINGS = (
    ("一句话总结", "In one sentence"),
    ("研究背景与动机", "Background and motivation"),
    ("方法详解", "Method"),
    ("实验关键数据", "Experiments"),
    ("亮点与洞察", "Insights"),
    ("局限性", "Limitations"),
    ("相关工作与启发", "Related work"),
)
_MERMAID = """```mermaid
graph TD
    A["{a}"] --> B["{b}"]
    B --> C{{{{gate}}}}
    C -->|yes| D["output"]
    C -->|no| A
```"""


def make_folder(folder: Path, count: int) -> Path:
    """Write so many notes, and give the folder back."""
    for name, text in notes(count):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="")
    return folder


def notes(count: int) -> Iterator[tuple[str, str]]:
    """Path and text of each note; one in four is English, one in two has front matter."""
    dice = random.Random(7)
    heads: list[tuple[str, str, int]] = []
    for number in range(count):
        lang = int(number % 4 == 3)
        title = f"{dice.choice(DOES)[lang].format(dice.choice(TERMS)[lang])} ({number})"
        heads.append((f"{TOPICS[number % len(TOPICS)]}/note_{number:04}.md", title, lang))
    for number, (path, _, _) in enumerate(heads):
        yield path, _note(dice, number, heads)


def _note(dice: random.Random, number: int, heads: list[tuple[str, str, int]]) -> str:
    _, title, lang = heads[number]
    day = f"2025-{1 + number % 9:02}-{10 + number % 18}"
    front = f'---\ntitle: "{title}"\ndate: {day}\ntags: [{dice.choice(AREAS)}, rl]\n---\n' if number % 2 else ""
    sections = [f"## {names[lang]}\n\n{_section(dice, heads, lang)}" for names in _HEADINGS[: dice.randint(3, 7)]]
    links = "".join(f"- [{other[1]}](../{other[0]})\n" for other in dice.sample(heads, min(3, len(heads))))
    also = f"## {('另见', 'See also')[lang]}\n\n{links}"
    return front + "\n\n".join([f"# {title}", _words(dice, lang), *sections, also])


def _words(dice: random.Random, lang: int) -> str:
    return ("", " ")[lang].join(sentence(dice, TERMS)[lang] for _ in range(dice.randint(2, 4)))


def _section(dice: random.Random, heads: list[tuple[str, str, int]], lang: int) -> str:
    other = dice.choice(heads)
    numbers = {name: dice.randint(1, 900) for name in "ijk"} | {name: dice.randint(1, 9) for name in "nm"}
    first, second = (dice.choice(TERMS)[lang] for _ in range(2))
    rows = "\n".join(
        f"| {term[lang]} | {dice.randint(100, 990) / 10} | **{dice.randint(1, 9)}** |" for term in dice.sample(TERMS, 5)
    )
    blocks = (
        f"| A | acc | n |\n|:--|--:|---|\n{rows}",
        f"$$\n{dice.choice((*DISPLAY, *ALIGNED)).format(**numbers)}\n$$",
        CODE.format(**numbers).rstrip("\n"),
        _MERMAID.format(a=first, b=second),
        f"- **{first}**：{_words(dice, lang)}\n- {_words(dice, lang)}\n    - `k={numbers['k']}`\n- [x] {second}",
        f"> [!note] {second}\n> {_words(dice, lang)}",
        f"[{other[1]}](../{other[0]}), [[{Path(other[0]).stem}]], ${dice.choice(INLINE).format(**numbers)}$",
        f"### {first}\n\n{_words(dice, lang)}",
    )
    return "\n\n".join([_words(dice, lang), *dice.sample(blocks, dice.randint(1, 3)), _words(dice, lang)])
