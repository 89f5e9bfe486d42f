"""How long a year of daily lists takes beside ordinary notes: 365 days, 8,629 papers, each with its five sections.

Run it with `python tests/bench/days.py`. Both collections are made on the spot and take turns, so that a busy machine
slows down both alike: the first build of each per KB of Markdown, then builds of the days with nothing changed, and one
with the last day, which is left out before. The days are as `paper-notes import` makes them of reports: texts in one
language, BibTeX beside each note. `--import` also measures that import itself, of reports with the same texts.
"""

from __future__ import annotations

import argparse
import datetime
import gzip
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from collection import FAMILIES, GIVEN, TEAMS, TERMS, make_collection
from measuring import adopt_orphans, cost_of, lines
from real_notes import sentence

from paper_notes.engine.user_cache import VARIABLE as CACHES

DAYS, PAPERS = 365, 8629
FIRST = datetime.date(2025, 1, 14)
AREAS = (
    "自然语言处理 - 推理加速", "计算机视觉 / 图像生成", "强化学习、智能体", "多模态理解", "语音", "机器人 / 具身智能",
    "自然语言处理 - 检索增强", "计算机视觉 - 视频理解", "推荐系统", "科学计算 / 分子设计",
)  # fmt: skip
PARTS = (
    ("area", "应用领域"), ("contribution", "一句话核心贡献"), ("usage", "使用指南"), ("innovations", "主要创新点"),
    ("results", "实验效果"),
)  # fmt: skip


def main() -> None:
    """Make, build, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--notes", type=int, default=800, help="how many ordinary notes they are compared with")
    parser.add_argument("--runs", type=int, default=3, help="how often the build with nothing changed is run")
    parser.add_argument("--import", dest="reports", action="store_true", help="also measure an import of the reports")
    parser.add_argument("--keep", type=Path, help="a folder to leave everything in")
    options = parser.parse_args()
    if sys.platform != "linux":
        sys.exit("processes are looked at in /proc: this needs Linux")
    adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        scratch = (options.keep or Path(folder)).resolve()
        os.environ[CACHES] = str(scratch / "caches")
        days = make_days(scratch / "days", options.days - 1)
        notes = make_collection(scratch / "notes", options.notes, real=True)
        sys.stdout.write(table(days, notes, options.runs, options.days))
        if options.reports:
            sys.stdout.write(imported(scratch, options.days))


def table(days: Path, notes: Path, runs: int, count: int) -> str:
    """A row for each measured value, with what it should be. The last of so many days is added here."""
    cold = {root: cost_of(_build(root), root) for root in (notes, days)}
    per_kb = {root: cost.wall / _markdown(root) for root, cost in cold.items()}
    again = sorted(cost_of(_build(days), days).wall for _ in range(runs))[runs // 2]
    of_processors = _cpu(cold, days, notes)
    make_days(days, count)
    new_day = cost_of(_build(days), days)
    site = days / "site"
    pages = [path.stat().st_size for path in (site / "daily/notes").glob("*.html")]
    found = list(site.rglob("search-*.css"))
    papers = sum(
        len(json.loads(path.read_text("utf-8"))["entries"]) for path in days.glob("notes_src/daily/*/note.yaml")
    )
    home, digests = (site / "index.html").read_bytes(), (site / "digests.html").read_bytes()
    rows = (
        ("Markdown of the days", f"{_markdown(days):,.0f} KB, {papers:,} papers", ""),
        ("first build of the days", f"{cold[days].wall:.1f} s, {cold[days].memory / 1e6:.0f} MB", "60 s"),
        ("first build of the notes", f"{cold[notes].wall:.1f} s of {_markdown(notes):,.0f} KB", ""),
        ("days, of notes, for each KB", f"{per_kb[days] / per_kb[notes]:.2f}", "1.20"),
        ("the same, of all processors", f"{of_processors:.2f}", ""),
        ("nothing changed", f"{again:.2f} s", "0.50 s"),
        ("a new day", f"{new_day.wall:.1f} s, {new_day.cpu:.1f} s of processor", "2 s"),
        ("home page", f"{len(home) / 1e3:.0f} KB, {len(gzip.compress(home, mtime=0)) / 1e3:.0f} KB sent", "400 KB"),
        ("largest page of a day", f"{max(pages) / 1e3:.0f} KB", "350 KB"),
        (
            "digests.html",
            f"{len(digests) / 1e3:.0f} KB, {len(gzip.compress(digests)) / 1e3:.0f} KB sent",
            "100 KB sent",
        ),
        ("search files", f"{sum(p.stat().st_size for p in found) / 1e3:,.0f} KB in {len(found)}", ""),
    )
    return lines(rows)


def imported(scratch: Path, days: int) -> str:
    """What an import of all reports costs, at once."""
    root = make_days(scratch / "imported", 0)
    reports = [scratch / "reports" / f"{day}.md" for day, _ in zip(_dates(days), range(days), strict=True)]
    for path, text in zip(reports, reports_of(days), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    command = (
        sys.executable,
        "-m",
        "paper_notes",
        "import",
        "--topic",
        "daily",
        "--root",
        str(root),
        *map(str, reports),
    )
    cost = cost_of(command, root)
    return lines([("import of the reports", f"{cost.wall:.1f} s, {cost.memory / 1e6:.0f} MB", "")])


def _cpu(cold: dict[Path, object], days: Path, notes: Path) -> float:
    return (cold[days].cpu / _markdown(days)) / (cold[notes].cpu / _markdown(notes))  # type: ignore[attr-defined]


def _build(root: Path) -> tuple[str, ...]:
    return (sys.executable, "-m", "paper_notes", "build", "--root", str(root))


def _markdown(root: Path) -> float:
    """KB of all texts."""
    return sum(path.stat().st_size for path in root.glob("notes_src/*/*/*.md")) / 1e3


def make_days(root: Path, days: int = DAYS, seed: int = 1) -> Path:
    """Write what is missing of a collection of so many days below `root`, and give `root` back."""
    for name, text in files_of_days(days, seed):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text, "utf-8", newline="")
    return root


def files_of_days(days: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Each file's path and text."""
    site = {
        "title": {"zh": "每日论文", "en": "Papers of each day"},
        "topics": ["daily"],
        "base_url": "https://days.example/",
    }
    yield "notes_src/site.yaml", json.dumps(site, ensure_ascii=False)
    yield "notes_src/daily/topic.yaml", json.dumps({"title": {"zh": "每日", "en": "Daily"}}, ensure_ascii=False)
    for number, (day, papers) in enumerate(papers_of_days(days, seed), 1):
        folder = f"notes_src/daily/{number:02}_{day}"
        yield f"{folder}/note.yaml", json.dumps(_facts(day, papers), ensure_ascii=False, indent=1) + "\n"
        yield f"{folder}/zh.md", "\n".join(_section(paper) for paper in papers)
        yield f"{folder}/papers.bib", "\n".join(paper["bibtex"] for paper in papers)


