"""New collections: each builds at once and without a word, whatever its languages and whatever is there already."""

from __future__ import annotations

import json
import re
from itertools import permutations
from pathlib import Path

import pytest
from running import PROJECT, files_of, paper_notes, some, write

from paper_notes.features.starting.beginning import chosen_languages, starting_words, usual_languages
from paper_notes.languages.language import BUILT_IN, places
from paper_notes.languages.text import Lang
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.project import InstalledFrom

PUBLIC = InstalledFrom("1.2", "paper-notes @ git+https://example.org/p.git@0a1b")


@pytest.fixture(autouse=True)
def _of_a_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others can reach where the program came from; what is done else is in test_own_wheel.py."""
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: PUBLIC)


OTHERS = ("fr,de", "en-GB", "pt-BR", "zh-TW,en", "ru,zh", "en,vi")
PAIRS = [",".join(pair) for pair in permutations(BUILT_IN, 2)]
CHOICES = [*BUILT_IN, *some(OTHERS, 3), *some(PAIRS, 4)]


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("languages", CHOICES)
def test_it_builds_at_once_and_nothing_is_reported(languages: str, tmp_path: Path) -> None:
    assert paper_notes("init", tmp_path, "--languages", languages).exit_code == 0
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1", "--json")
    assert (built.exit_code, json.loads(built.stdout)["diagnostics"]) == (0, []), built.output
    assert paper_notes("build", "--check", "--root", tmp_path, "--jobs", "1").exit_code == 0
    note = next(tmp_path.glob("notes_src/reading/*/note.yaml")).parent
    assert {path.stem for path in note.glob("*.md")} == set(languages.split(","))
    page = next(tmp_path.glob("site/reading/notes/*.html")).read_text("utf-8")
    assert page.count('class="gl"') == len(languages.split(",")), "its term of the glossary is used in each text"


def test_an_empty_one_builds_and_takes_notes_that_exist(tmp_path: Path) -> None:
    own, vault = tmp_path / "own", tmp_path / "vault"
    write(vault, {"rl/GRPO.md": "# GRPO\n\nNo critic.\n"})
    assert paper_notes("init", own, "--empty", "--languages", "en").exit_code == 0
    assert not [path for path in files_of(own) if path.endswith((".md", "note.yaml")) and "notes_src" in path]
    empty = paper_notes("build", "--root", own, "--jobs", "1", "--json")
    assert (empty.exit_code, json.loads(empty.stdout)["diagnostics"]) == (0, []), empty.output
    assert paper_notes("import", vault, "--root", own, "--offline").exit_code == 0
    assert "topics: [rl]" in (own / "notes_src/site.yaml").read_text("utf-8")
    both = paper_notes("init", own, "--empty", "--topic", "rl")
    assert (both.exit_code, "--topic or --empty" in both.output) == (2, True)


def test_of_an_empty_one_readme_and_home_page_say_what_there_is(tmp_path: Path) -> None:
    assert paper_notes("init", tmp_path, "--empty", "--languages", "zh_CN,en").exit_code == 0
    assert "languages: [zh-CN, en]" in (tmp_path / "notes_src/site.yaml").read_text("utf-8"), "as systems write it"
    assert paper_notes("build", "--root", tmp_path, "--jobs", "1").exit_code == 0
    assert "\n└── index.html  #" in (tmp_path / "README.md").read_text("utf-8")
    assert "No notes yet: paper-notes new starts one" in (tmp_path / "site/index.html").read_text("utf-8")


def test_a_site_of_somebody_else_is_named_before_the_first_build(tmp_path: Path) -> None:
    write(tmp_path, {"site/index.html": "mine"})
    assert "site/ is there already, and no build has written it" in paper_notes("init", tmp_path).stderr
    assert "site/ is there" not in paper_notes("init", tmp_path / "other").stderr


def test_all_is_listed_and_there(tmp_path: Path) -> None:
    result = paper_notes("init", tmp_path, "--topic", "rl", "--pages", "--json")
    told = json.loads(result.stdout)
    assert told == {"created": sorted(files_of(tmp_path)), "updated": [], "kept": []}
    for name in ("README.md", ".gitignore", ".github/workflows/pages.yml", "notes_src/rl/topic.yaml"):
        assert name in told["created"]
    assert {"/site/", "/notes_src/pdfs/"} < set((tmp_path / ".gitignore").read_text("utf-8").splitlines())
    assert f'PAPER_NOTES: "{PUBLIC.requirement}"' in (tmp_path / ".github/workflows/pages.yml").read_text("utf-8")


def test_without_pages_there_is_no_workflow_and_it_can_be_added(tmp_path: Path) -> None:
    paper_notes("init", tmp_path)
    assert not (tmp_path / ".github").exists()
    before = files_of(tmp_path)
    again = paper_notes("init", tmp_path, "--languages", "en", "--pages")
    assert again.exit_code == 0
    assert "see that your .gitignore" not in again.stderr, "it has the line, below words in another language"
    assert "GitHub Actions" in again.stderr
    after = files_of(tmp_path)
    assert set(after) - set(before) == {".github/workflows/pages.yml", ".github/workflows/review.yml"}
    assert "add it to `topics:` of site.yaml" in paper_notes("init", tmp_path, "--digest").stderr
    assert set(files_of(tmp_path)) - set(after) == {".github/workflows/digest.yml"}
    assert {name: files_of(tmp_path)[name] for name in after} == after
    assert {name: after[name] for name in before} == before


def test_what_exists_is_never_changed(tmp_path: Path) -> None:
    own = {
        "README.md": "# Mine\n",
        ".gitignore": "*.aux\n",
        ".vscode/settings.json": "{}\n",
        "notes_src/library.bib": "@misc{mine, title = {Mine}, author = {Me, A.}, year = 2020}\n",
    }
    write(tmp_path, own)
    result = paper_notes("init", tmp_path)
    assert result.exit_code == 0, result.output
    assert "paper-notes:begin" in result.stderr, "how the README gets its list"
    assert "/site/" in result.stderr
    assert "/notes_src/pdfs/" in result.stderr
    for name, text in own.items():
        assert (tmp_path / name).read_text("utf-8") == text
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1", "--json")
    assert (built.exit_code, json.loads(built.stdout)["diagnostics"]) == (0, [])
    assert (tmp_path / "README.md").read_text("utf-8") == own["README.md"]


def test_in_a_collection_only_what_is_around_the_notes_is_added(tmp_path: Path) -> None:
    notes = {
        "notes_src/site.yaml": "title: {zh: 我的, en: Mine}\ntopics: [rl]\n",
        "notes_src/rl/topic.yaml": "title: RL\n",
    }
    write(tmp_path, notes)
    assert paper_notes("init", tmp_path).exit_code == 0
    made = files_of(tmp_path)
    assert {name for name in made if name.startswith("notes_src/")} == set(notes)
    assert "README.md" not in made


NOTHING_MADE = {
    "an unknown language": (["--languages", "xx"], {}, "zh-Hant"),
    "no language": (["--languages", ","], {}, "zh,en"),
    "three languages": (["--languages", "zh,en,ja"], {}, "one language or two"),
    "a topic in a folder": (["--topic", "a/b"], {}, "--topic"),
    "a topic outside": (["--topic", ".."], {}, "--topic"),
    "a topic that pages need": (["--topic", "assets.html/"], {}, "--topic"),
    "a topic that cannot be": (["--topic", "pn-x"], {}, "pn-x"),
    "notes without settings": ([], {"notes_src/rl/01_a/zh.md": "x\n"}, "site.yaml"),
    "what cannot be read": ([], {"notes_src/a.bib": "\x00"}, "a.bib"),
}


@pytest.mark.parametrize(("options", "files", "named"), NOTHING_MADE.values(), ids=NOTHING_MADE.keys())
def test_where_no_collection_can_begin_nothing_is_written(
    options: list[str], files: dict[str, str], named: str, tmp_path: Path
) -> None:
    write(tmp_path, files)
    result = paper_notes("init", tmp_path, *options)
    assert result.exit_code == 1, result.output
    assert named in result.stderr
    assert "Nothing was written" in result.stderr
    assert set(files_of(tmp_path)) == set(files)


def test_not_inside_of_another_collection(tmp_path: Path) -> None:
    paper_notes("init", tmp_path)
    result = paper_notes("init", tmp_path / "notes_src" / "new")
    assert result.exit_code == 1
    assert str(tmp_path) in result.stderr
    assert not (tmp_path / "notes_src" / "new").exists()


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    assert paper_notes("init", tmp_path / "a" / "b").exit_code == 0
    assert (tmp_path / "a" / "b" / "notes_src" / "site.yaml").is_file()


def test_each_snippet_is_markdown_that_is_understood(tmp_path: Path) -> None:
    """With the words that stand in its places; choices take each of their words."""
    paper_notes("init", tmp_path, "--languages", "en")
    snippets = json.loads((tmp_path / ".vscode/paper-notes.code-snippets").read_text("utf-8"))
    blocks = []
    for snippet in snippets.values():
        body = "\n".join(snippet["body"])
        choice = re.search(r"\$\{1\|([^|]*)\|\}", body)
        for word in choice[1].split(",") if choice else [""]:
            text = re.sub(r"\$\{1\|[^|]*\|\}", word, body)
            text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text).replace("$0", "Text.").replace("\\$", "$")
            blocks.append(text.replace("@key", "@vaswani2017attention").replace("-name}", f"-{len(blocks)}}}"))
    known = {name for block in blocks for name in re.findall(r"^:::([a-z]+)", block, re.MULTILINE)}
    assert known <= set(COMPONENTS)
    assert len(known) > 15
    text = "\n\n".join(block for block in blocks if "pdf:" not in block).replace("thm-name", "thm")
    note = next(tmp_path.glob("notes_src/reading/*/en.md"))
    write(note.parent, {"en.md": text, "file.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'})
    result = paper_notes("check", "--root", tmp_path, "--jobs", "1")
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("link", [".vscode", ".github", "notes_src", "README.md"])
def test_a_link_leads_nothing_out_of_the_folder(link: str, tmp_path: Path) -> None:
    """The folder may be a stranger's repository."""
    (tmp_path / "outside").mkdir()
    root = tmp_path / "notes"
    root.mkdir()
    target = tmp_path / "outside" / ("README.md" if link == "README.md" else "")
    (root / link).symlink_to(target)
    result = paper_notes("init", root, "--pages")
    assert result.exit_code == 1, result.output
    assert "Nothing was written" in result.stderr
    assert (list((tmp_path / "outside").iterdir()), [path.name for path in root.iterdir()]) == ([], [link])


