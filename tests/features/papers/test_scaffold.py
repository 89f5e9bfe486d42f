from __future__ import annotations

import datetime
import re
import time
from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
import yaml

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import load
from paper_notes.corpus.model import ArxivId, Corpus, Fact, Lang, Note
from paper_notes.corpus.paper import BibKey, Paper, PersonName
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.features.papers.arxiv import offline_draft, parse_arxiv_id
from paper_notes.features.papers.draft import Draft, bibtex_entry
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.features.papers.note_template import as_markdown, missing_box
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.features.papers.scaffold import as_yaml, scaffold
from paper_notes.languages.language import language
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source
from paper_notes.typography import typographic
from paper_notes.values import replace

TODAY = datetime.date(2026, 11, 21)
SITE = {
    "site.yaml": "title: {zh: 站, en: Site}\ntopics: [spec-rl, models]\n",
    "spec-rl/topic.yaml": "title: {zh: 题, en: Topic}\n",
    "models/topic.yaml": "title: {zh: 模, en: Models}\n",
}
DRAFT = Draft(
    source="arxiv",
    arxiv=ArxivId("2510.26475"),
    version=2,
    year=2025,
    month=10,
    title="ReSpec: Fast & Frugal RL, 100% of #1",
    authors=(
        PersonName("Ada", "", "Quill"),
        PersonName("Bruno", "van der", "Berg", "Jr."),
        PersonName(last="Nest-AI Team"),
    ),
    abstract="We decode quickly. Speed-ups reach 4.5$\\times$ on 30\\% of tasks (pass@1).",
    primary_class="cs.LG",
    doi="10.1234/abc_d",
)


def sources_of(files: Mapping[str, str | bytes]) -> tuple[Source, ...]:
    made = (
        Source(PurePosixPath("notes_src", path), text if isinstance(text, bytes) else text.encode())
        for path, text in files.items()
    )
    return tuple(sorted(made, key=lambda source: source.path))


def corpus_of(sources: tuple[Source, ...]) -> Corpus:
    corpus, problems = load(sources)
    assert corpus is not None
    assert problems == ()
    return corpus


def with_artifacts(sources: tuple[Source, ...], artifacts: tuple[Artifact, ...]) -> tuple[Source, ...]:
    files = {source.path: source for source in sources}
    files |= {artifact.path: Source(artifact.path, artifact.data) for artifact in artifacts}
    return tuple(files[path] for path in sorted(files))


def make(
    draft: Draft, files: Mapping[str, str | bytes] = SITE, *, topic: str = "spec-rl", name: str | None = None
) -> dict[str, str]:
    """The new files by path below notes_src."""
    sources = sources_of(files)
    made = scaffold(corpus_of(sources), sources, draft, topic=topic, name=name, today=TODAY)
    return {str(artifact.path.relative_to("notes_src")): artifact.data.decode() for artifact in made.artifacts}


def rebuilt(draft: Draft, files: Mapping[str, str | bytes] = SITE) -> tuple[Note, Paper, tuple[Diagnostic, ...]]:
    """The new note and its paper as the next build reads them, and everything it has to say about them."""
    sources = sources_of(files)
    artifacts = scaffold(corpus_of(sources), sources, draft, topic="spec-rl", name=None, today=TODAY).artifacts
    corpus, problems = load(with_artifacts(sources, artifacts))
    assert corpus is not None
    note = corpus.notes_of(corpus.site.topics[0])[-1]
    return note, corpus.papers[note.papers[0]], (*problems, *render_body(note).diagnostics)


@pytest.mark.parametrize(
    ("draft", "title"),
    [
        (Draft("id", ArxivId("2602.06036"), doi="10.1234/a"), "arXiv:2602.06036"),
        (Draft("id", doi="10.1234/a", fields={"url": "https://a.example"}), "doi:10.1234/a"),
        (Draft("page", fields={"url": "https://a.example"}), "https://a.example"),
        (Draft("page"), "?"),
    ],
)
def test_a_paper_without_a_title_is_called_by_what_is_known(draft: Draft, title: str) -> None:
    assert draft.unknown_title == title


