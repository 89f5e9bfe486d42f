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
    ("tracked", "ignored", "notice"),
    [(True, False, ""), (False, False, "neither committed nor ignored"), (True, True, "will not follow the sources")],
)
def test_who_makes_the_site(notice: str, *, tracked: bool, ignored: bool) -> None:
    notices = [
        one.message for one in found({"site/index.html": ""}, tracked=tracked, ignored=ignored) if one.level == "notice"
    ]
    assert [notice in message for message in notices] == ([True] if notice else [])


def test_what_the_workflow_installs() -> None:
    path = ".github/workflows/pages.yml"
    assert serious(found({path: 'env:\n  PAPER_NOTES: "paper-notes==1.2"\n'})) == []
    (other,) = (one for one in found({path: 'PAPER_NOTES: "paper-notes==1.1"\n'}) if one.level == "notice")
    assert ("1.1" in other.message, other.line) == (True, 1)
    assert serious(found({path: 'PAPER_NOTES: "paper-notes @ file:///x.whl"\n'})) == [("workflow", path, 1)]
    lfs = {".gitattributes": "*.pdf filter=lfs\n", path: "uses: actions/checkout@v6\nrun: paper-notes build\n"}
    assert serious(found(lfs)) == [("workflow", path, 0)]
    assert serious(found({**lfs, path: lfs[path] + "with:\n  lfs: true\n"})) == []