def test_hidden_folders_are_not_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / ".vscode").symlink_to(tmp_path / ".git" / "hooks")
    assert paper_notes("init", tmp_path).exit_code == 1
    assert list((tmp_path / ".git" / "hooks").iterdir()) == []


ENGLISH = starting_words(Lang("en")).languages[0].words
EACH = pytest.mark.parametrize("tag", BUILT_IN)
ONLY_IN = {"zh": "这说语读译论对页题结发关们", "zh-Hant": "這說讀譯對發關們裡", "ja": "読訳対発関図でをはの"}
"""Characters that one of them has, and the others do not."""


@EACH
def test_each_language_has_the_texts_of_english_with_the_same_places(tag: Lang) -> None:
    words = starting_words(tag).languages[0].words
    assert set(words) == set(ENGLISH)
    assert {name: places(text) for name, text in words.items()} == {
        name: places(text) for name, text in ENGLISH.items()
    }


@EACH
def test_no_text_is_in_another_language(tag: Lang) -> None:
    words = starting_words(tag).languages[0].words
    texts = "".join(map(str, words.values()))
    for other, characters in ONLY_IN.items():
        assert other == tag or not set(texts) & set(characters), other
    assert tag == "en" or set(texts) & set(ONLY_IN[tag])
    assert tag == "en" or not [name for name, text in words.items() if text == ENGLISH[name]]


