"""What git would publish: sizes, paths of one machine, site/, the workflow."""

from __future__ import annotations

import pytest

from paper_notes.features.doctor.finding import DoctorFinding
from paper_notes.features.doctor.published import REFUSED, WARNED, PublishedFile, Repository, local_paths_in, published


def found(
    texts: dict[str, str], *, tracked: bool = True, ignored: bool = False, sizes: dict[str, int] | None = None
) -> list[DoctorFinding]:
    files = [PublishedFile(path, len(text), tracked) for path, text in texts.items()]
    files += [PublishedFile(path, size, tracked) for path, size in (sizes or {}).items()]
    return list(published(Repository(tuple(files), ignored), lambda path: texts.get(path, "").encode(), "1.2"))


def serious(findings: list[DoctorFinding]) -> list[tuple[str, str, int]]:
    return [(one.about, one.path, one.line) for one in findings if one.level == "serious"]


@pytest.mark.parametrize(
    ("text", "is_local"),
    [
        ("file = {/home/zhangwei/Zotero/a.pdf}", True), ("/Users/mli/x.pdf", True), (r"C:\Users\mli\a.pdf", True),
        (r"C\:\\Users\\mli\\a.pdf", False), ("/home/user/data", False), ("/home/you/notes", False), ("/home/", False),
        ("https://x.org/home/page/1", False), ("file:///home/mli/a", True),
        ("/usr/share/fonts", False), ("~/notes", False), ("/home/$USER/x", False),
    ],
)  # fmt: skip
def test_paths_of_one_machine(text: str, *, is_local: bool) -> None:
    assert bool(list(local_paths_in("a.bib", text))) is is_local


def test_sizes_pdfs_and_pointers() -> None:
    texts = {"notes_src/a.png": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n"}
    all_found = found(texts, sizes={"big.zip": REFUSED + 1, "large.zip": WARNED + 1, "notes_src/pdfs/x.pdf": 5_000_000})
    assert serious(all_found) == [("large-file", "big.zip", 0), ("lfs-pointer", "notes_src/a.png", 0)]
    assert [one.path for one in all_found if one.level == "notice"] == ["large.zip", "notes_src/pdfs/x.pdf"]
    assert serious(found({}, sizes={f"site/{n}.pdf": WARNED for n in range(25)})) != []


@pytest.mark.parametrize(
    ("tracked", "ignored", "deploys", "said"),
    [
        (True, False, False, ["ok: site/ is committed (1 files)"]),
        (True, False, True, ["ok: site/ is committed (1 files); a workflow makes it as well"]),
        (False, False, False, ["notice: site/ is neither committed nor ignored: `git add .` would take 1 files"]),
        (
            False,
            True,
            False,
            ["ok: site/ is ignored", "ok: no workflow publishes it; `paper-notes init --pages` writes one"],
        ),
        (False, True, True, ["ok: site/ is ignored, and a workflow makes it"]),
        (
            True,
            True,
            True,
            ["notice: site/ is ignored, and 1 of its files are committed: they will not follow the sources"],
        ),
    ],
)
def test_who_makes_the_site(said: list[str], *, tracked: bool, ignored: bool, deploys: bool) -> None:
    workflow = {".github/workflows/pages.yml": "uses: actions/deploy-pages@v4\n"} if deploys else {}
    pages = {} if ignored and not tracked else {"site/index.html": ""}  # what git ignores, it does not name
    findings = found({**pages, **workflow}, tracked=tracked, ignored=ignored)
    assert [f"{one.level}: {one.message}" for one in findings if one.about == "site"] == said


def test_what_the_workflow_installs() -> None:
    path = ".github/workflows/pages.yml"
    assert serious(found({path: 'env:\n  PAPER_NOTES: "paper-notes==1.2"\n'})) == []
    (other,) = (one for one in found({path: 'PAPER_NOTES: "paper-notes==1.1"\n'}) if one.level == "notice")
    assert ("1.1" in other.message, other.line) == (True, 1)
    assert serious(found({path: 'PAPER_NOTES: "paper-notes @ file:///x.whl"\n'})) == [("workflow", path, 1)]
    lfs = {".gitattributes": "*.pdf filter=lfs\n", path: "uses: actions/checkout@v6\nrun: paper-notes build\n"}
    assert serious(found(lfs)) == [("workflow", path, 0)]
    assert serious(found({**lfs, path: lfs[path] + "with:\n  lfs: true\n"})) == []
