"""The first day with paper-notes: what is typed is what the program said before."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest
from installing import Shell, press_ctrl_c
from running import PROJECT


def told_commands(said: str) -> list[str]:
    """Commands that are on lines of their own, with a word of what they are for."""
    return re.findall(r"^  (paper-notes .*?) +# ", said, re.MULTILINE)


def follow_hints(said: str, folder: Path) -> int:
    """Put what each hint suggests in the place that its error names; how many there were."""
    found = re.findall(
        r'^(\S+):(\d+):(\d+): error\[[^]]*\]: [^\n]*"([^"]+)"[^\n]*\n  hint: did you mean "([^"]+)"', said, re.MULTILINE
    )
    for name, line, column, wrong, right in found:
        path = folder / name
        lines = path.read_text("utf-8").splitlines(keepends=True)
        before, after = lines[int(line) - 1][: int(column) - 1], lines[int(line) - 1][int(column) - 1 :]
        assert wrong in after, f"{name}:{line}:{column} is where {wrong} is"
        lines[int(line) - 1] = before + after.replace(wrong, right, 1)
        path.write_text("".join(lines), "utf-8")
    return len(found)


@pytest.mark.nightly
def test_from_an_empty_folder_to_a_site_that_is_current(shell: Shell, tmp_path: Path) -> None:
    notes = tmp_path / "my notes"
    notes.mkdir()
    assert "init" in shell.must("paper-notes --help", notes)
    where = shell.must("python -c 'import paper_notes; print(paper_notes.__file__)'", notes)
    assert not Path(where.strip()).is_relative_to(PROJECT), "the wheel is what is tried"

    done = shell.type("paper-notes build", notes)
    assert done.returncode == 1
    begin, for_notes = re.findall(r"`(paper-notes .*?)`", done.stderr)
    assert for_notes == f"{begin} --empty"
    said = shell.must(begin, notes)
    assert "Do not commit site/" in said
    build, serve, new = told_commands(said)

    said = shell.must(build, notes)
    assert "warning" not in said
    (home,) = re.findall(r"Open (.*index\.html)", said)
    assert "Attention Is All You Need" in (notes / home).read_text("utf-8")
    assert "[Attention Is All You Need" in (notes / "README.md").read_text("utf-8")

    watching = shell.start(serve.replace(" --open", ""), notes)
    try:
        assert watching.stderr
        lines = iter(watching.stderr.readline, "")  # the first may say that the usual port is taken
        address = next(found[0] for line in lines if (found := re.match(r"http://\S+", line)))
        with urllib.request.urlopen(address, timeout=120) as answer:
            assert b"Attention Is All You Need" in answer.read()
    finally:
        ended = press_ctrl_c(watching)
    assert ended in (0, 130)

    said = shell.must(f"{new} --offline", notes)
    (written,) = re.findall(r"Write on in (\S+);", said)
    assert (notes / written / "note.yaml").is_file()

    note = next(path for path in (notes / written).glob("*.md") if "## " in path.read_text("utf-8"))
    key = re.search(r"@misc\{(\w+)", (notes / "notes_src/library.bib").read_text("utf-8"))
    assert key
    note.write_text(f"{note.read_text('utf-8')}\nAs in [@vaswani2017attentoin] and [@{key[1]}].\n", "utf-8")
    facts = notes / written / "note.yaml"
    facts.write_text(facts.read_text("utf-8").replace("created:", "creatd:"), "utf-8")
    done = shell.type(build, notes)
    assert done.returncode == 1
    assert "nothing was written" in done.stderr
    assert follow_hints(done.stderr, notes) == 2
    assert "creatd" not in facts.read_text("utf-8")

    done = shell.type("paper-notes build --check", notes)
    assert done.returncode == 1
    (advised,) = re.findall(r"run `(.*)`", done.stderr)
    shell.must(advised, notes)
    shell.must("paper-notes build --check", notes)
    assert "vaswani2017attention" in next(notes.glob(f"site/reading/notes/{Path(written).name}.html")).read_text(
        "utf-8"
    )

    name = Path(written).name
    note.write_text(f"{note.read_text('utf-8')}\nMore in [[#1]].\n", "utf-8")
    with (notes / "notes_src/reading/topic.yaml").open("a", encoding="utf-8") as topic:
        topic.write("reading_paths: [{id: first, title: First, steps: [1, 2]}]\n")
    assert shell.type(f"paper-notes move reading/{name} 5 --check", notes).returncode == 1
    said = shell.must(f"paper-notes move reading/{name} 5", notes)
    assert "steps: [1, 5]" in (notes / "notes_src/reading/topic.yaml").read_text("utf-8")
    (advised,) = re.findall(r"run `(.*)`", said)
    shell.must(advised, notes)
    assert f"05{name[2:]}.html" in (notes / f"site/reading/notes/{name}.html").read_text("utf-8")
    shell.must("paper-notes build --check", notes)


@pytest.mark.nightly
def test_what_readme_and_guide_of_the_beginning_name_can_be_typed(shell: Shell, tmp_path: Path) -> None:
    shell.must("paper-notes init notes --languages en --topic rl", tmp_path)
    text = (tmp_path / "notes/README.md").read_text("utf-8")
    (block,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    install, *commands = block.splitlines()
    assert install.startswith("pipx install ADDRESS "), "a wheel of this machine, which others have from elsewhere"
    for line in commands:
        command = line.partition("#")[0].strip()
        assert "Usage: paper-notes" in shell.must(f"{command} --help", tmp_path / "notes")
    page = Path(shell.must("paper-notes guide --no-open", tmp_path).strip())
    assert not page.is_relative_to(PROJECT)
    assert "Writing a note" in page.read_text("utf-8")