@EACH
def test_the_note_has_the_same_formulas_and_citations(tag: Lang) -> None:
    def shape(note: object) -> list[str]:
        return sorted(re.findall(r"\\softmax.*|\[@[^\]]*\]|^:::[a-z]+|^## ", str(note), re.MULTILINE))

    assert shape(starting_words(tag).languages[0].words["note"]) == shape(ENGLISH["note"])


def test_each_text_is_used() -> None:
    module = (PROJECT / "paper_notes/features/starting/beginning.py").read_text("utf-8")
    assert [name for name in ENGLISH if not re.search(rf"[\"']{name}[\"']", module)] == []


def test_a_variant_has_the_texts_of_its_language_and_others_those_of_english() -> None:
    for tag in ("en-GB", "fr"):
        assert starting_words(Lang(tag)).languages[0].words == ENGLISH


def test_a_language_without_words_gets_them_in_a_file_to_be_translated(tmp_path: Path) -> None:
    said = paper_notes("init", tmp_path, "--languages", "zh,fr").stderr
    assert "in English at first: translate notes_src/words.fr.yaml." in said
    assert [path.name for path in tmp_path.glob("notes_src/words.*")] == ["words.fr.yaml"]
    file = tmp_path / "notes_src/words.fr.yaml"
    text = file.read_text("utf-8")
    assert text.startswith("# 网页用的词语（français），现在还是英文")
    file.write_text(text.replace("motivation: [motivation]", "motivation: [pourquoi]").replace("Glossary", "Glossaire"))
    note = next(tmp_path.glob("notes_src/reading/*/fr.md"))
    note.write_text(note.read_text("utf-8").replace("## Motivation", "## Pourquoi"), "utf-8")
    built = paper_notes("build", "--root", tmp_path, "--jobs", "1", "--json")
    assert (built.exit_code, json.loads(built.stdout)["diagnostics"]) == (0, []), built.output
    page = next(tmp_path.glob("site/reading/notes/*.html")).read_text("utf-8")
    assert 'href="#motivation"' in page
    assert "Glossaire" in page


