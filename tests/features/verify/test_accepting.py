"""`verify --accept`: a claim is a screen of 80 columns and a key; what was accepted holds until its words change."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import making_pdfs
import pytest
from click.testing import CliRunner, Result
from running import paper_notes, write
from test_verify_command import FILES, PDF

from paper_notes.commands import main
from paper_notes.commands.help import columns
from paper_notes.features.verify.commands import verify as command
from paper_notes.features.verify.evidence import NAME, KeptNumber, read_evidence
from paper_notes.sources.tree import Source

NOTE = "notes_src/tea/01_Speed"
METHODS = ("Plain", "Eagle", "Medusa", "Hydra", "Lookahead")
DATASETS = ("GSM8K", "MATH", "Code", "Chat")


def number(row: int, column: int) -> str:
    return f"{1 + (7 * row + 3 * column) % 9}.{(13 * row + 17 * column) % 90 + 10}"


def grid(first: int) -> tuple[tuple[str, ...], ...]:
    rows = tuple((name, *(number(first + at, column) for column in range(4))) for at, name in enumerate(METHODS))
    return (("Method", *DATASETS), *rows)


def table(rows: tuple[tuple[str, ...], ...]) -> str:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * 5 + "|", *body])


def costs() -> tuple[tuple[str, ...], ...]:
    """Two methods cost the same on MATH."""
    rows = [list(row) for row in grid(5)]
    rows[3][2] = rows[2][2]
    return tuple(map(tuple, rows))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A new note of forty numbers: a table of twenty, and twenty sentences, of which two do not name the method."""
    rows = costs()
    english, chinese = [], []
    for row in rows[1:]:
        for dataset, cost in zip(DATASETS, row[1:], strict=True):
            name = "It" if cost == rows[2][2] else row[0]
            english.append(f"- {name} costs {cost} on {dataset}.")
            chinese.append(f"- {'它' if name == 'It' else name} 在 {dataset} 上花 {cost}。")
    write(tmp_path, {
        "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [tea]\n",
        "notes_src/library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}}\n",
        "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
        f"{NOTE}/note.yaml": "title: {zh: 速度, en: Speed}\npapers: [lu760tea]\n",
        f"{NOTE}/en.md": "\n".join(
            ("Speeds (Table 1):\n", table(grid(0)), "\n## Costs {#costs}\n\nCosts (Table 2):\n", *english, "")
        ),
        f"{NOTE}/zh.md": "\n".join(
            ("速度（表 1）：\n", table(grid(0)), "\n## 花费 {#costs}\n\n花费（表 2）：\n", *chinese, "")
        ),
    })  # fmt: skip
    (tmp_path / "notes_src/pdfs").mkdir()
    (tmp_path / "notes_src/pdfs/lu760tea.pdf").write_bytes(
        making_pdfs.with_tables(("Table 1: Speed of five methods.", grid(0)), ("Table 2: Costs.", costs()))
    )
    return tmp_path


def pressed(monkeypatch: pytest.MonkeyPatch, root: Path, keys: str, *options: str, lang: str = "en") -> Result:
    monkeypatch.setattr(command, "is_terminal", lambda: True)
    arguments = ["--in", lang, "verify", "--accept", *options, "--root", str(root)]
    return CliRunner().invoke(main, arguments, input=keys)


def kept(root: Path) -> list[KeptNumber]:
    evidence = read_evidence(Source(PurePosixPath(NAME), (root / NOTE / NAME).read_bytes()))
    assert evidence
    return [number for section in evidence.sections for number in section.numbers]