def test_all_files() -> None:
    files = make(DRAFT)
    assert list(files) == [
        "spec-rl/01_ReSpec_2510.26475/note.yaml",
        "spec-rl/01_ReSpec_2510.26475/zh.md",
        "spec-rl/01_ReSpec_2510.26475/en.md",
        "library.bib",
    ]
    assert files["spec-rl/01_ReSpec_2510.26475/note.yaml"] == (
        "title:\n"
        "  zh: ReSpec\n"
        "  en: ReSpec\n"
        "kind: paper\n"
        "papers:\n"
        "- quill2025respec\n"
        "created: 2026-11-21\n"
        "status: todo\n"
        "metadata:\n"
        "  source: arxiv\n"
        "  date: 2026-11-21\n"
    )
    assert files["library.bib"] == (
        "@misc{quill2025respec,\n"
        "  title = {{ReSpec}: Fast \\& Frugal {RL}, 100\\% of \\#1},\n"
        "  author = {Quill, Ada and van der Berg, Jr., Bruno and {Nest-AI Team}},\n"
        "  year = {2025},\n"
        "  month = oct,\n"
        "  eprint = {2510.26475},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {cs.LG},\n"
        "  version = {2},\n"
        "  doi = {10.1234/abc_d},\n"
        "  abstract = {We decode quickly. Speed-ups reach 4.5$\\times$ on 30\\% of tasks (pass@1).},\n"
        "}\n"
    )
    quotation = "> We decode quickly. Speed-ups reach 4.5$\\times$ on 30% of tasks (pass@1).\n>\n> "
    assert (
        f"\n{quotation}—— 摘要，arXiv:2510.26475v2 [@quill2025respec]\n\n## 动机\n"
        in files["spec-rl/01_ReSpec_2510.26475/zh.md"]
    )
    assert (
        f"\n{quotation}— abstract, arXiv:2510.26475v2 [@quill2025respec]\n\n## Motivation\n"
        in files["spec-rl/01_ReSpec_2510.26475/en.md"]
    )


def test_offline_files() -> None:
    reference = parse_arxiv_id("cs/0112017")
    assert reference
    files = make(offline_draft(reference))
    assert next(iter(files)) == "spec-rl/01_cs-0112017/note.yaml"
    assert files["library.bib"] == (
        "@misc{arxivcs0112017,\n"
        "  title = {{arXiv:cs/0112017}},\n"
        "  year = {2001},\n"
        "  month = dec,\n"
        "  eprint = {cs/0112017},\n"
        "  archivePrefix = {arXiv},\n"
        "}\n"
    )
    assert ":::\n\n## Motivation\n" in files["spec-rl/01_cs-0112017/en.md"]


DRAFTS = {
    "online": DRAFT,
    "offline": Draft("id", ArxivId("2602.06036"), None, 2026, 2),
    "offline-old": Draft("id", ArxivId("cs/0112017"), 1, 2001, 12),
    "yaml": replace(DRAFT, title="\"Yes\": 'no' # {a: [b]} - *c &d !e |f >g @h `i` ? , %"),
    "yaml-null": replace(DRAFT, title="null"),
    "yaml-number": replace(DRAFT, title="1984"),
    "cjk": replace(
        DRAFT, title="大模型：推理 & 训练（一）", authors=(PersonName(last="李雷"), PersonName("伟", "", "王"))
    ),
    "tex": replace(DRAFT, title="Schr\\\"odinger's \\emph{Cat}, $\\epsilon$-greedy $5_a$ x_y ~ ^ \\LaTeX"),
    "braces": replace(DRAFT, title="A } brace { and {another} \\", abstract="} open { and $\\frac{$ \\"),
    "dollars": replace(
        DRAFT, title="It costs $5, or $6", abstract="from \\$5 to \\$6, or $7; $ x $ and 3$x$5 $k$-gram"
    ),
    "only-tex": replace(DRAFT, title="\\relax"),
    "emoji": replace(DRAFT, title="🐦 Hummingbird 🐦"),
    "names": replace(
        DRAFT,
        authors=(
            PersonName("Janet", "", "Al & Sons"),
            PersonName("and", "", "Others"),
            PersonName("Jürgen", "de la", "Vallée Ø%_#"),
            PersonName(last="{Nest"),
        ),
    ),
    "markdown": replace(
        DRAFT,
        abstract="1. *We* [[#3]] [@nobody] [^1] ^[x] [a](b) ![c](d.png) <b>e</b> `f` ~~g~~ &amp; __h__ ::: | i | {#j} "
        "see https://example.org/a_b_(c)?d=*e* or arXiv:2510.26475, doi:10.1234/x_y_z. \\undefined{k} $\\nothing{$.",
    ),
    "list": replace(DRAFT, abstract="- we"),
    "container": replace(DRAFT, abstract=":::tldr"),
    "heading": replace(DRAFT, abstract="# We"),
    "bibtex": replace(DRAFT, abstract='@misc{x, title = {"y"}} # z', primary_class="cs.{LG}", doi="10.1234/a{b 10.5/c"),
}


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
def test_it_builds_at_once(draft: Draft) -> None:
    note, paper, problems = rebuilt(draft)
    unknown = () if draft.authors else (("missing-field", "warning"),)
    assert tuple((problem.rule, problem.severity) for problem in problems) == unknown
    assert (note.number, note.status, note.created, note.languages) == (1, "todo", TODAY, ("zh", "en"))
    assert (paper.arxiv, paper.year, paper.month) == (draft.arxiv, draft.year, draft.month)
    proposed = re.split(": |：", typographic(paper.title))[0]
    assert note.title[Lang("zh")] == note.title[Lang("en")] == proposed


