"""Writes a folder of thousands of notes as other tools keep them, to measure how fast they are read.

Run it as `PYTHONPATH=tests/features/importing/markdown python PATH/making_many.py FOLDER [3700]`: the same
number always gives the same notes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

TOPICS = ("agents", "reasoning", "distillation", "data", "strategy", "multimodal", "systems", "safety")
_WORDS = (
    "policy gradient reward model entropy token baseline rollout critic sampling off-policy variance clipping group"
    " advantage verifier curriculum distillation teacher student memory retrieval planner tool benchmark"
).split()
_CHINESE = (
    "策略梯度的方差很大，因此需要基线。",
    "奖励模型会被利用，验证器更可靠。",
    "长程任务需要记忆，检索决定上限。",
    "熵坍塌之后，探索就停止了。",
    "在这个设置下，蒸馏比强化学习更省算力。",
)


def notes(count: int) -> Iterator[tuple[str, str]]:
    """Path and text of each note."""
    chance = random.Random(7)
    names = [f"docs/{TOPICS[number % len(TOPICS)]}/{number:04}_Note_{number}.md" for number in range(count)]
    for number, name in enumerate(names):
        yield name, _note(chance, number, names)


def _note(chance: random.Random, number: int, names: list[str]) -> str:
    front = f"---\ntitle: Note {number}\ndate: 2025-0{1 + number % 9}-1{number % 9}\n"
    front += f"tags: [{chance.choice(_WORDS)}, rl]\n"
    front += f"author: Somebody {number % 17}\nyear: {2015 + number % 11}\n---\n"
    parts = [_part(chance, names, section) for section in range(chance.randint(3, 7))]
    return front + f"# Note {number}\n\n{_prose(chance)}\n\n" + "\n\n".join(parts) + "\n"


def _prose(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return "".join(chance.choice(_CHINESE) for _ in range(chance.randint(2, 6)))
    return " ".join(chance.choice(_WORDS) for _ in range(chance.randint(20, 70))).capitalize() + "."


def _part(chance: random.Random, names: list[str], section: int) -> str:
    other = chance.choice(names)
    stem = other.rpartition("/")[2][:-3]
    pieces = (
        f'!!! note "On {stem}"\n    {_prose(chance)}\n\n    - one\n    - two',
        f"> [!info]- {_prose(chance)[:20]}\n> {_prose(chance)}",
        f"见 [这篇](../../{other}) 与 [[{stem}]]，以及 ==重点== 和 \\(x_{section}\\)。",
        f"$$\nL_{section} = \\mathbb{{E}}\\left[\\sum_t r_t\\right]\n\n+ \\beta \\tag{{{section + 1}}}\n$$",
        "| 方法 | $|S|$ | acc |\n|---|---|---|\n| + LoRA | 3 | 71.2 |\n| - SFT | `a|b` | 68.0 |",
        "```python\nfor step in range(10):\n    loss = model(x)  # [[not a link]]\n```",
        f"<details>\n<summary>More</summary>\n\n{_prose(chance)}\n\n</details>",
        f"text <think>{_prose(chance)[:30]}</think> [2020 @Facebook] [[Code](https://example.org/{section})]",
        f"- [ ] {_prose(chance)[:40]}\n- [x] **done** with `code` and $a_{section}$\n    - nested item",
        f"Costs $5 and $10[^{section}]. %%private%% :rocket:\n\n[^{section}]: {_prose(chance)[:50]}",
    )
    chosen = "\n\n".join(chance.choice(pieces) if chance.random() < 0.6 else _prose(chance) for _ in range(4))
    return f"## {section + 1}. {chance.choice(_WORDS).title()} {section}\n\n{chosen}"


def main() -> None:
    """Write the folder."""
    root, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3700
    for name, text in notes(count):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    (root / "mkdocs.yml").write_text("site_name: Many\n", "utf-8")


if __name__ == "__main__":
    main()
