"""What git would publish of a collection: sizes, PDFs, texts, `site/`, and what the workflow installs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from paper_notes.addresses import TO_PAGES
from paper_notes.features.doctor.finding import DoctorFinding
from paper_notes.patterns import regex
from paper_notes.project import InstalledFrom
from paper_notes.values import Struct

MEGABYTE = 1_000_000
REFUSED, WARNED, MOST = 100 * 1024 * 1024, 50 * 1024 * 1024, 1_000 * MEGABYTE
"""GitHub refuses larger files, warns of these, and publishes no larger sites on Pages."""
MOST_TEXT = 4 * MEGABYTE
"""Larger files are not looked into."""
_POINTER = b"version https://git-lfs.github.com/spec/"
_INSTALLS = regex(
    r"""^\s*PAPER_NOTES:\s*["']?(.+?)["']?\s*(?: #.*)?$|(paper-notes\s*(?:\[.*\]\s*)?==\s*[\w.+!-]+)""", re.MULTILINE
)
_PINNED = regex(r"paper-notes\s*(?:\[.*\]\s*)?==")
_LOCAL = regex(r"(?:paper-notes.*@\s*)?(?:file:|/|\.{1,2}/)")
_PUBLIC = regex(r"(?:^|[\s@+])https://")
_AGAIN = "`paper-notes init --pages` has the workflow install what is installed here"
_REGION = regex(rb"<!-- paper-notes:begin.*<!-- paper-notes:end", re.DOTALL)
_PAGES = ("actions/deploy-pages", "gh-pages")
_HOME = regex(r"(?<![\w.-])(?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+([^\s\\/:\"'<>{}()\[\],;|*$`]+)[\\/]")
_NOBODY = frozenset(
    "user username you me name myname yourname your_name your-name xxx foo bar alice bob jdoe john jane runner ubuntu "
    "root shared public default ... … somebody someone ec2-user vscode app node".split()
)
"""Names of users in examples and in containers."""


class PublishedFile(Struct, frozen=True):
    """A file that is in the repository, or would be after `git add .`."""

    path: str
    """Relative to the collection's root."""
    size: int
    is_tracked: bool


class Repository(Struct, frozen=True):
    """What git says of the collection."""

    files: tuple[PublishedFile, ...]
    site_is_ignored: bool
    pages: str = ""
    """Where GitHub Pages would publish it; empty if `origin` is elsewhere."""


def published(repository: Repository, read: Callable[[str], bytes], source: InstalledFrom) -> Iterator[DoctorFinding]:
    """What is to say of the files. `read` gives the bytes of one; `source` is where this program came from."""
    files = repository.files
    yield from _sizes(files)
    yield from _pdfs(files)
    texts = [(file.path, read(file.path)) for file in files if file.size <= MOST_TEXT and not _is_page(file.path)]
    for path, data in texts:
        if data.startswith(_POINTER):
            message = "this is a pointer of Git LFS, not the file"
            yield DoctorFinding("serious", "lfs-pointer", message, "`git lfs pull` fetches it", path)
    findings = [finding for path, data in texts for finding in _in_text(path, data)]
    yield from findings or [DoctorFinding("ok", "local-path", f"{len(texts)} files hold no paths of one machine")]
    workflows = [
        (path, data.decode(errors="replace"))
        for path, data in texts
        if path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))
    ]
    yield from _site(repository, [text for _, text in workflows])
    if repository.site_is_ignored:
        yield from _tables(texts, repository.pages)
    shown = {file.path for file in files}
    uses_lfs = any(path.endswith(".gitattributes") and b"filter=lfs" in data for path, data in texts)
    for path, text in workflows:
        yield from _workflow(path, text, source, read, shown, uses_lfs=uses_lfs)


def _is_page(path: str) -> bool:
    """True for what builds write, whose sources are looked at instead."""
    return path.startswith("site/")


def _sizes(files: Iterable[PublishedFile]) -> Iterator[DoctorFinding]:
    files = list(files)
    hint = "make it smaller, leave it out with .gitignore, or keep it with Git LFS"
    for file in sorted(files, key=lambda file: -file.size):
        size = _size(file.size)
        if file.size > REFUSED:
            yield DoctorFinding("serious", "large-file", f"{size}: GitHub refuses files above 100 MB", hint, file.path)
        elif file.size > WARNED:
            yield DoctorFinding("notice", "large-file", f"{size}: GitHub warns of files above 50 MB", hint, file.path)
    total = sum(file.size for file in files)
    pages = sum(file.size for file in files if _is_page(file.path))
    yield DoctorFinding("ok", "size", f"{len(files):,} files that git would publish, {_size(total)} in all")
    if pages > MOST:
        hint = "set `publish_pdf` for fewer notes, or publish the site elsewhere"
        yield DoctorFinding("serious", "size", f"site/ has {_size(pages)}; GitHub Pages publishes at most 1 GB", hint)


def _pdfs(files: Iterable[PublishedFile]) -> Iterator[DoctorFinding]:
    pdfs = [file for file in files if file.path.lower().endswith(".pdf") and not _is_page(file.path)]
    if not pdfs:
        return
    count = f"{len(pdfs)} PDF{'s' if len(pdfs) > 1 else ''}, {_size(sum(file.size for file in pdfs))}"
    message = f"{count} in the repository: those of publishers may not be passed on"
    kept = "; `git rm --cached` takes a committed one out of the next commit" if any(f.is_tracked for f in pdfs) else ""
    first = max(pdfs, key=lambda file: file.size)
    yield DoctorFinding(
        "notice", "pdf", message, f"write *.pdf into .gitignore, unless all of them are free{kept}", first.path
    )