@pytest.mark.parametrize("case", ["online", "yaml-null", "yaml-number", "cjk", "dollars", "emoji"])
def test_what_was_found_is_what_is_read(case: str) -> None:
    _, paper, _ = rebuilt(DRAFTS[case])
    assert paper.title == DRAFTS[case].title
    assert paper.authors == DRAFTS[case].authors


def test_tex_becomes_text() -> None:
    note, _, _ = rebuilt(DRAFTS["tex"])
    assert note.title[Lang("en")] == "Schrödinger’s Cat, ϵ-greedy $5_a$ x_y ^ LaTeX"


def test_both_languages_have_the_same_sections() -> None:
    note, _, _ = rebuilt(DRAFT)
    answered = (re.sub(r"(?<!\*)\*[^*\n]+\*(?!\*)", "x", text.text) for text in note.texts)
    texts = (replace(text, content=content) for text, content in zip(note.texts, answered, strict=True))
    body = render_body(replace(note, texts=tuple(texts)))
    assert [section.id for section in body.sections] == [
        "motivation",
        "background",
        "method",
        "formulas",
        "experiments",
        "limitations",
        "open-questions",
        "memory-points",
    ]
    assert all(set(section.halves) == {"zh", "en"} for section in body.sections)
    assert not any("*" in half.html for section in body.sections for half in section.halves.values())


@pytest.mark.parametrize(
    ("title", "name", "proposed"),
    [
        ("ReSpec: Faster RL", None, "ReSpec"),
        ("大模型：推理", None, "大模型"),
        ("The Bitter Lesson", None, "The Bitter Lesson"),
        ("The Bitter Lesson: A Memoir", "Bitter_Lesson", "Bitter Lesson"),
        (r"$\frac{a:b}{c}$: Sorting", None, r"$\frac{a:b}{c}$: Sorting"),
        ("$O(n)$: Sorting", None, "O(n)"),
    ],
)
def test_a_new_note_is_called_shorter_than_its_paper(title: str, name: str | None, proposed: str) -> None:
    files = make(replace(DRAFT, title=title), name=name)
    note = next(yaml.safe_load(text) for path, text in files.items() if path.endswith("/note.yaml"))
    assert note["title"] == {"zh": proposed, "en": proposed}


def test_a_site_in_one_language() -> None:
    files = make(DRAFT, {**SITE, "site.yaml": "title: Site\nlanguages: [en]\ntopics: [spec-rl, models]\n"})
    assert list(files) == [
        "spec-rl/01_ReSpec_2510.26475/note.yaml",
        "spec-rl/01_ReSpec_2510.26475/en.md",
        "library.bib",
    ]
    assert files["spec-rl/01_ReSpec_2510.26475/note.yaml"].startswith("title:\n  en: ReSpec\n")