@pytest.mark.parametrize(
    ("system", "languages"),
    [
        ([], "zh,en"),
        (["zh_CN"], "zh,en"),
        (["zh_TW"], "zh-Hant,en"),
        (["en_GB"], "en,zh"),
        (["ja_JP", "en"], "ja,en"),
        (["fr_FR"], "fr,en"),
        (["xx", "de_AT"], "de,en"),
        (["ar_EG"], "zh,en"),
    ],
)
def test_it_begins_in_the_languages_of_the_system(system: list[str], languages: str) -> None:
    assert usual_languages(system) == languages
    chosen_languages(languages)


ASKED = {
    "Enter takes what is there": (["", "", ""], [], "title: {fr: Paper notes, en: Paper notes}", "reading"),
    "answers": (["de", "Meine Notizen", "rl"], [], "title: Meine Notizen", "rl"),
    "until it can be": (["fr,xx", "he", "ja", "", "a/b", "rl"], [], "title: 論文ノート", "rl"),
    "not what is given": (["Mine", ""], ["--languages", "zh,en"], "title: {zh: Mine, en: Mine}", "reading"),
    "nothing if all is given": ([], ["--languages", "en", "--title", "A: b", "--topic", "rl"], "title: 'A: b'", "rl"),
}


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(("answers", "options", "title", "topic"), ASKED.values(), ids=ASKED.keys())
def test_on_a_terminal_it_asks_for_what_is_not_given(
    answers: list[str], options: list[str], title: str, topic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paper_notes.features.starting.commands.init.is_terminal", lambda: True)
    for name, value in {"LC_ALL": "fr_FR.UTF-8", "LANGUAGE": "", "PAPER_NOTES_LANG": "en"}.items():
        monkeypatch.setenv(name, value)
    done = paper_notes("init", tmp_path, *options, typed="".join(f"{answer}\n" for answer in answers))
    assert done.exit_code == 0, done.output
    assert f"\n{title}\n" in (tmp_path / "notes_src/site.yaml").read_text("utf-8")
    assert (tmp_path / f"notes_src/{topic}/topic.yaml").is_file()
    shown = title.partition(": ")[2].strip("'")
    assert "{" in title or (tmp_path / "README.md").read_text("utf-8").startswith(f"# {shown}\n")
    assert paper_notes("check", "--root", tmp_path, "--jobs", "1").exit_code == 0
    again = paper_notes("init", tmp_path, "--pages", typed="")
    assert again.exit_code == 0, "a collection that is there is asked about nothing"


def test_whoever_stops_answering_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paper_notes.features.starting.commands.init.is_terminal", lambda: True)
    done = paper_notes("init", tmp_path, typed="zh\n")
    assert done.exit_code == 130
    assert "Nothing was written" in done.stderr
    assert files_of(tmp_path) == {}
