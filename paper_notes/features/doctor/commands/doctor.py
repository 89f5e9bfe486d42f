"""`paper-notes doctor`."""

from __future__ import annotations

import os
import platform
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from stat import S_ISREG

import click

from paper_notes import __version__
from paper_notes.commands.terminal import INPUT_WRONG, json_option, print_json, root_option, say, tell, translated
from paper_notes.features.doctor.finding import DoctorFinding
from paper_notes.features.doctor.installation import installation
from paper_notes.features.doctor.published import PublishedFile, Repository, published
from paper_notes.features.git.repository import NoAnswer, NothingToAsk, git
from paper_notes.features.starting.pages_address import pages_address
from paper_notes.project import install_line, origin
from paper_notes.sources.inside import open_file
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.values import asdict

_OF_ONE_KIND = 10
"""Findings of a kind that are shown; `--json` has all."""


@click.command()
@root_option
@json_option
def doctor(root: Path, *, as_json: bool) -> None:
    """Look at the installation, and what git publishes.

    Nothing is changed. The versions of Python, packages and extras are compared with those required. Of all files that
    are committed, or would be by `git add .`, it tells large ones, PDFs, pointers of Git LFS and paths of your
    machine; then whether site/ is committed or ignored, and which version of paper-notes the workflow installs. It
    exits 1 if anything is serious. It looks for no passwords or tokens: gitleaks does, and GitHub when you push.
    """
    findings = [*_installation(), *_collection(root)]
    serious = sum(finding.level == "serious" for finding in findings)
    if as_json:
        print_json(findings=[asdict(finding) for finding in findings], serious=serious)
    else:
        _print(findings)
        notices = sum(finding.level == "notice" for finding in findings)
        say(f"{serious} serious, {notices} to know." if serious or notices else "All is well.")
    if serious:
        sys.exit(INPUT_WRONG)


def _print(findings: list[DoctorFinding]) -> None:
    shown = Counter[str]()
    for finding in findings:
        shown[finding.about] += 1
        if shown[finding.about] > _OF_ONE_KIND:
            continue
        where = f"{finding.path}:{finding.line}: " if finding.line else f"{finding.path}: " if finding.path else ""
        tell(f"{finding.level}[{finding.about}]: {where}{translated(finding.message)}", bold=finding.level == "serious")
        if finding.hint:
            tell(f"  {translated('hint: ')}{translated(finding.hint)}")
    for about, count in shown.items():
        if count > _OF_ONE_KIND:
            tell(translated(f"and {count - _OF_ONE_KIND:,} more of {about}; --json has all"))


def _installation() -> Iterator[DoctorFinding]:
    package = Path(__file__).resolve().parents[3]
    yield DoctorFinding("ok", "program", f"paper-notes {__version__} in {package}")
    try:
        own = metadata.metadata("paper-notes")
    except metadata.PackageNotFoundError:
        message = "this is not an installed paper-notes, so nothing says what it needs"
        yield DoctorFinding(
            "notice", "packages", message, f"`{install_line('.')}` in its folder, if anything is missing"
        )
        return
    # tools of uv have no pip
    install = f"{sys.executable} -m pip install" if find_spec("pip") else f"uv pip install --python {sys.executable}"
    python, needs = (own.get_all(name) or [] for name in ("Requires-Python", "Requires-Dist"))
    machine = (sys.platform, platform.machine())
    yield from installation(platform.python_version(), "".join(python), needs, _version, machine, install)
    # pages bring the font of their formulas along; all others are the reader's own
    fonts = (assets / "math-font" / "PNMath.otf" for assets in (package / "theme/assets", package.parent / "assets"))
    if any(font.is_file() for font in fonts):
        yield DoctorFinding("ok", "fonts", "the font of formulas is here; no other is needed, and no browser")
    else:
        message = "the font of formulas is missing: the installation is damaged"
        source = origin()
        again = install_line(source.requirement or source.folder or "the folder or wheel that it came from")
        yield DoctorFinding("serious", "fonts", message, f"install it again: {again}")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _collection(root: Path) -> Iterator[DoctorFinding]:
    if not (root / SOURCE_FOLDER / "site.yaml").is_file():
        yield DoctorFinding("ok", "collection", "there is no collection here; `paper-notes init` begins one")
        return
    try:
        repository = _repository(root)
    except NothingToAsk as reason:
        message = "git knows nothing of this collection, so it would publish nothing"
        yield DoctorFinding("notice", "git", message, reason.hint)
    except NoAnswer as reason:
        yield DoctorFinding("serious", "git", f"git could not say what it would publish: {reason}")
    else:
        yield from published(repository, lambda path: _bytes(root / path), origin())


def _repository(root: Path) -> Repository:
    """What git says. Raises NoAnswer."""
    tracked, others = git(root, "ls-files", "-z"), git(root, "ls-files", "-z", "--others", "--exclude-standard")
    files = [*_files(root, tracked, is_tracked=True), *_files(root, others, is_tracked=False)]
    ignored = git(root, "check-ignore", "--no-index", "site/index.html")
    return Repository(tuple(files), bool(ignored), pages_address(root))


def _files(root: Path, names: bytes, *, is_tracked: bool) -> Iterator[PublishedFile]:
    """The regular files among those that git names."""
    for name in dict.fromkeys(filter(None, names.split(b"\0"))):
        path = os.fsdecode(name)
        try:
            stat = os.lstat(root / path)
        except OSError:  # deleted, and not yet committed
            continue
        if S_ISREG(stat.st_mode):
            yield PublishedFile(path, stat.st_size, is_tracked)


def _bytes(file: Path) -> bytes:
    """What a file holds; nothing if it cannot be read."""
    try:
        with open_file(file) as opened:
            return opened.read()
    except OSError:
        return b""