def test_texts_are_in_the_order_and_the_words_of_the_site() -> None:
    files = make(
        DRAFT, {**SITE, "site.yaml": "title: {en: Site, zh: 站}\nlanguages: [en, zh]\ntopics: [spec-rl, models]\n"}
    )
    folder = "spec-rl/01_ReSpec_2510.26475"
    assert list(files)[1:3] == [f"{folder}/en.md", f"{folder}/zh.md"]
    assert files[f"{folder}/note.yaml"].startswith("title:\n  en: ReSpec\n  zh: ")


def test_a_language_of_the_collections_own_has_its_words_and_else_english_ones() -> None:
    own = {
        "site.yaml": "title: Site\nlanguages: [fr]\ntopics: [spec-rl]\n",
        "words.fr.yaml": 'new: {missing: "**Il manque** : {facts} (`{key}`).", fact: {title: le titre}}\n',
        "spec-rl/topic.yaml": "title: Sujet\n",
    }
    sources = sources_of(own)
    corpus, _ = load(sources)
    assert corpus is not None
    made = scaffold(corpus, sources, Draft("id", doi="10.1234/nest.7"), topic="spec-rl", name=None, today=TODAY)
    text = next(file.data.decode() for file in made.artifacts if file.path.name == "fr.md")
    missing = "**Il manque** : le titre, the authors, the year, the abstract (`doi101234nest7`)."
    assert f":::\n\n:::note\n{missing}\n:::\n\n## Motivation\n" in text
    assert not re.search(r"\n{3}|\{\w+\}", text)


# -- numbers and names ---------------------------------------------------------------------------------------------


def test_the_next_number_counts_every_folder() -> None:
    files: dict[str, str | bytes] = {
        **SITE,
        "spec-rl/02_A/note.yaml": "title: A\n",
        "spec-rl/02_A/zh.md": "甲",
        "spec-rl/09_figures-only/a.png": b"",
        "models/41_B/note.yaml": "title: B\n",
        "models/41_B/zh.md": "乙",
    }
    assert next(iter(make(DRAFT, files))) == "spec-rl/10_ReSpec_2510.26475/note.yaml"
    assert next(iter(make(DRAFT, files, topic="models", name="X.1"))) == "models/42_X.1_2510.26475/note.yaml"


TITLES = {
    "ReSpec: Towards Something": "ReSpec",
    "EAGLE-3: Scaling up Inference": "EAGLE3",
    "vLLM: Easy Serving": "vLLM",
    "Gemma 3: A Report": "Gemma3",
    "The Bitter Lesson: Notes": "BitterLesson",
    "Fast Inference from Transformers via Speculative Decoding": "FastInferenceTransformers",
    "A Long Story About Many Things: BodySummary Quickly": "LongStoryAbout",
    "Let's Verify Step by Step": "LetsVerifyStep",
    "On the Way": "Way",
    "To Be": "Be",
    "The": "The",
    "Évaluer l'œuvre de Łukasz": "EvaluerLoeuvreDe",
    "$\\alpha$-ReQ": "alphaReQ",
    "大模型：推理": "",
    "x" * 500: "X" + "x" * 59,
}


@pytest.mark.parametrize(("title", "name"), TITLES.items())
def test_names_from_titles(title: str, name: str) -> None:
    path = next(iter(make(replace(DRAFT, title=title))))
    assert path == f"spec-rl/01_{name}{'_' if name else ''}2510.26475/note.yaml"


# -- keys and the library ------------------------------------------------------------------------------------------

KEYS = {
    "plain": (DRAFT, "quill2025respec"),
    "article": (replace(DRAFT, title="The Bitter Lesson"), "quill2025bitter"),
    "hyphen": (replace(DRAFT, title="Search-R1: Training"), "quill2025searchr1"),
    "accents": (replace(DRAFT, title="Über Bücher", authors=(PersonName("X", "", "Łoś Ñandú"),)), "losnandu2025uber"),
    "von": (replace(DRAFT, authors=(PersonName("X", "van der", "Berg"),)), "berg2025respec"),
    "group": (replace(DRAFT, authors=(PersonName(last="Gemini Team Google"),)), "gemini2025respec"),
    "hyphen-group": (replace(DRAFT, authors=(PersonName(last="DeepSeek-AI"),)), "deepseekai2025respec"),
    "cjk-title": (replace(DRAFT, title="大模型"), "quill2025"),
    "cjk-author": (replace(DRAFT, authors=(PersonName(last="李雷"),)), "arxiv251026475"),
    "no-author": (replace(DRAFT, authors=()), "arxiv251026475"),
    "old-id": (Draft("id", ArxivId("hep-th/9711200"), None, 1997, 11), "arxivhepth9711200"),
}