def reports_of(days: int, seed: int = 1) -> Iterator[str]:
    """The same papers as reports that can be imported."""
    for day, papers in papers_of_days(days, seed):
        lines = [f"# Hugging Face Daily Papers Report\n**Date**: {day}\n**Source URL**: {_address(day)}\n"]
        for paper in papers:
            parts = "\n\n".join(f"### {place}. {name}\n{paper[part]}" for place, (part, name) in enumerate(PARTS, 1))
            address = f"https://huggingface.co/papers/{paper['arxiv']}"
            lines.append(f"## 📄 {paper['title']}\n\n- **链接**: {address}\n- **阅读来源**: HTML\n\n{parts}\n")
        yield ("\n" + "=" * 60 + "\n\n").join([*lines, ""])


def papers_of_days(days: int, seed: int = 1) -> Iterator[tuple[datetime.date, list[dict[str, str]]]]:
    """Each day with its papers: title, texts, BibTeX."""
    dice, made = random.Random(seed), 0
    for number, day in enumerate(_dates(days), 1):
        count = round(PAPERS * number / DAYS) - made
        yield day, [_paper(dice, day, made + place) for place in range(count)]
        made += count


def _dates(days: int) -> Iterator[datetime.date]:
    return (FIRST + datetime.timedelta(number) for number in range(days))


def _address(day: datetime.date) -> str:
    return f"https://huggingface.co/papers/date/{day}"


def _paper(dice: random.Random, day: datetime.date, place: int) -> dict[str, str]:
    arxiv = f"{day.year % 100:02}{day.month:02}.{place + 10000:05}"
    english = dice.choice(TERMS)[1]
    name = f"{dice.choice('ABCDEGKLMPRSTVX')}{dice.choice(('eta', 'ora', 'lume'))}{place}"
    does = dice.choice(("at scale", "without tuning", "revisited"))
    title = f"{name}: {english[0].upper()}{english[1:]} {does}"
    people = " and ".join(f"{dice.choice(FAMILIES)}, {dice.choice(GIVEN)}" for _ in range(dice.randint(3, 12)))
    abstract = " ".join(sentence(dice, TERMS)[1] for _ in range(9)).replace("%", "\\%")
    bibtex = (
        f"@misc{{paper{place},\n  title = {{{title}}},\n  author = {{{people}}},\n  year = {{{day.year}}},\n"
        f"  month = {{{day.month}}},\n  eprint = {{{arxiv}}},\n  archivePrefix = {{arXiv}},\n"
        f"  organization = {{{dice.choice(TEAMS)}}},\n  abstract = {{{abstract}}},\n}}\n"
    )
    return {
        "key": f"paper{place}",
        "votes": str(dice.randint(0, 90)),
        "arxiv": arxiv,
        "title": title,
        "bibtex": bibtex,
        "keywords": "|".join(sorted({dice.choice(TERMS)[1] for _ in range(3)})),
        "area": dice.choice(AREAS),
        "contribution": _two(dice),
        "usage": _items(dice, 4, f"其中 $q_{{{dice.randint(1, 99)}}} \\le {dice.randint(1, 9)}$。"),
        "innovations": _items(dice, 3),
        "results": _two(dice) + "\n\n" + _items(dice, 2),
    }


def _items(dice: random.Random, count: int, last: str = "") -> str:
    rows = (f"*   **{dice.choice(TERMS)[0]}**：{_two(dice)}" for _ in range(count))
    return "\n".join(rows) + (last if dice.random() < 0.3 else "")


def _two(dice: random.Random) -> str:
    return sentence(dice, TERMS)[0] + sentence(dice, TERMS)[0]


def _facts(day: datetime.date, papers: list[dict[str, str]]) -> dict[str, object]:
    return {
        "title": {"zh": f"{day} 的论文", "en": f"Papers of {day}"},
        "kind": "digest",
        "created": f"{day}",
        "status": "todo",
        "source": {"format": "hf-daily", "url": _address(day), "date": f"{day}"},
        "entries": [
            {
                "paper": paper["key"],
                "reading_source": "html",
                "upvotes": int(paper["votes"]),
                "keywords": paper["keywords"].split("|"),
            }
            for paper in papers
        ],
    }


def _section(paper: dict[str, str]) -> str:
    section = "p-" + paper["arxiv"].replace(".", "-")
    parts = "\n".join(f"### {name} {{#{section}-{part}}}\n\n{paper[part]}\n" for part, name in PARTS)
    return f"## {paper['title']} {{#{section}}}\n\n{parts}"


if __name__ == "__main__":
    main()
