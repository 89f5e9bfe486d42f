"""A stranger's repository names programs in every way that git has: git runs none of them for us."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from running import paper_notes, write

from paper_notes.features.git.repository import git as ask

pytestmark = pytest.mark.skipif(os.name == "nt" or not shutil.which("git"), reason="needs git and a shell")
COLLECTION = {
    "notes_src/site.yaml": "title: Site\nlanguages: [en]\ntopics: [one]\n",
    "notes_src/one/topic.yaml": "title: One\n",
    "notes_src/one/01_A.md": "---\ntitle: A\n---\n\nText.\n",
}
WHO = {f"GIT_{who}_{what}": "x@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_DATE": "2024-02-03T12:00:00",
    "GIT_COMMITTER_DATE": "2024-02-03T12:00:00",
    **WHO,
}


def git(root: Path, *arguments: str, said: str = "", check: bool = True) -> str:
    """Plain git, as the attacker and careless programs call it."""
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, input=said, encoding="utf-8", check=check)
    return done.stdout.strip()


def commit(root: Path) -> None:
    git(root, "add", "-A", "-f")
    git(root, "commit", "-qm", "x")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a collection, a folder of notes, and a file whose name and words have changed."""
    root = write(tmp_path_factory.mktemp("original"), {**COLLECTION, "docs/PPO.md": "# PPO\n\n" + "Words.\n\n" * 9})
    write(root, {"elsewhere/a.md": "a"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    text = (root / "docs/PPO.md").read_text("utf-8")
    (root / "docs/PPO.md").unlink()
    write(root, {"docs/GRPO.md": f"{text}More.\n"})
    commit(root)
    return root


@pytest.fixture
def root(original: Path, tmp_path: Path) -> Path:
    write(tmp_path, {"run": f'#!/bin/sh\necho "$@" >> "{tmp_path}/ran"\nexit 1\n'})
    (tmp_path / "run").chmod(0o755)
    return Path(shutil.copytree(original, tmp_path / "clone"))


def script(root: Path) -> Path:
    return next(folder / "run" for folder in root.parents if (folder / "run").is_file())


def settings(**lines: str) -> Callable[[Path], None]:
    """Settings of the repository: `core__pager="{run}"` names the script."""

    def write_them(root: Path) -> None:
        for name, value in lines.items():
            filled = value.format(run=script(root), root=root)
            git(root, "config", name.replace("__", ".").replace("_", "-"), filled)

    return write_them


def signed(kind: str) -> Callable[[Path], None]:
    """A last commit with something like a signature, which `git log` is asked to show."""

    def sign(root: Path) -> None:
        head, _, message = git(root, "cat-file", "commit", "HEAD").partition("\n\n")
        block = f"-----BEGIN {kind}-----\n \n x\n -----END {kind}-----"
        text = f"{head}\ngpgsig {block}\n\n{message}\n"
        git(root, "update-ref", "HEAD", git(root, "hash-object", "-t", "commit", "-w", "--stdin", said=text))
        git(root, "config", "log.showSignature", "true")
        for name in ("gpg.program", "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.allowedSignersFile"):
            git(root, "config", name, str(script(root)))

    return sign


def missing(what: str, **lines: str) -> Callable[[Path], None]:
    """A clone that has no object of this name, and fetches it when it is needed."""

    def lose(root: Path) -> None:
        name = git(root, "rev-parse", what)
        if what.endswith(":elsewhere"):
            git(root, "reset", "-q", "--hard")  # nothing is collapsed in the index that looks changed
            git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "notes_src", "docs")
        (root / f".git/objects/{name[:2]}/{name[2:]}").unlink()
        settings(core__repositoryformatversion="1", extensions__partialClone="origin", remote__origin__promisor="true")(
            root
        )
        settings(**{"remote__origin__url": "{root}", **lines})(root)

    return lose


def bare_inside(folder: str, attack: Callable[[Path], None]) -> Callable[[Path], None]:
    """The folder becomes a repository without `.git`, and the clone is made by `git clone`."""

    def embed(root: Path) -> None:
        place = root / folder
        write(place, {**COLLECTION, "elsewhere/a.md": "a"} if folder == "sub" else {})
        git(place, "init", "-q", "-b", "main")
        commit(place)
        attack(place)
        git(place, "config", "core.bare", "false")
        git(place, "config", "core.worktree", ".")
        for path in list((place / ".git").iterdir()):
            if path.name in ("HEAD", "config", "objects", "refs", "index", "info"):
                path.rename(place / path.name)
        shutil.rmtree(place / ".git")
        write(place, {"objects/kept": "", "refs/kept": ""})
        commit(root)
        root.rename(root.with_name("outer"))
        git(root.parent, "clone", "-q", str(root.with_name("outer")), str(root))

    return embed


def chained(*steps: Callable[[Path], object]) -> Callable[[Path], None]:
    def do(root: Path) -> None:
        for step in steps:
            step(root)

    return do


def file(name: str, text: str) -> Callable[[Path], None]:
    def put(root: Path) -> None:
        write(root, {name: text.format(run=script(root))})
        (root / name).chmod(0o755)

    return put


def with_submodule(root: Path) -> None:
    write(root, {"module/a.md": "a", ".gitmodules": '[submodule "m"]\n\tpath = module\n\turl = ./x\n'})
    git(root / "module", "init", "-q")
    commit(root / "module")
    commit(root)
    settings(core__fsmonitor="{run}")(root / "module")
    settings(submodule__recurse="true", submodule__m__update="!{run}", submodule__m__active="true")(root)


FSMONITOR = "[core]\n\tfsmonitor = {run}\n"
ATTRIBUTES = file(".git/info/attributes", "* filter=x diff=x merge=x\n")
TOUCHED = file("docs/GRPO.md", "other words")
ATTACKS = {
    "signature": (signed("PGP SIGNATURE"), "log"),
    "signature by ssh": (signed("SSH SIGNATURE"), "log"),
    "signature by x509": (signed("SIGNED MESSAGE"), "log"),
    "embedded signature": (bare_inside("docs", signed("PGP SIGNATURE")), "-C docs log"),
    "missing tree": (missing("HEAD:elsewhere", remote__origin__uploadpack="{run}"), "ls-files"),
    "embedded missing tree": (
        bare_inside("sub", missing("HEAD:elsewhere", remote__origin__uploadpack="{run}")),
        "-C sub ls-files",
    ),
    "missing file": (missing("HEAD:docs/GRPO.md", remote__origin__uploadpack="{run}"), "log -p"),
    "ssh": (missing("HEAD:docs/GRPO.md", core__sshCommand="{run}", remote__origin__url="ssh://x.invalid/y"), "log -p"),
    "proxy": (missing("HEAD:docs/GRPO.md", core__gitProxy="{run}", remote__origin__url="git://x.invalid/y"), "log -p"),
    "transport": (
        missing("HEAD:docs/GRPO.md", protocol__allow="always", remote__origin__url="ext::{run} x"),
        "log -p",
    ),
    "credentials": (
        settings(credential__helper="!{run}", core__askPass="{run}", credential__https__helper="{run}"),
        "credential fill",
    ),
    "monitor": (settings(core__fsmonitor="{run}"), "status"),
    "include": (chained(settings(include__path="../evil"), file("evil", FSMONITOR)), "status"),
    "include if": (
        chained(lambda root: git(root, "config", "includeIf.gitdir:/.path", "../evil"), file("evil", FSMONITOR)),
        "status",
    ),
    "work tree's own": (
        chained(
            settings(core__repositoryformatversion="1", extensions__worktreeConfig="true"),
            file(".git/config.worktree", FSMONITOR),
        ),
        "status",
    ),
    "hook": (chained(file(".git/hooks/post-index-change", "#!/bin/sh\n{run}\n"), TOUCHED), "add ."),
    "hooks' path": (
        chained(settings(core__hooksPath="hooks"), file("hooks/post-index-change", "#!/bin/sh\n{run}\n"), TOUCHED),
        "add .",
    ),
    "clean": (chained(settings(filter__x__clean="{run}"), ATTRIBUTES, TOUCHED), "add ."),
    "smudge": (chained(settings(filter__x__smudge="{run}"), ATTRIBUTES, TOUCHED), "checkout ."),
    "filter": (chained(settings(filter__x__process="{run}"), ATTRIBUTES, TOUCHED), "add ."),
    "attributes' file": (
        chained(
            settings(core__attributesFile="attributes", filter__x__clean="{run}"),
            file("attributes", "* filter=x"),
            TOUCHED,
        ),
        "add .",
    ),
    "text of a file": (chained(settings(diff__x__textconv="{run}"), ATTRIBUTES), "log -p"),
    "difference": (chained(settings(diff__external="{run}"), TOUCHED), "diff"),
    "difference of a kind": (chained(settings(diff__x__command="{run}"), ATTRIBUTES, TOUCHED), "diff"),
    "merge": (chained(settings(merge__x__driver="{run}"), ATTRIBUTES), ""),
    "alias": (settings(alias__own="!{run}", alias__log="!{run}", alias__ls_files="!{run}"), "own"),
    "pager": (settings(core__pager="{run}", pager__log="{run}", pager__ls_files="{run}"), ""),
    "editor": (settings(core__editor="{run}", sequence__editor="{run}"), "commit --amend"),
    "submodule": (with_submodule, "status"),
    "alternate": (settings(core__alternateRefsCommand="{run}", safe__directory="*"), ""),
}
"""By what names the program: how the repository is made, and a command of plain git that runs it, if any does."""


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(("attack", "runs"), ATTACKS.values(), ids=ATTACKS)
def test_no_program_that_a_repository_names_is_run(attack: Callable[[Path], None], runs: str, root: Path) -> None:
    attack(root)
    ran = root.parent / "ran"
    ran.unlink(missing_ok=True)  # some are run while the repository is made
    mine = write(root.parent / "mine", COLLECTION)
    done = paper_notes("import", root / "docs", "--offline", "--dates", "git", "--root", mine)
    assert done.exit_code == 0, done.output
    assert not ran.exists(), "import"
    for collection in (root, root / "sub"):
        if collection.exists():
            paper_notes("doctor", "--root", collection)
            assert not ran.exists(), "doctor"
    if runs:
        said = "protocol=https\nhost=x.invalid\n\n" if runs.startswith("credential") else ""
        git(root, *runs.split(), said=said, check=False)
        assert ran.exists(), "this is a real attack"


def test_a_git_that_lies_in_the_clone_is_not_started(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(root.parent / "run", root / "git")
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert b"docs/GRPO.md" in ask(root, "ls-files")
    assert not (root.parent / "ran").exists()


def test_doctor_says_that_git_could_not_answer(root: Path) -> None:
    missing("HEAD:elsewhere", remote__origin__uploadpack="true")(root)
    done = paper_notes("doctor", "--root", root)
    assert (done.exit_code, "serious[git]: git could not say" in done.stdout) == (1, True), done.stdout
    assert "All is well" not in done.stderr


def test_git_answers_in_clones_of_all_kinds(root: Path) -> None:
    kinds = {
        "shallow": ("clone", "-q", "--depth", "1", f"file://{root}"),
        "borrowing": ("clone", "-q", "--shared", str(root)),
        "second": ("-C", str(root), "worktree", "add", "-q", "-b", "second"),
        "packed": ("clone", "-q", f"file://{root}"),
    }
    for name, command in kinds.items():
        place = root.parent / name
        git(root.parent, *command, str(place))
        (place / "docs/new.md").write_text("new", "utf-8")
        commits = ask(place, "log", "--format=%as", "-M", "--name-status")
        assert commits.count(b"2024-02-03") == (1 if name == "shallow" else 2), name
        assert b"docs/GRPO.md" in ask(place, "ls-files")
        assert ask(place / "docs", "ls-files", "--others", "--exclude-standard") == b"new.md\n"


def test_files_that_the_user_ignores_everywhere_stay_ignored(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"a.own": "", "b.mine": "", "c.md": "", ".git/info/exclude": "*.own\n"})
    write(tmp_path, {"ignored": "*.mine\n", ".gitconfig": "[core]\n\texcludesFile = ~/ignored\n"})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert ask(root, "ls-files", "--others", "--exclude-standard") == b"c.md\n"