@pytest.mark.parametrize(("draft", "key"), KEYS.values(), ids=KEYS)
def test_keys(draft: Draft, key: str) -> None:
    assert bibtex_entry(draft, ()).startswith(f"@misc{{{key},\n")


def test_a_taken_key_gets_a_letter() -> None:
    taken = {BibKey("quill2025respec")}
    assert bibtex_entry(DRAFT, taken).startswith("@misc{quill2025respeca,\n")
    assert bibtex_entry(DRAFT, {*taken, BibKey("quill2025respeca")}).startswith("@misc{quill2025respecb,\n")


def test_an_entry_of_somebody_else_gets_a_free_key_and_its_parent_comes_only_once() -> None:
    entry = "@misc{misc, title={A misc}, author={Quill, Ada}, year=2025, crossref={all}}"
    parent = "@proceedings{all, title={All}, author={Berg, Bo}, year=2025}"
    draft = Draft(source="bibtex", title="A misc", entry=f"{entry}\n\n{parent}\n")
    assert make(draft)["library.bib"] == draft.entry
    taken = f"{parent}\n@misc{{misc, title={{Another}}, author={{Berg, Bo}}, year=2024}}\n"
    library = make(draft, {**SITE, "library.bib": taken})["library.bib"]
    assert library == f"{taken}\n{entry.replace('{misc', '{misca')}\n"


OLD = "% mine\n@misc{quill2025respec,\n  title = {Another}, author = {Quill, Ada}, year = 2024\n}"


@pytest.mark.parametrize(
    ("old", "gap"),
    [
        (b"", b""),
        (OLD.encode(), b"\n\n"),
        (OLD.encode() + b"\n", b"\n"),
        (b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode(), b"\r\n\r\n"),
    ],
    ids=["empty", "no-newline", "newline", "windows"],
)
def test_the_library_is_kept_byte_for_byte(old: bytes, gap: bytes) -> None:
    sources = sources_of({**SITE, "library.bib": old})
    artifacts = scaffold(corpus_of(sources), sources, DRAFT, topic="spec-rl", name=None, today=TODAY).artifacts
    library = artifacts[-1].data
    assert library.startswith(old + gap + b"@misc{quill2025respec")
    assert library.count(b"\r\n") == (library.count(b"\n") if b"\r" in old else 0)
    corpus_of(with_artifacts(sources, artifacts))


ENTRY = (
    "@article{mine,\n  title = {Known: a Title}, author = {Quill, Ada}, year = 2025,\n"
    "  url = {https://arxiv.org/abs/2510.26475v1}, abstract = {Known words.}\n}\n"
)


def test_a_known_paper_keeps_its_entry() -> None:
    files = make(Draft("id", ArxivId("2510.26475"), None, 2025, 10), {**SITE, "other.bib": ENTRY})
    assert list(files) == [f"spec-rl/01_Known_2510.26475/{name}" for name in ("note.yaml", "zh.md", "en.md")]
    assert "papers:\n- mine\n" in files["spec-rl/01_Known_2510.26475/note.yaml"]
    assert "> Known words.\n>\n> — abstract, arXiv:2510.26475 [@mine]\n" in files["spec-rl/01_Known_2510.26475/en.md"]


ARTICLE = Draft(
    source="doi",
    year=2024,
    month=3,
    title="A Tiny Model",
    authors=(PersonName("Ada", "", "Quill"),),
    doi="10.1234/nest.7",
    entry_type="article",
    fields={"journal": "Birds & Nests", "pages": "101--117", "url": "https://example.org/a_b?c=1%202&d"},
)