def _in_text(path: str, data: bytes) -> Iterator[DoctorFinding]:
    if b"\0" not in data[:8000] and not path.lower().endswith(".pdf") and not path.startswith((".git", ".vscode")):
        yield from local_paths_in(path, data.decode(errors="replace"))


def local_paths_in(path: str, text: str) -> Iterator[DoctorFinding]:
    """The first line with a path of somebody's home, which says a name and helps no reader."""
    for number, line in enumerate(text.split("\n"), 1):
        for home in _HOME.finditer(line):
            if home[1].lower() not in _NOBODY:
                message = f'the path "{home[0]}…" is of one machine only, and tells a name'
                hint = "delete it, or write it as ~/"
                if path.endswith(".bib"):
                    hint = "pages leave it out, the repository does not: export without file names, or delete the field"
                yield DoctorFinding("notice", "local-path", message, hint, path, number)
                return


def _site(repository: Repository, workflows: Collection[str]) -> Iterator[DoctorFinding]:
    """Whether it is clear who makes the site that readers see."""
    committed = sum(file.is_tracked and _is_page(file.path) for file in repository.files)
    waiting = sum(not file.is_tracked and _is_page(file.path) for file in repository.files)
    deploys = any(word in text for text in workflows for word in _PAGES)
    if repository.site_is_ignored and committed:
        message = f"site/ is ignored, and {committed:,} of its files are committed: they will not follow the sources"
        yield DoctorFinding("notice", "site", message, "`git rm -r --cached site`, or take /site/ out of .gitignore")
    elif repository.site_is_ignored:
        message = "site/ is ignored" + (", and a workflow makes it" if deploys else "")
        yield DoctorFinding("ok", "site", message)
        if not deploys:
            yield DoctorFinding("ok", "site", "no workflow publishes it; `paper-notes init --pages` writes one")
    elif committed:
        also = "; a workflow makes it as well" if deploys else ""
        yield DoctorFinding("ok", "site", f"site/ is committed ({committed:,} files){also}")
    if waiting and not committed:
        message = f"site/ is neither committed nor ignored: `git add .` would take {waiting:,} files"
        yield DoctorFinding("notice", "site", message, "write /site/ into .gitignore, unless you mean to commit it")


def _workflow(
    path: str, text: str, source: InstalledFrom, read: Callable[[str], bytes], shown: Collection[str], *, uses_lfs: bool
) -> Iterator[DoctorFinding]:
    """What a workflow installs, which another machine has to reach; `shown` are the files that git publishes."""
    if "paper-notes" not in text and "PAPER_NOTES" not in text:
        return
    if installs := _INSTALLS.search(text):
        wanted, line = installs[1] or installs[2], text.count("\n", 0, installs.start()) + 1
        wheel = f"vendor/paper_notes-{source.version}-py3-none-any.whl{source.extras}"
        message, hint = _problem(wanted, text, source, read, shown)
        if message:
            yield DoctorFinding("serious", "workflow", message, hint or _AGAIN, path, line)
        elif wanted.replace(" ", "") not in (source.requirement.replace(" ", ""), wheel):
            message = f"the workflow installs {wanted}, and this is {source.requirement or source.version}"
            yield DoctorFinding("notice", "workflow", f"{message}: pages may differ", _AGAIN, path, line)
        else:
            yield DoctorFinding("ok", "workflow", f"the workflow installs {wanted}, as here", "", path, line)
    if uses_lfs and "actions/checkout" in text and not re.search(r"^\s*lfs:\s*true\b", text, re.MULTILINE):
        message = "files are kept with Git LFS, and the workflow checks out their pointers only"
        yield DoctorFinding("serious", "workflow", message, "write `with: {lfs: true}` below actions/checkout", path)


def _problem(
    wanted: str, text: str, source: InstalledFrom, read: Callable[[str], bytes], shown: Collection[str]
) -> tuple[str, str]:
    """Why nobody else can install this, and a hint; both are empty if they can, as far as this machine knows."""
    if _LOCAL.match(wanted):
        return f"the workflow installs {wanted}, which is a file of this machine: GitHub cannot reach it", ""
    if _PINNED.match(wanted) and not _PINNED.match(source.requirement):
        return f"the workflow installs {wanted} from an index, and here it came from none: is it there at all?", ""
    wheel = wanted.partition("[")[0]
    if wheel.endswith(".whl") and "://" not in wheel:
        if wheel not in shown:
            return f"the workflow installs {wheel}, which git does not publish", "see that .gitignore does not name it"
        if hashlib.sha256(read(wheel)).hexdigest() not in text:
            return f"{wheel} is not the file whose digest the workflow names", ""
    elif "://" in wanted and not _PUBLIC.search(wanted):
        return f"the workflow installs {wanted}, which GitHub can reach with a key at most", ""
    return "", ""


def _tables(texts: Iterable[tuple[str, bytes]], base_url: str) -> Iterator[DoctorFinding]:
    """READMEs whose tables lead to pages that nobody commits."""
    for path, data in texts:
        inside = _REGION.search(data)
        if inside and TO_PAGES.search(inside[0]):
            message = "links of its tables lead to pages in site/, which is not committed"
            where = f"base_url: {base_url}" if base_url else "the address of the site as `base_url:`"
            yield DoctorFinding("notice", "links", message, f"write {where} into notes_src/site.yaml", path)


def _size(count: int) -> str:
    return f"{count / MEGABYTE:,.1f} MB" if count >= MEGABYTE else f"{count / 1000:,.0f} KB"
