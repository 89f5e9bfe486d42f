"""A large collection to measure with: plausible, bilingual, with papers, tags, terms and references between notes.

The same numbers give the same files. From the shell: `python tests/bench/collection.py FOLDER --notes 4000`. Notes are
short, which does for searching and lists; with `--real` they are as long as those that people write.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

TOPICS = (
    ("spec-rl", "🔵", "投机解码与强化学习", "Speculative decoding and RL"),
    ("models", "🟣", "模型结构", "Model architectures"),
    ("agents", "🟢", "智能体", "Agents"),
    ("systems", "🟠", "训练与推理系统", "Training and serving systems"),
    ("alignment", "🔴", "对齐", "Alignment"),
    ("retrieval", "🟡", "检索与记忆", "Retrieval and memory"),
    ("multimodal", "🟤", "多模态", "Multimodal models"),
    ("evaluation", "⚪", "评测", "Evaluation"),
)
TERMS = (
    ("投机解码", "speculative decoding", "推测解码"),
    ("拒绝采样", "rejection sampling", "拒绝抽样"),
    ("知识蒸馏", "knowledge distillation", "蒸馏"),
    ("策略梯度", "policy gradient", "策略梯度法"),
    ("重要性采样", "importance sampling", "重要性抽样"),
    ("奖励模型", "reward model", "回报模型"),
    ("键值缓存", "KV cache", "KV 缓存"),
    ("混合专家", "mixture of experts", "专家混合"),
    ("长上下文", "long context", "超长上下文"),
    ("检索增强生成", "retrieval-augmented generation", "检索增强"),
    ("思维链", "chain of thought", "推理链"),
    ("离策略", "off-policy", "异策略"),
    ("张量并行", "tensor parallelism", "模型并行"),
    ("量化", "quantization", "低比特量化"),
    ("扩散模型", "diffusion model", "扩散式模型"),
    ("智能体记忆", "agent memory", "长期记忆"),
    ("多 token 预测", "multi-token prediction", "多词元预测"),
    ("合成数据", "synthetic data", "人造数据"),
    ("线性注意力", "linear attention", "线性化注意力"),
    ("过程奖励", "process reward", "步骤奖励"),
)
DOES = (
    ("为什么{}在大批量下变慢", "Why {} slows down at large batch sizes"),
    ("用{}换来一半的显存", "Halving memory with {}"),
    ("把{}写成一个可证的不等式", "{} as an inequality one can prove"),
    ("重新审视{}：三个常见误解", "{} revisited: three misunderstandings"),
    ("{}的上限在哪里", "How far {} can go"),
    ("从零实现{}，以及踩过的坑", "{} from scratch, and what went wrong"),
    ("{}与它的代价", "{} and what it costs"),
    ("没有{}行不行", "Doing without {}"),
)
SUMMARIES = (
    ("三个结论、一处更正，以及和{}的关系", "Three findings, one correction, and how it relates to {}"),
    ("在 7B 与 70B 上复现，收益主要来自{}", "Reproduced on 7B and 70B; most of the gain comes from {}"),
    ("推导只有半页，关键是把{}换成期望", "Half a page of derivation: take the expectation over {}"),
    ("消融很扎实，但{}的解释站不住", "Solid ablations, but the explanation by {} does not hold"),
    ("给出了{}的第一个下界", "Gives the first lower bound for {}"),
)
SENTENCES = (
    (
        "作者把{}放在训练循环里，而不是只在推理时打开，于是样本的分布跟着策略一起变化。",
        (
            "The authors put {} inside the training loop instead of switching it on for inference only, so the"
            " distribution of samples moves with the policy."
        ),
    ),
    (
        "Table {n} 显示，当批量从 8 增加到 256，{}带来的加速从 {n}.{m}× 降到不足 1.2×。",
        (
            "Table {n} shows that the speedup from {} falls from {n}.{m}× to less than 1.2× as the batch grows from 8"
            " to 256."
        ),
    ),
    (
        "这里有一个容易忽略的假设：{}需要两个模型的温度相同，否则界不成立。",
        "One assumption is easily missed: {} needs both models at the same temperature, or the bound fails.",
    ),
    (
        "我们在单机上重跑了这个实验，{}的收益与论文一致，但方差大了约 {n} 倍。",
        (
            "We ran the experiment again on one machine: the gain from {} agrees with the paper, but its variance is"
            " about {n} times larger."
        ),
    ),
    (
        "换句话说，{}并没有改变最优解，它只是让走到那里的路更短。",
        "In other words, {} does not change the optimum; it only makes the way there shorter.",
    ),
    (
        "和上一篇相比，最大的不同是{}不再依赖单独的草稿模型，显存因此省下 {n}{m}%。",
        (
            "Compared with the previous note, {} no longer depends on a separate draft model, which saves {n}{m}% of"
            " memory."
        ),
    ),
    (
        "如果只记一件事，请记住{}的代价是常数，而它的收益随长度增长。",
        "If you remember one thing: the cost of {} is constant, while its benefit grows with length.",
    ),
)
FAMILIES = "Zhang Li Wang Chen Liu Okafor Smith García Müller Tanaka Kim Nguyen Rossi Novák Singh Leviathan".split()
GIVEN = "Wei Mei Yu Ada John Lucía Jürgen Aiko Min An Marco Petr Priya Yaniv Hui Jing".split()
CHINESE = ("张伟", "李娜", "王芳", "刘洋", "陈静", "杨帆", "赵磊", "黄敏")
TEAMS = ("Google Research", "DeepMind", "Tsinghua University", "Meta AI", "清华大学", "Alibaba", "UC Berkeley", "MIT")
VENUES = ("NeurIPS", "ICML", "ICLR", "ACL", "EMNLP", "")
TAGS = tuple(f"{kind}-{what}" for kind in ("fast", "cheap", "long", "open", "sparse", "online") for what in
             ("decoding", "training", "memory", "search", "math", "code", "vision", "speech"))  # fmt: skip
KINDS = ("paper", "paper", "paper", "paper", "paper", "tutorial", "comparison", "evolution", "landscape", "digest")
STATUSES = ("read", "read", "read", "reading", "todo", "revisit")
SECTIONS = (("动机", "Motivation"), ("核心方法", "Method"), ("实验", "Experiments"), ("局限", "Limitations"))

Files = Callable[[random.Random, int, int, Sequence[str]], dict[str, str]]
"""Writes the files of a note beside its note.yaml: given its number, how many its topic has, and the papers to cite."""


def make_collection(root: Path, notes: int = 4000, seed: int = 1, *, real: bool = False) -> Path:
    """Write a collection of so many notes below `root`, and give `root` back."""
    for name, text in files_of_collection(notes, seed, real=real):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return root


def files_of_collection(notes: int, seed: int = 1, *, real: bool = False) -> Iterator[tuple[str, str]]:
    """Each file's path and text."""
    write = _real_files if real else _files
    dice = random.Random(seed)
    sizes = _shares(notes)
    topics = [topic for topic, size in zip(TOPICS, sizes, strict=True) if size]
    yield (
        "notes_src/site.yaml",
        _yaml(
            {
                "title": {"zh": "大型论文笔记", "en": "A large collection"},
                "description": {"zh": f"{notes} 篇笔记，用来测量。", "en": f"{notes} notes to measure with."},
                "topics": [topic for topic, *_ in topics],
                **({"base_url": "https://notes.example/"} if real else {}),
            }
        ),
    )
    yield (
        "notes_src/glossary.yaml",
        _yaml([{"zh": zh, "en": en, "aliases": [alias]} for zh, en, alias in TERMS]),
    )
    entries: list[str] = []
    for (topic, emoji, zh, en), size in zip(TOPICS, sizes, strict=True):
        if not size:
            continue
        yield f"notes_src/{topic}/topic.yaml", _yaml(_topic(dice, emoji, zh, en, size))
        for number in range(1, size + 1):
            yield from _note(dice, topic, number, size, entries, write)
    yield "notes_src/library.bib", "\n".join(entries)