def test_an_article() -> None:
    files = make(ARTICLE)
    assert next(iter(files)) == "spec-rl/01_TinyModel_2024/note.yaml"
    assert files["library.bib"] == (
        "@article{quill2024tiny,\n"
        "  title = {A Tiny Model},\n"
        "  author = {Quill, Ada},\n"
        "  journal = {Birds \\& Nests},\n"
        "  pages = {101--117},\n"
        "  url = {https://example.org/a_b?c=1%202&d},\n"
        "  year = {2024},\n"
        "  month = mar,\n"
        "  doi = {10.1234/nest.7},\n"
        "}\n"
    )
    _, paper, problems = rebuilt(ARTICLE)
    assert (paper.venue, paper.doi, problems) == ("Birds & Nests", "10.1234/nest.7", ())


BARE_NAMES = {
    "chinese": (replace(ARTICLE, title="大模型"), "01_quill2024"),
    "no year": (replace(ARTICLE, year=None), "01_TinyModel"),
    "a doi only": (Draft("id", doi="10.1234/nest.7"), "01_doi101234nest7"),
    "nothing at all": (Draft("pdf"), "01_paper"),
}


@pytest.mark.parametrize(("draft", "name"), BARE_NAMES.values(), ids=BARE_NAMES)
def test_names_without_an_arxiv_id(draft: Draft, name: str) -> None:
    assert next(iter(make(draft))) == f"spec-rl/{name}/note.yaml"
    assert not [problem for problem in rebuilt(draft)[2] if problem.severity == "error"]


BERG = PersonName("Bruno", "", "Berg")
KNOWN = {
    "doi": ("doi = {10.1234/NEST.7}", replace(ARTICLE, title="Other"), True),
    "title and author": ("title = {A {Tiny} Model!}", replace(ARTICLE, doi=None), True),
    "title, another doi": ("title = {A Tiny Model}, doi = {10.1234/other}", ARTICLE, False),
    "title, another author": (
        "title = {A Tiny Model}",
        replace(ARTICLE, authors=(PersonName("B", "", "Berg"),)),
        False,
    ),
    "title and year, no author": ("title = {A Tiny Model}", replace(ARTICLE, doi=None, authors=()), True),
    "title, another year, no author": ("title = {A Tiny Model}", replace(ARTICLE, year=2020, authors=()), False),
    "arXiv id": ("eprint = {2510.26475}", DRAFT, True),
    "another arXiv id": ("title = {ReSpec: Fast Frugal RL 100 of 1}, eprint = {2510.26476}", DRAFT, False),
}


@pytest.mark.parametrize(("fields", "draft", "is_known"), KNOWN.values(), ids=KNOWN)
def test_known_papers(fields: str, draft: Draft, is_known: bool) -> None:
    title = "" if "title" in fields else "title = {Mine}, "
    bib = f"@misc{{mine, author = {{Quill, Ada}}, year = 2024, {title}{fields}}}\n"
    assert (KnownPapers(corpus_of(sources_of({**SITE, "library.bib": bib}))).find(draft) is not None) == is_known


def test_missing_facts_are_named_in_both_languages() -> None:
    files = make(Draft("id", doi="10.1234/nest.7"))
    folder = "spec-rl/01_doi101234nest7"
    assert (
        ":::note\n**Still missing**: the title, the authors, the year, the abstract. "
        "`paper-notes lookup` looks them up; or put them into `doi101234nest7` in the `.bib`, "
        "then delete this block.\n:::\n"
    ) in files[f"{folder}/en.md"]
    assert "**还缺**：标题、作者、年份、摘要。" in files[f"{folder}/zh.md"]
    assert "  missing:\n  - title\n  - authors\n  - year\n  - abstract\n" in files[f"{folder}/note.yaml"]


def test_how_facts_are_listed_depends_on_the_script() -> None:
    missing: tuple[Fact, ...] = ("title", "year")
    english = language(Lang("en"))
    assert "**Still missing**: the title, the year." in missing_box(english, missing, BibKey("a2020b"))
    assert "**Still missing**: the title、the year." in missing_box(
        replace(english, script="Jpan"), missing, BibKey("a2020b")
    )


OUTLINE = (OutlineItem(1, "1 Intro *duction*", 1), OutlineItem(2, "1.1 Eggs", 2), OutlineItem(1, "IV. Nests", 3))


