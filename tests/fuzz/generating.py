"""Collections that are legal, of everything that a collection may hold, in nestings that nobody would write.

The same seed always makes the same collection. What a text may consist of is in `grammar.txt`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from making_pdfs import kept_figure, paper
from making_pictures import picture

_RULE = re.compile("⟨([a-z-]+)⟩")
_DEEPEST = 5
LANGUAGES = (("zh", "en"), ("zh", "en"), ("en", "zh"), ("en",), ("zh",), ("ja", "en"), ("zh-Hant", "en"), ("fr", "en"))
USUAL = {"motivation": ("动机", "Motivation"), "method": ("方法", "Method"), "limitations": ("局限", "Limitations")}
"""Headings that bring their own id."""
KINDS = ("paper", "evolution", "comparison", "landscape", "tutorial", "industry", "note")
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 90"><defs><marker id="m" viewBox="0 0 9 9">'
    '<path d="M0 0L9 4L0 9z"/></marker></defs><text systemLanguage="{one}" x="9" y="40">中 &lt;b&gt;</text>'
    '<text systemLanguage="{other}" x="9" y="40">text</text><path d="M0 60H{width}" stroke="var(--fig-blue, #2457c5)"'
    ' marker-end="url(#m)"/></svg>'
)
Files = dict[str, bytes]


@cache
def grammar() -> dict[str, tuple[str, ...]]:
    """The ways to write each rule."""
    rules: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("grammar.txt").read_text("utf-8").removesuffix("\n").split("\n"):
        if line.startswith("= "):
            rules[name := line[2:]] = []
        elif rules:
            rules[name].append(line.replace("↵", "\n"))
    return {name: tuple(ways) for name, ways in rules.items()}


@dataclass
class Planned:
    """A note as others refer to it, before it is written."""

    topic: str
    number: int
    name: str
    short: bool
    """Whether it is a single file."""
    languages: tuple[str, ...]
    sections: list[str]
    papers: list[str] = field(default_factory=list)
    listed: bool = False
    """Whether it lists its papers."""
    draft: bool = False

    @property
    def place(self) -> str:
        return f"{self.topic}/{self.name}"


@dataclass
class Plan:
    """What all texts of a collection may refer to."""

    languages: tuple[str, ...]
    topics: list[str] = field(default_factory=list)
    notes: list[Planned] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    listed: dict[str, str] = field(default_factory=dict)
    """The id that the section of a paper has in a list, by its key."""
    terms: dict[str, list[str]] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    crops: list[str] = field(default_factory=list)


@dataclass
class Text:
    """A text that is being written: its methods are rules that need to know of the rest."""

    chance: random.Random
    plan: Plan
    lang: str
    topic: str = ""
    figures: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    depth: int = 0
    size: int = 0

    def write(self, rule: str) -> str:
        """The rule written out."""
        special = getattr(self, f"rule_{rule.replace('-', '_')}", None)
        if special is not None:
            return str(special())
        ways = grammar()[rule]
        if not self.figures:
            ways = tuple(way for way in ways if "⟨figure⟩" not in way and "⟨crop⟩" not in way)
        deep = self.depth >= _DEEPEST or self.size > 400
        self.size += 1
        return self.fill(ways[0] if deep else self.chance.choice(ways))

    def fill(self, way: str) -> str:
        """A way to write a rule, with the rules in it written out."""
        self.depth += 1
        parts: list[str] = []
        end = 0
        for place in _RULE.finditer(way):
            parts.append(way[end : place.start()])
            text = self.write(place[1])
            before = way[way.rfind("\n", 0, place.start()) + 1 : place.start()]
            if place[1].startswith("block") or "\n" in text:
                text = text.replace("\n", "\n" + (re.sub("[^> ]", " ", before) if _opens(before) else ""))
            parts.append(text)
            end = place.end()
        self.depth -= 1
        return "".join([*parts, way[end:]])

    def rule_plain(self) -> str:
        is_cjk = self.lang.startswith(("zh", "ja"))
        return self.write("cjk" if is_cjk == (self.chance.random() < 0.85) else "latin")

    def rule_number(self) -> str:
        return str(self.chance.choice((0, 1, 7, 12, 3.36, 71.2, 1000000)))

    def rule_name(self) -> str:
        self.names.append(name := f"c{len(self.names)}")
        return name

    def rule_id(self) -> str:
        return f" {{#{self.rule_name()}}}" if self.chance.random() < 0.4 else ""

    def rule_label(self) -> str:
        self.labels.append(label := f"eq:l{len(self.labels)}")
        return label

    def rule_eqref(self) -> str:
        return f"\\eqref{{{self.chance.choice(self.labels)}}}" if self.labels else self.write("plain")

    def rule_here(self) -> str:
        return f"[{self.write('plain')}](#{self.chance.choice(self.names)})" if self.names else self.write("plain")

    def rule_footnote(self) -> str:
        if self.footnotes and self.chance.random() < 0.3:
            return "[^f0]"
        number = len(self.footnotes)
        self.footnotes.append("")
        written = self.write("words") if self.depth > 3 else self.write("blocks").replace("\n", "\n    ")
        self.footnotes[number] = f"[^f{number}]: {written}"
        return f"[^f{number}]"

    def rule_key(self) -> str:
        return self.chance.choice(self.plan.keys)

    def rule_cite(self) -> str:
        one, other = self.rule_key(), self.rule_key()
        forms = (
            f"@{one}",
            f"@{one}, Section 3; @{other}",
            f"see @{one}, pp. 3-5",
            f"-@{one}",
            f"e.g. @{one}; -@{other}",
        )
        return f"[{self.chance.choice(forms)}]"

    def rule_term(self) -> str:
        return self.chance.choice(self.plan.terms.get(self.lang) or ["x"])

    def rule_page(self) -> str:
        return f"[[{self.chance.choice(self.plan.pages)}]]" if self.plan.pages else self.write("plain")

    def rule_ref(self) -> str:
        return self.rule_note_ref(sections=True)

    def rule_note_ref(self, sections: bool = False) -> str:
        note = self.chance.choice(self.plan.notes)
        number = note.number if note.topic == self.topic else f"{note.topic}/#{note.number}"
        target = self.chance.choice((f"#{number}" if note.topic == self.topic else str(number), note.place))
        if sections and note.sections and self.chance.random() < 0.3:
            target += f"#{self.chance.choice(note.sections)}"
        words = f"|{self.write('plain')}" if self.chance.random() < 0.3 else ""
        return f"[[{target}{words}]]"

    def rule_figure(self) -> str:
        return self.chance.choice(self.figures)

    def rule_crop(self) -> str:
        return self.chance.choice(self.plan.crops) if self.plan.crops else self.rule_figure()

    def rule_table(self) -> str:
        columns = self.chance.randint(1, 5)
        lines = [
            [self.write("plain") for _ in range(columns)],
            [self.chance.choice(("---", ":---", "---:", ":-:")) for _ in range(columns)],
        ]
        for row in range(self.chance.choice((0, 1, 2, 4))):
            cells = [self.write("cell") for _ in range(columns)]
            if self.chance.random() < 0.3:
                cells[0] = f"{self.write('plain')} {{.{self.chance.choice(('best', 'own', 'baseline'))}}}"
            if row and self.chance.random() < 0.2:
                cells[0] = "^^"
            elif columns > 2 and self.chance.random() < 0.2:
                cells[-1] = "<<"
            lines.append(cells)
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _opens(before: str) -> bool:
    """Whether what stands before a block on its line is to stand before its other lines."""
    return bool(re.fullmatch(r"[ >]*(?:[-*:>]|\d+[.)]|\[.\])?[ ]+(?:\[.\] )?", before))


class Collection:
    """A collection that is being made."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.plan = Plan(self.chance.choice(LANGUAGES))
        self.files: Files = {}
        self.make_plan()
        self.write_site()
        for topic in self.plan.topics:
            self.write_topic(topic)
        for note in self.plan.notes:
            self.write_note(note)
        self.write_others()

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def some(self, values: Iterable[str], most: int = 3) -> list[str]:
        listed = list(values)
        return self.chance.sample(listed, min(len(listed), self.chance.randint(0, most)))

    def text(self, lang: str, rule: str, topic: str = "") -> str:
        return Text(self.chance, self.plan, lang, topic).write(rule)

    def texts(self, rule: str, topic: str = "", languages: tuple[str, ...] = ()) -> Any:
        """A value in all languages, or in one that stands for all."""
        languages = languages or self.plan.languages
        written = {lang: self.text(lang, rule, topic) for lang in languages}
        return written[languages[0]] if len(self.plan.languages) == 1 and self.often(0.5) else written

    def put(self, path: str, data: str | bytes) -> None:
        self.files[path] = data.encode() if isinstance(data, str) else data

    def put_yaml(self, path: str, value: Any) -> None:
        self.put(path, self.yaml(value))

    def yaml(self, value: Any) -> str:
        """The value in one of the many styles of YAML."""
        style = {
            "width": self.chance.choice((20, 10_000)),
            "default_flow_style": self.often(0.3),
            "default_style": self.chance.choice((None, None, "'", '"', "|")),
        }
        if style["default_style"]:  # else numbers and truth values would be quoted, with a tag
            value = _as_words(value)
        written: str = yaml.safe_dump(
            value,
            allow_unicode=self.often(0.8),
            sort_keys=self.often(0.5),
            **style,
        )
        return written

    def make_plan(self) -> None:
        chance, plan = self.chance, self.plan
        plan.topics = chance.sample(
            ("tea", "milk-and-more", "三", "Ünï", "a.b", "daily", "x" * 40), chance.randint(1, 3)
        )
        plan.keys = chance.sample(("lu760tea", "b", "Smith:2020", "müller2021", "a.b-c_d", "x+y", "作者2024"), 4)
        plan.listed = {key: f"p-26{1 + place:02}-00001" for place, key in enumerate(plan.keys)}
        plan.pages = chance.sample(("about", "Kontakt", "how-to", "uber_1"), chance.choice((0, 0, 1, 2)))
        if self.often(0.1):
            plan.crops = ["pdf:2601.00001#figure-1"]
            kept = self.often(0.6)  # without the PDF
            self.put(f"notes_src/{'crops/2601.00001/figure-1.webp' if kept else 'pdfs/2601.00001v2.pdf'}",
                     kept_figure() if kept else paper())  # fmt: skip
        words = {"zh": "接受率 草稿模型", "ja": "受理率 下書き", "zh-Hant": "接受率 草稿"}
        plan.terms = {lang: words.get(lang, "acceptance-rate draft").split() for lang in plan.languages}
        for topic in plan.topics:
            numbers = chance.sample((0, 1, 2, 3, 7, 15, 99, 123456), chance.randint(1, 3))
            for number in numbers:
                plan.notes.append(self.planned(topic, number))

    def planned(self, topic: str, number: int) -> Planned:
        chance, plan = self.chance, self.plan
        stem = chance.choice(("First", "题目", "a.b+c", "ReSpec_2510.26475", "é", "1", "x_", "index", "N" * 60, "-a"))
        name = f"{number:0{chance.choice((1, 2, 2, 6))}}{chance.choice('_-')}{stem}"
        languages = plan.languages if self.often(0.8) else (chance.choice(plan.languages),)
        short = self.often(0.2)
        usual = [section for section in USUAL if self.often(0.3)]
        note = Planned(topic, number, name, short, languages[:1] if short else languages, [*usual, *self.some("ghi")])
        note.papers = self.some(plan.keys)
        note.draft = self.often(0.05)
        note.listed = self.often(0.25)
        if note.listed:
            note.papers = chance.sample(plan.keys, chance.randint(0, 4))
            note.sections = [plan.listed[key] for key in note.papers if self.often(0.8)]
        return note

    def write_site(self) -> None:
        chance, plan = self.chance, self.plan
        site: dict[str, Any] = {"title": self.texts("words"), "topics": plan.topics}
        if plan.languages != ("zh", "en") or self.often(0.5):
            site["languages"] = list(plan.languages)
        if "fr" in plan.languages:
            self.put_yaml(
                "notes_src/words.fr.yaml", {"language": {"short": "FR"}, "ui": {"home": {"search": "Chercher"}}}
            )
        optional: dict[str, Any] = {
            "description": self.texts("words"),
            "author": self.texts("plain"),
            "base_url": chance.choice(("https://notes.example/", "https://notes.example/n", "http://例え.example/a/")),
            "publish_fields": ["note", "keywords"],
            "accent": chance.choice(("#1b6e4f", "#abc", {"light": "#000", "dark": "#fff"})),
            "fonts": {"text": ["Inter", "Source Han Sans SC"], "code": "JetBrains Mono, monospace"},
            "footer": self.texts("text-plain"),
            "tags": {"rl": {**dict.fromkeys(plan.languages, "RL-name"), "aliases": ["RLHF"]}},
            "kinds": {"idea": {"name": self.texts("plain"), "colour": chance.choice(("purple", 320))}},
            "rules": {"missing-alt": "warning", "lost-syntax": "off", f"{plan.topics[0]}/": {"tag-variant": "off"}},
        }
        for key, value in optional.items():
            if self.often(0.3):
                site[key] = value
        self.kinds = [*KINDS, *(["idea"] if "kinds" in site else [])]
        if self.often(0.3):
            site["logo"], site["favicon"] = "logo.svg", "icon.png"
            self.put("notes_src/logo.svg", self.svg())
            self.put("notes_src/icon.png", picture("PNG", 4))
        if self.often(0.4):
            site["navigation"] = [*plan.pages, plan.topics[0],
                                  {"title": self.texts("plain"), "link": "https://a.example/x"}]  # fmt: skip
        if self.often(0.5):
            site["readme"] = self.readmes()
        self.put_yaml("notes_src/site.yaml", site)

    def readmes(self) -> Any:
        contents = (
            "",
            "all",
            "notes",
            "paths",
            "papers",
            "directories",
            "list",
            "recent",
            "summary",
            "contents",
            "digest",
        )
        regions = []
        for content in self.chance.sample(contents, self.chance.randint(1, 4)):
            lang = f" lang={self.chance.choice(self.plan.languages)}" if content and self.often(0.5) else ""
            topic = f" topic={self.chance.choice(self.plan.topics)}" if content in ("notes", "list") else ""
            begin = " ".join(filter(None, ("<!-- paper-notes:begin", content))) + f"{lang}{topic} -->"
            old = self.chance.choice(("", "", "old\n"))
            regions.append(f"{begin}\n{old}<!-- paper-notes:end -->\n")
        line_end = self.chance.choice(("\n", "\n", "\r\n"))
        self.put("README.md", "\n".join(["# Mine", "", "## A & b", *regions, "end"]).replace("\n", line_end))
        if self.often(0.5):
            return True
        self.put("docs/SPEC.md", "# S\n<!-- paper-notes:begin mine -->\n<!-- paper-notes:end -->\n")
        return [
            "README.md",
            {"file": "docs/SPEC.md", "region": "mine", "content": "list", "topic": self.plan.topics[0]},
        ]

    def write_topic(self, topic: str) -> None:
        notes = [note for note in self.plan.notes if note.topic == topic]
        steps = [str(note.number) for note in notes] + [f"{note.topic}/{note.number}" for note in self.plan.notes]
        path = {
            "id": "start",
            "title": self.texts("words"),
            "steps": list(dict.fromkeys(self.some(steps, 4))) or steps[:1],
        }
        if self.often(0.4):
            path["guide"] = self.texts("intro", topic)
            path["steps"].append({"note": steps[0], "words": self.texts("plain")})
        optional: dict[str, Any] = {
            "emoji": self.chance.choice(("🔵", "👩‍👩‍👧", "é", "")),
            "intro": self.texts("intro", topic),
            "order": [str(note.number) for note in notes][::-1],
            "papers": self.some(self.plan.keys),
            "aliases": ["old-" + topic],
            "reading_paths": [path],
        }
        kept = {key: value for key, value in optional.items() if self.often(0.4)}
        self.put_yaml(f"notes_src/{topic}/topic.yaml", {"title": self.texts("words"), **kept})

    def write_note(self, note: Planned) -> None:
        chance, folder = self.chance, f"notes_src/{note.place}"
        facts = self.facts(note)
        figures = () if note.short else tuple(chance.sample(("a.svg", "figs/b.svg", "图.svg", "p.png", "w.webp"), 3))
        for figure in figures:
            is_svg = figure.endswith(".svg")
            self.put(f"{folder}/{figure}", self.svg() if is_svg else picture(figure[-4:].strip(".").upper(), 9))
            if is_svg and self.often(0.2):
                self.put(f"{folder}/{figure[:-4]}.wide.svg", self.svg(720))
        written = {lang: self.note_text(note, lang, figures) for lang in note.languages}
        if note.short:
            language = {} if note.languages[0] == self.plan.languages[0] else {"language": note.languages[0]}
            front = self.yaml({**facts, **language})
            self.put(f"{folder}.md", f"---\n{front}---\n{written[note.languages[0]]}")
            return
        self.put_yaml(f"{folder}/note.yaml", facts)
        for lang, text in written.items():
            newline = chance.choice(("\n", "\n", "\n", "\r\n"))
            start = chance.choice(("", "", "", "", "\ufeff"))
            self.put(f"{folder}/{lang}.md", start + text.replace("\n", newline))

    def facts(self, note: Planned) -> dict[str, Any]:
        chance = self.chance
        others = [other.place for other in self.plan.notes if other is not note and not other.draft]
        day = chance.choice(("2024-02-29", "2026-01-13", "1999-12-31"))
        optional: dict[str, Any] = {
            "short": self.texts("plain", languages=note.languages),
            "kind": chance.choice(self.kinds),
            "papers": note.papers,
            "summary": self.texts("text-plain", note.topic, note.languages),
            "tags": self.some(("rl", "RLHF", "two words", "三", "a/b", "C++", "é", "x" * 50, "<b>", "日本")),
            "keywords": self.some(("k", "关键 词", "a,b")),
            "created": _day(day), "updated": _day("2026-11-21"),
            "status": chance.choice(("todo", "reading", "read", "revisit")),
            "rating": chance.randint(1, 5),
            "own": True, "reviewed": True, "thumbnail": False,
            "reading_source": chance.choice(("pdf", "html", "abstract", "code")),
            "extra": {"mine": [1, {"a": None}], "": "x"},
            "aliases": [f"{note.topic}/{note.number + 500}_old"],
            "metadata": {"source": "arxiv", "date": _day(day), "missing": ["year"]},
            "drafted": {"lead": {note.languages[-1]: {"digest": "0123456789", "model": "m <b>", "prompt": "translate-1",
                                                      "date": _day(day), "source": "zh 0123456789"}}},
        }  # fmt: skip
        if others:
            optional["corrects"] = [{"note": chance.choice(others), "claim": self.texts("text-plain"),
                                     "correction": self.texts("text-plain"), "date": _day(day)}]  # fmt: skip
        facts = {key: value for key, value in optional.items() if self.often(0.3)}
        facts["title"] = self.texts("title-yaml", note.topic, note.languages)
        if note.draft:
            facts["draft"] = True
        if note.listed:
            facts |= {"kind": chance.choice(("digest", "list")), "papers": []}
            facts["source"] = chance.choice((
                {"format": "hf-daily", "url": "https://huggingface.co/papers/date/2026-01-13", "date": _day(day)},
                {"format": "terms", "terms": ["Tea & <b>", "三"]}, {"format": "bib", "bib": "x.bib"},
                {"format": "arxiv", "date": _day(day)},
            ))  # fmt: skip
            facts["entries"] = [self.entry(key) for key in note.papers]
        return facts

    def entry(self, key: str) -> dict[str, Any]:
        optional: dict[str, Any] = {
            "upvotes": self.chance.choice((0, 7, 10_000)),
            "keywords": self.some(("a", "三 四", "x, y")),
            "headline": self.texts("text-plain"),
            "reading_source": "abstract",
        }
        return {"paper": key, **{name: value for name, value in optional.items() if self.often(0.5)}}

    def note_text(self, note: Planned, lang: str, figures: tuple[str, ...]) -> str:
        text = Text(self.chance, self.plan, lang, note.topic, figures)
        parts = []
        if self.often(0.3):
            parts.append(f":::tldr\n{text.write('blocks')}\n:::")
        if self.often(0.6) or not note.sections:
            parts.append(text.write("body"))
        for section in note.sections:
            text.size = 0
            usual = USUAL.get(section)
            number = "" if usual or self.often(0.8) else self.chance.choice((" n=2.5", " n=A", " -"))
            heading = usual[lang != "zh"] if usual and lang in ("zh", "en") else text.write("title")
            parts.append(f"## {heading} {'' if usual and lang in ('zh', 'en') else f'{{#{section}{number}}}'}".rstrip())
            if self.often(0.9):
                parts.append(text.write("body"))
            if self.often(0.4):
                kind = self.chance.choice(("area", "results", "x"))
                parts += [f"### {text.write('title')} {{#{section}-{kind}}}", text.write("body")]
                if self.often(0.3):
                    parts += [f"#### {text.write('title')}", text.write("body")]
        return "\n\n".join([*parts, *text.footnotes]) + self.chance.choice(("\n", "", "\n\n"))

    def write_others(self) -> None:
        chance, plan = self.chance, self.plan
        self.put("notes_src/library.bib", self.bibliography())
        if self.often(0.7):
            terms = [{lang: plan.terms[lang][place] for lang in plan.languages} for place in (0, 1)]
            if self.often(0.5):
                terms[0] |= {
                    "aliases": ["alias one", "别名"],
                    "avoid": ["通过率"],
                    "definition": self.texts("text-plain"),
                }
            self.put_yaml("notes_src/glossary.yaml", terms if self.often(0.7) else {"terms": terms})
        for page in plan.pages:
            for lang in plan.languages:
                front = self.yaml({"title": self.text(lang, "title-yaml"), "description": self.text(lang, "words")})
                body = Text(chance, plan, lang)
                written = body.write("body")
                alone = len(plan.languages) == 1 and self.often(0.5)
                name = page if alone else f"{page}.{lang}"
                self.put(f"notes_src/pages/{name}.md", "\n\n".join([f"---\n{front}---\n{written}", *body.footnotes]))
        if self.often(0.2):
            self.put("static/CNAME", "a.example")
            self.put("static/demo/x y.html", "<script>1</script>")
        if self.often(0.2):
            self.put("assets/css/99-mine.css", ":root { --acc: light-dark(#7a2e8e, #d9a6e8); }\n")
        if self.often(0.2):
            self.put("notes_src/.hidden/x.md", b"\xff")

    def bibliography(self) -> str:
        entries = ["@string{icml = {Conference on \\& Tea}}\n@comment{x}\n"]
        if volume := self.often(0.3):
            entries.append("@proceedings{vol, title = {Proceedings of Tea}, publisher = {ACM}, year = 2025}\n")
        forms = ("misc", "article", "inproceedings", "book", "techreport", "online")
        for place, key in enumerate(self.plan.keys):
            optional = {
                "author": self.chance.choice(("{Lu, Yu and {A Team} and others}", '{J{\\"o}rg van der Tea}', "{张三}")),
                "year": "{2024}", "month": self.chance.choice(("nov", "{10~oct}", "3")), "date": "{2025-10-30}",
                "booktitle": '"Proc. " # icml', "journal": "{J. & T.}", "organization": "{Tea {\\&} Co}",
                "url": "{https://a.example/a_b%20c?x=1&y=~z}", "code": "{none}", "hf": "{https://huggingface.co/a/b}",
                "doi": f"{{10.1234/tea.{place}}}", "abstract": "{On $\\alpha$ \\emph{tea}.}", "badge": "{Tech; <b>}",
                "versions": "{2025-01 (v1) -> 2025-11 (v8)}", "links": "{[a](https://a.example) rest}", "note": "{n}",
                "keywords": "{a, b}", "pages": "{1--9}", "shorttitle": "{Tea <b>}", "version": "{2}",
                "crossref": "{vol}",
            }  # fmt: skip
            fields = {
                "title": self.chance.choice(
                    ("{On {T}ea: a $\\frac{1}{2}$ <b>study</b>}", "{茶 \\& 奶}", '{"x" é 👩‍👩‍👧}')
                )
            }
            fields |= {"eprint": f"{{{self.plan.listed[key][2:].replace('-', '.')}}}", "archivePrefix": "{arXiv}"}
            fields |= {name: value for name, value in optional.items() if self.often(0.35)}
            if not volume:
                fields.pop("crossref", None)
            lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
            entries.append(f"@{self.chance.choice(forms)}{{{key},\n{lines}{self.chance.choice(('', ','))}\n}}\n")
        return "\n".join(entries)

    def svg(self, width: int = 300) -> str:
        return SVG.format(width=width, one=self.plan.languages[0], other=self.plan.languages[-1])


def _day(text: str) -> Any:
    return yaml.safe_load(text)


def _as_words(value: Any) -> Any:
    """All scalars as text, as our YAML reads them."""
    if isinstance(value, dict):
        return {key: _as_words(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_words(item) for item in value]
    return "" if value is None else value if isinstance(value, str) else str(value).lower()


def legal_collection(seed: int) -> Files:
    """The collection of a seed."""
    return Collection(seed).files