def _shares(notes: int) -> list[int]:
    """How many notes each topic has: the first ones have more."""
    weights = [2 / (place + 2) for place in range(len(TOPICS))]
    sizes = [int(notes * weight / sum(weights)) for weight in weights]
    sizes[0] += notes - sum(sizes)
    return sizes


def _topic(dice: random.Random, emoji: str, zh: str, en: str, size: int) -> dict[str, object]:
    steps = sorted(dice.sample(range(1, size + 1), min(8, size)))
    path = {"id": "start", "title": {"zh": "入门", "en": "Where to start"}, "steps": steps}
    intro = {"zh": f"关于{zh}的全部笔记。", "en": f"All notes about {en[0].lower()}{en[1:]}."}
    return {"emoji": emoji, "title": {"zh": zh, "en": en}, "intro": intro, "reading_paths": [path]}


def _note(
    dice: random.Random, topic: str, number: int, size: int, entries: list[str], write: Files
) -> Iterator[tuple[str, str]]:
    zh_term, en_term, _ = dice.choice(TERMS)
    other_zh, other_en, _ = dice.choice(TERMS)
    name = f"{dice.choice('ABCDEGKLMPRSTVX')}{dice.choice(('eta', 'ora', 'lume', 'spec', 'net', 'ray'))}{number}"
    kind = dice.choice(KINDS)
    year, month = dice.randint(2017, 2026), dice.randint(1, 12)
    arxiv = f"{year % 100:02}{month:02}.{dice.randint(0, 99999):05}"
    title_zh, title_en = dice.choice(DOES)
    about_zh, about_en = dice.choice(SUMMARIES)
    facts: dict[str, object] = {
        "title": {"zh": f"{name}：{title_zh.format(zh_term)}", "en": f"{name}: {title_en.format(en_term)}"},
        "kind": kind,
        "summary": {"zh": about_zh.format(other_zh), "en": about_en.format(other_en)},
        "tags": sorted(dice.sample(TAGS, dice.randint(1, 4))),
        "created": f"{dice.randint(2021, 2026)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}",
        "status": dice.choice(STATUSES),
    }
    if dice.random() < 0.5:
        facts["rating"] = dice.randint(1, 5)
    keys = []
    if kind == "paper":
        entry = _entry(dice, f"{topic.replace('-', '')}{number}", f"{name}: {title_en.format(en_term)}", arxiv, month)
        entries.append(entry)
        keys.append(f"{topic.replace('-', '')}{number}")
        facts["papers"] = keys
    folder = f"notes_src/{topic}/{number:02}_{name}" + (f"_{arxiv}" if keys else "")
    yield f"{folder}/note.yaml", _yaml(facts)
    for file, text in write(dice, number, size, keys).items():
        yield f"{folder}/{file}", text