def test_the_papers_sections_become_headings() -> None:
    draft = replace(ARTICLE, outline=OUTLINE)
    text = make(draft)["spec-rl/01_TinyModel_2024/en.md"]
    assert (
        "### §1 Intro \\*duction\\* {#paper-1}\n\n*p. 1 on: what does it claim?*\n\n- 1.1 Eggs (p. 2)\n\n"
        "### §IV Nests {#paper-2}\n\n*p. 3 on: what does it claim?*\n\n## Method\n"
    ) in text
    assert rebuilt(draft)[2] == ()


def test_its_pdf() -> None:
    sources = sources_of(SITE)
    made = scaffold(corpus_of(sources), sources, DRAFT, topic="models", name=None, today=TODAY, pdf=b"%PDF-")
    assert {str(artifact.path) for artifact in made.artifacts} >= {"notes_src/pdfs/2510.26475v2.pdf"}


# -- problems ------------------------------------------------------------------------------------------------------

NOTED = {
    **SITE,
    "library.bib": ENTRY,
    "models/07_Mine/note.yaml": "title: {zh: 甲, en: A}\npapers: [mine]\n",
    "models/07_Mine/zh.md": "甲",
}
PROBLEMS = {
    "topic": (
        SITE,
        "spec-lr",
        None,
        'there is no topic "spec-lr"',
        'did you mean "spec-rl"?; or make it with --new-topic',
    ),
    "noted": (
        NOTED,
        "spec-rl",
        None,
        "there is a note on arXiv:2510.26475 already: notes_src/models/07_Mine",
        "write on in that one",
    ),
    "noted-by-name": (
        {**SITE, "models/07_B_2510.26475/note.yaml": "title: B\n", "models/07_B_2510.26475/zh.md": "乙"},
        "spec-rl",
        None,
        "there is a note on arXiv:2510.26475 already: notes_src/models/07_B_2510.26475",
        "write on in that one",
    ),
    "slash": (SITE, "spec-rl", "../x", '"../x" cannot be the name of a note', "use letters, digits and . _ + -"),
    "space": (SITE, "spec-rl", "Re Spec", '"Re Spec" cannot be the name of a note', "use letters, digits and . _ + -"),
    "empty": (SITE, "spec-rl", "", '"" cannot be the name of a note', "use letters, digits and . _ + -"),
    "long": (SITE, "spec-rl", "x" * 61, "the name has 61 characters", "use at most 60"),
}