def accepted(root: Path) -> int:
    return sum(bool(number.accepted) for number in kept(root))


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_new_note_of_forty_numbers_takes_fewer_keys_than_numbers(
    root: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """Five minutes are 300 seconds: that is a second for each of 40 screens, and more than a minute for each choice."""
    certain = pressed(monkeypatch, root, "q", "--yes", lang=lang)
    assert certain.exit_code == 0, certain.output
    assert accepted(root) == 76, "both languages say 38 that nothing speaks against"
    screens = certain.stderr.count("/2  tea/#1")
    rest = pressed(monkeypatch, root, "12", lang=lang)
    assert accepted(root) == 80
    assert screens + rest.stderr.count("/2  tea/#1") <= 3
    assert max(columns(line) for line in (certain.stderr + rest.stderr).splitlines()) <= 80
    assert [str(number.binding) for number in kept(root) if number.text == costs()[2][2]] == [
        f"@lu760tea T2[{method}, MATH]" for method in ("Eagle", "Medusa")
    ] * 2


def test_without_yes_a_key_accepts_a_table(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = pressed(monkeypatch, root, "t" + "y" * 5 + "q")
    assert "[t] accept this table (20)" in done.stderr
    assert accepted(root) == 2 * 25, "of both languages"
    assert done.stderr.count("/40  tea/#1") == 7


def test_a_claim_is_shown_with_its_sentence_and_the_cell_with_its_row_and_column(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = pressed(monkeypatch, root, "tnq").stderr
    assert "- " not in shown
    assert f"Plain costs »{costs()[1][1]}« on GSM8K." in shown
    assert f"1 {costs()[1][1]} · Table 2, p. 1 · row Plain · column GSM8K" in shown
    assert "3 of" not in shown
    chinese = pressed(monkeypatch, root, "tnq", lang="zh").stderr
    assert f"1 {costs()[1][1]} · 表 2，第 1 页 · 行 Plain · 列 GSM8K" in chinese


def test_keys_choose_skip_go_back_and_say_own(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed(monkeypatch, root, "t" + "n" + "o" + "bb" + "o" + "x?9" + "n" + "y" + "q")
    bindings = [str(number.binding) for number in kept(root) if number.accepted][20:]
    assert bindings[0] == "own"
    assert bindings[1] == "@lu760tea T2[Plain, Code]"


def test_what_was_accepted_is_not_asked_again_and_holds_until_its_sentence_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed(monkeypatch, root, "q", "--yes")
    path = root / NOTE / "en.md"
    path.write_text(
        path.read_text().replace("Costs (Table 2)", "All costs (Table 2)").replace("Hydra costs", "Hydra takes")
    )
    before = accepted(root)
    assert paper_notes("verify", "--keep", "--root", root).exit_code in (0, 1)
    assert before - accepted(root) == 4, "four sentences were changed"
    again = pressed(monkeypatch, root, "q")
    assert "1/6  tea/#1" in again.stderr


def test_ctrl_c_keeps_what_was_accepted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = iter("ty")

    def press() -> str:
        for key in keys:
            return key
        raise KeyboardInterrupt

    monkeypatch.setattr("click.getchar", press)
    done = pressed(monkeypatch, root, "")
    assert accepted(root) == 42, done.output


def test_without_a_terminal_it_accepts_only_what_is_certain(root: Path) -> None:
    refused = paper_notes("verify", "--accept", "--root", root)
    assert refused.exit_code == 1
    assert "--accept asks, so it needs a terminal" in refused.stderr
    assert not (root / NOTE / NAME).exists()
    done = paper_notes("verify", "--accept", "--yes", "--root", root)
    assert done.exit_code == 0
    assert f"38 are accepted and kept in {NOTE}/{NAME}" in done.stderr


def test_what_is_accepted_in_one_language_holds_in_the_other_that_names_another_place(tmp_path: Path) -> None:
    files = {name.replace("notes_src/tea/01_Green", NOTE): text for name, text in FILES.items()}
    english, chinese = "Black tea scores 64.5 (Table 1).\n", "红茶得 64.5 分（表 2）。\n"
    write(tmp_path, files | {f"{NOTE}/en.md": english, f"{NOTE}/zh.md": chinese})
    (tmp_path / PDF).parent.mkdir()
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    paper_notes("verify", "--keep", "--root", tmp_path)
    assert sorted(number.verdict for number in kept(tmp_path)) == ["bound", "elsewhere"]
    assert paper_notes("verify", "--accept", "--yes", "--root", tmp_path).exit_code == 0
    assert [str(number.binding) for number in kept(tmp_path)] == ["@lu760tea T1[Black tea, Score]"] * 2, "asked once"
    assert accepted(tmp_path) == 2
    assert paper_notes("verify", "--keep", "--root", tmp_path).stderr.startswith("what is kept is up to date")