def _entry(dice: random.Random, key: str, title: str, arxiv: str, month: int) -> str:
    people = [f"{dice.choice(FAMILIES)}, {dice.choice(GIVEN)}" for _ in range(dice.randint(1, 6))]
    if dice.random() < 0.2:
        people[0] = dice.choice(CHINESE)
    venue = dice.choice(VENUES)
    fields = {
        "title": title,
        "author": " and ".join(people),
        "year": f"20{arxiv[:2]}",
        "month": str(month),
        "eprint": arxiv,
        "archivePrefix": "arXiv",
        "organization": dice.choice(TEAMS),
        **({"booktitle": venue} if venue else {}),
    }
    return f"@inproceedings{{{key},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items()) + "}\n"


def _files(dice: random.Random, number: int, size: int, keys: Sequence[str]) -> dict[str, str]:
    """The Chinese text, and mostly the English one."""
    zh, en = _texts(dice, number, size, keys)
    return {"zh.md": zh, "en.md": en} if dice.random() < 0.9 else {"zh.md": zh}


def _real_files(dice: random.Random, number: int, size: int, keys: Sequence[str]) -> dict[str, str]:
    """Both texts at full length, and the figure that they show."""
    from real_notes import real_figure, real_texts

    zh, en = real_texts(dice, TERMS, number, size, keys)
    return {"zh.md": zh, "en.md": en, "result.svg": real_figure(dice)}


def _texts(dice: random.Random, number: int, size: int, keys: Sequence[str]) -> tuple[str, str]:
    """Four sections in both languages: sentences about terms, references, a table, a formula."""
    zh, en = [], []
    for place, (zh_heading, en_heading) in enumerate(SECTIONS):
        zh.append(f"## {zh_heading}\n")
        en.append(f"## {en_heading}\n")
        for _ in range(2):
            pairs = [_sentence(dice) for _ in range(dice.randint(3, 5))]
            zh.append("".join(text for text, _ in pairs) + "\n")
            en.append(" ".join(text for _, text in pairs) + "\n")
        if place == 0:
            link = f"[[#{dice.randint(1, size)}]]" if number % 3 else f"[[#{dice.randint(1, size)}#method]]"
            cite = f" [@{keys[0]}]" if keys else ""
            zh.append(f"参见 {link}{cite}。\n")
            en.append(f"See {link}{cite}.\n")
        if place == 1:
            tex = f"$$\n\\alpha_{{{dice.randint(1, 9)}}} = \\sum_x \\min\\bigl(p(x), q(x)\\bigr) \\le 1\n$$\n"
            zh.append(tex)
            en.append(tex)
        if place == 2:
            cells = [f"| {batch} | {dice.randint(10, 40) / 10}× |" for batch in (1, 16, 256)]
            zh.append("\n".join(["| 批量 | 加速比 |", "|---:|---:|", *cells]) + "\n")
            en.append("\n".join(["| Batch | Speedup |", "|---:|---:|", *cells]) + "\n")
    return "\n".join(zh), "\n".join(en)


def _sentence(dice: random.Random) -> tuple[str, str]:
    zh, en = dice.choice(SENTENCES)
    zh_term, en_term, _ = dice.choice(TERMS)
    numbers = {"n": dice.randint(2, 9), "m": dice.randint(0, 9)}
    return zh.format(zh_term, **numbers), en.format(en_term, **numbers)


def _yaml(value: object) -> str:
    """JSON is YAML."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Write a collection from the shell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="notes of real length: 8 KB in each language, with figures")
    options = parser.parse_args()
    make_collection(options.folder, options.notes, options.seed, real=options.real)
    sys.stdout.write(f"{options.notes} notes in {options.folder}\n")


if __name__ == "__main__":
    main()