@pytest.mark.parametrize(("files", "topic", "name", "message", "hint"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems(files: dict[str, str], topic: str, name: str | None, message: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        make(DRAFT, files, topic=topic, name=name)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_a_comparison_does_not_count_as_the_note() -> None:
    files = {**NOTED, "models/07_Mine/note.yaml": "title: {zh: 甲, en: A}\nkind: comparison\npapers: [mine]\n"}
    assert next(iter(make(DRAFT, files))) == "spec-rl/01_Known_2510.26475/note.yaml"


# -- abstracts as Markdown -----------------------------------------------------------------------------------------

MARKDOWN = {
    "plain words, 3.5 and pass@k.": "plain words, 3.5 and pass@k.",
    "up to 4.5$\\times$ and $\\sim$30%": "up to 4.5$\\times$ and $\\sim$30%",
    "an $n$-gram and $O(n_1)$": "an $n$-gram and $O(n_1)$",
    "$ x_1 $": "$x_1$",
    "$x$2": "\\$x\\$2",
    "from $5 to $6, or $5-$6": "from $5 to $6, or \\$5-\\$6",
    "bad $\\frac{$ here": "bad `$\\frac{$` here",
    "a_b _c_ *d* [e] <f> `g` ~h~ \\i": "a_b \\_c\\_ \\*d\\* [e] \\<f> \\`g\\` ~h~ \\i",
    "R&D &amp; &#38;": "R&D \\&amp; \\&#38;",
    "see https://e.org/a_b*c*/.": "see <https://e.org/a_b*c*/>.",
    "1. one": "1\\. one",
    "- one": "\\- one",
    ":::x": "\\:::x",
    "arXiv:2510.26475 and 10.1234/ab": "arXiv:2510.26475 and 10.1234/ab",
    "bad $\\frac{$$\\sqrt{$": "bad `$\\frac{$` `$\\sqrt{$`",
    "a :::: b [c](d) {.e}": "a :::: b \\[c&#93;(d) &#123;.e}",
}


@pytest.mark.parametrize(("text", "markdown"), MARKDOWN.items())
def test_as_markdown(text: str, markdown: str) -> None:
    assert as_markdown(text) == markdown


# -- what comes from outside ---------------------------------------------------------------------------------------


def test_a_draft_is_clean_whatever_it_was_made_of() -> None:
    draft = Draft(
        "doi",
        title="A \u202eTitle\u2066\0 of\n\ud800 nests\ufffe",
        authors=(PersonName("Ada\u200b", "", "Qu\x1bill"), PersonName("\u202e"), PersonName(last="x" * 301)),
        doi="10.1234/a\u202eb}c",
        fields={"journal": "Nests\x00", "volume": "1" * 2001},
        outline=(OutlineItem(1, "\u202e", 1), OutlineItem(1, "Nests" + "x" * 9999, 2)),
    )
    assert draft.title == "A Title of nests"
    assert draft.authors == (PersonName("Ada", "", "Qu ill"),)
    assert draft.doi == "10.1234/ab"
    assert draft.fields == {"journal": "Nests", "volume": ""}
    assert [len(item.title) for item in draft.outline] == [300]
    assert draft.left_out == (
        "its volume, because it has 2,001 characters, more than 2,000",
        "authors, because they are too many or their names too long",
    )


TOO_LONG = {
    "title": ({"title": "word " * 201}, "the title, because it has 1,004 characters, more than 1,000", ("title",)),
    "abstract": (
        {"abstract": "$ " * 2_000_000},
        "the abstract, because it has 3,999,999 characters, more than 20,000",
        ("abstract",),
    ),
    "doi": ({"doi": "10.1234/" + "x" * 300}, "its DOI, because it is not a DOI", ()),
    "no doi": ({"doi": "on request"}, "its DOI, because it is not a DOI", ()),
    "authors": (
        {"authors": (PersonName(last="A"),) * 20_000},
        "authors, because they are too many or their names too long",
        (),
    ),
}


@pytest.mark.parametrize(("facts", "left_out", "missing"), TOO_LONG.values(), ids=TOO_LONG)
def test_what_no_paper_has_is_left_out_and_said(
    facts: Mapping[str, object], left_out: str, missing: tuple[str, ...]
) -> None:
    draft = replace(DRAFT, **facts)
    assert draft.left_out == (left_out,)
    note, _, problems = rebuilt(draft)
    assert problems == ()
    assert note.metadata is not None
    assert note.metadata.missing == missing


def test_an_abstract_of_the_collection_that_no_paper_has_is_not_quoted() -> None:
    long = {
        **SITE,
        "library.bib": f"@misc{{mine, title={{T}}, author={{A, B}}, year=2020, abstract={{{'$ ' * 50_000}}}}}\n",
    }
    files = make(Draft("bibtex", key=BibKey("mine")), long)
    assert "abstract" not in files["spec-rl/01_T_2020/en.md"]


def test_a_note_that_would_not_build_is_not_made() -> None:
    entry = f"@misc{{mine, title={{{'T' * 10_001}}}, author={{A, B}}, year=2020}}\n"
    with pytest.raises(UserError) as caught:
        make(Draft("bibtex", entry=entry))
    assert caught.value.message.startswith(
        "the new note would not build: "
        f"notes_src/spec-rl/01_{'T' * 60}_2020/note.yaml:2:7: `title.zh` must be a text of 10,000 characters at most"
    )
    assert caught.value.hint == "use --offline and write it down yourself, or its entry into library.bib"


@pytest.mark.nightly
@pytest.mark.parametrize("piece", ["$ ", "5$", "$x$", "11,,", "$1,,", "1", "`", "http://", "&a"])
def test_long_abstracts_become_markdown_quickly(piece: str) -> None:
    began = time.process_time()
    as_markdown(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "value", ["😀 done", "a\u2028b", "a\x85b", "key: [x]", "多行\n文字", "\\Name", "- 1", "~", "x" * 200]
)
def test_facts_are_written_as_the_slow_dumper_writes_them(value: str) -> None:
    slowly = yaml.safe_dump({"extra": {value: [value]}}, sort_keys=False, allow_unicode=True, width=10_000)
    assert as_yaml({"extra": {value: [value]}}) == slowly
