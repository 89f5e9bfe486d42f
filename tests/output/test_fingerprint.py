"""Whether a build has nothing to do."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from running import paper_notes, run_python, write

from paper_notes.build import update
from paper_notes.engine import program
from paper_notes.engine.cache import open_cache
from paper_notes.output import fingerprint
from paper_notes.output.fingerprint import unchanged

COLLECTION = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [one]\nreadme: true\n",
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_A.md": "---\ntitle: A\nlanguage: zh\n---\n文\n",
    "README.md": "before\n<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
}


def test_a_readme_that_is_saved_right_after_a_build_wrote_it_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, COLLECTION)
    time.sleep(0.03)  # what was saved a moment ago is not trusted

    def somebody_saves(_: float) -> None:
        readme = root / "README.md"
        readme.write_text(readme.read_text("utf-8").replace("begin -->", "begin -->\nin the region\n"), "utf-8")

    is_fresh = iter((False, True, False))  # sources, and what was written before and after the wait: on any machine
    with monkeypatch.context() as patch:
        patch.setattr(fingerprint, "any_fresh", lambda _: next(is_fresh))
        patch.setattr(time, "sleep", somebody_saves)
        first = paper_notes("build", "--root", root)
    assert first.exit_code == 0, first.stderr
    text = (root / "README.md").read_text("utf-8")
    again = paper_notes("build", "--root", root)
    assert "1 updated" in again.stderr
    assert (root / "README.md").read_text("utf-8") != text
    assert "nothing to write" in paper_notes("build", "--root", root).stderr


def test_what_was_built_is_known_until_anything_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, COLLECTION)
    ours = write(tmp_path / "installed", {"paper_notes/engine/program.py": "", "templates/note.html": "a"})
    monkeypatch.setattr(program, "__file__", str(ours / "paper_notes/engine/program.py"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(write(tmp_path / "libraries", {"a/b.py": ""}))])
    changes = {
        "nothing": lambda: None,
        "a source": lambda: (root / "notes_src/one/01_A.md").write_text(COLLECTION["notes_src/one/01_A.md"] + "字"),
        "a source more": lambda: (root / "notes_src/one/02_B.md").write_text(COLLECTION["notes_src/one/01_A.md"]),
        "a style": lambda: write(root, {"assets/own.css": "b{}"}),
        "a page": lambda: (root / "site/index.html").unlink(),
        "the program": lambda: write(ours, {"paper_notes/build.py": "more"}),
        "its templates": lambda: write(ours, {"templates/note.html": "b"}),
        "a library": lambda: write(tmp_path / "libraries", {"c/d.py": ""}),
        "another Python": lambda: monkeypatch.setattr(sys, "version", "4"),
        "a README": lambda: (root / "README.md").write_text("more\n" + (root / "README.md").read_text("utf-8")),
    }
    plan = update(root, jobs=1).plan
    assert plan
    files, known = plan.size, {}
    for name, change in changes.items():
        time.sleep(0.03)  # what was saved a moment ago is not trusted
        update(root, jobs=1)
        change()
        with closing(open_cache(root)) as cache:
            known[name] = unchanged(root, cache)
    record = known.pop("nothing")
    assert record
    assert (record.notes, record.drafts, record.diagnostics) == (1, 0, ())
    assert record.files == files
    assert [name for name, seen in known.items() if seen] == []


@pytest.mark.nightly
def test_a_changed_sentence_imports_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    """Each takes as long to import as the page to make; what they gave is kept."""
    root = write(tmp_path, COLLECTION)
    slow = ("pydantic", "uharfbuzz", "bibtexparser", "asyncio", "pymupdf", "pygments", "importlib.metadata")
    code = f"""
import sys
from pathlib import Path
from paper_notes.build import update
update(Path({str(root)!r}), jobs=1)
print([name for name in {slow!r} if name in sys.modules])
"""
    assert "pydantic" in run_python(code)
    time.sleep(0.03)  # what was saved a moment ago is not trusted
    (root / "notes_src/one/01_A.md").write_text(COLLECTION["notes_src/one/01_A.md"] + "字", "utf-8")
    assert run_python(code) == "[]\n"
    assert "字" in (root / "site/one/notes/01_A.html").read_text("utf-8")
