"""What git would publish: sizes, paths of one machine, site/, the workflow."""

from __future__ import annotations

import hashlib

import pytest

from paper_notes.features.doctor.finding import DoctorFinding
from paper_notes.features.doctor.published import REFUSED, WARNED, PublishedFile, Repository, local_paths_in, published
from paper_notes.project import InstalledFrom
from paper_notes.values import replace

INDEX = InstalledFrom("1.2", "paper-notes==1.2")


def found(
    texts: dict[str, str],
    source: InstalledFrom = INDEX,
    *,
    tracked: bool = True,
    ignored: bool = False,
    sizes: dict[str, int] | None = None,
) -> list[DoctorFinding]:
    files = [PublishedFile(path, len(text), tracked) for path, text in texts.items()]
    files += [PublishedFile(path, size, tracked) for path, size in (sizes or {}).items()]
    repository = Repository(tuple(files), ignored, "https://me.github.io/n/")
    return list(published(repository, lambda path: texts.get(path, "").encode(), source))


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


PATH = ".github/workflows/pages.yml"


FOLDER = InstalledFrom("1.2", folder="/p")
GIT = InstalledFrom("1.2", "paper-notes @ git+https://x.org/p@0a")
WHEEL = "vendor/paper_notes-1.2-py3-none-any.whl"
DIGEST = hashlib.sha256(b"wheel").hexdigest()
INSTALLED = [
    ("paper-notes==1.2", INDEX, {}, "ok"),
    ("paper-notes==1.1", INDEX, {}, "notice"),
    ("paper-notes==1.2", FOLDER, {}, "serious"),
    ("paper-notes==1.2", GIT, {}, "serious"),
    ("paper-notes @ file:///x.whl", FOLDER, {}, "serious"),
    ("/home/x.whl", FOLDER, {}, "serious"),
    (f'{WHEEL}[vega]" # {DIGEST}', replace(FOLDER, extras="[vega]"), {WHEEL: "wheel"}, "ok"),
    (f'{WHEEL}" # {DIGEST}', replace(FOLDER, extras="[vega]"), {WHEEL: "wheel"}, "notice"),
    ("paper-notes[vega]==1.2", InstalledFrom("1.2", "paper-notes[vega]==1.2"), {}, "ok"),
    ("paper-notes==1.2", InstalledFrom("1.2", "paper-notes[vega]==1.2"), {}, "notice"),
    ("paper-notes[vega] @ file:///p", FOLDER, {}, "serious"),
    ("../p", FOLDER, {}, "serious"),
    (GIT.requirement, GIT, {}, "ok"),
    ("git+https://x.org/p@0b", GIT, {}, "notice"),
    ("git+ssh://git@x.org/p@0a", GIT, {}, "serious"),
    (f'{WHEEL}" # {DIGEST}', FOLDER, {WHEEL: "wheel"}, "ok"),
    (f'{WHEEL}" # {DIGEST}', FOLDER, {WHEEL: "another"}, "serious"),
    (f'{WHEEL}" # {DIGEST}', FOLDER, {}, "serious"),
    (f'{WHEEL.replace("1.2", "1.1")}" # {DIGEST}', FOLDER, {WHEEL.replace("1.2", "1.1"): "wheel"}, "notice"),
]


@pytest.mark.parametrize(("wanted", "source", "files", "level"), INSTALLED)
def test_others_can_install_what_the_workflow_does(
    wanted: str, source: InstalledFrom, files: dict[str, str], level: str
) -> None:
    text = f'env:\n  PAPER_NOTES: "{wanted}' + '"' * ("#" not in wanted) + "\n"
    (finding,) = (one for one in found({PATH: text, **files}, source) if one.about == "workflow")
    assert (finding.level, finding.line, bool(finding.hint)) == (level, 2, level != "ok"), finding.message


def test_tables_that_lead_to_pages_which_are_not_committed_are_told() -> None:
    table = "<!-- paper-notes:begin -->\n[a](site/a.html)\n<!-- paper-notes:end -->\n"
    (links,) = (one for one in found({"README.md": table}, ignored=True) if one.about == "links")
    assert (links.level, links.path) == ("notice", "README.md")
    assert "base_url: https://me.github.io/n/" in links.hint
    own = {"README.md": "[a](site/a.html)\n<!-- paper-notes:begin -->\n[a](https://me)\n<!-- paper-notes:end -->\n"}
    for findings in (found({"README.md": table}), found(own, ignored=True)):
        assert [one for one in findings if one.about == "links"] == []


def test_what_is_kept_with_git_lfs_is_checked_out() -> None:
    path = PATH
    lfs = {".gitattributes": "*.pdf filter=lfs\n", path: "uses: actions/checkout@v6\nrun: paper-notes build\n"}
    assert serious(found(lfs)) == [("workflow", path, 0)]
    assert serious(found({**lfs, path: lfs[path] + "with:\n  lfs: true\n"})) == []
