"""Writes the user's files, only if they are still as they were read: nothing saved meanwhile is lost."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.output.staging import TEMPORARY
from paper_notes.sources.tree import SourceChanged


def place_of(root: Path, path: PurePosixPath) -> Path:
    """The file to write for `path` below the resolved `root`: for a symbolic link, its target.

    Raises UserError if a link leads out of the collection, to a hidden file or into `site/`.
    """
    place = root / path
    real = Path(os.path.realpath(place))
    if real == place:
        return place
    parts = real.relative_to(root).parts if real.is_relative_to(root) else ()
    if not parts or parts[0] == "site" or any(part.startswith(".") for part in parts):
        leads = "/".join(parts) or "a place elsewhere"
        raise UserError(f"{path} is a link to {leads}, where nothing is written", "put the file itself there")
    return real


def put(root: Path, artifact: Artifact, before: str | None, temporary: Path | None = None) -> None:
    """Write a file if it has the SHA-256 `before` now, or if it does not exist and `before` is None.

    A new one is written at the place `temporary` first, in a `temporary_folder` of many.
    Raises SourceChanged, and leaves the file alone, if another program saved it meanwhile; UserError and OSError.
    """
    place = place_of(root, artifact.path)
    try:
        if before is None:
            create(place, artifact.data, temporary)
        else:
            replace(place, artifact.data, before)
    except _Changed as error:
        raise SourceChanged(f"{artifact.path} {error} run the command again") from error


def take_back(root: Path, artifact: Artifact, before: bytes | None) -> None:
    """Undo a `put`: restore the bytes `before`, or remove the file if None, unless it was changed since."""
    place = place_of(root, artifact.path)
    with suppress(_Changed):
        if before is None:
            remove(place, artifact.sha256)
        else:
            replace(place, before, artifact.sha256)


def discard(root: Path, path: PurePosixPath, before: str | None) -> None:
    """Remove a file if it has the SHA-256 `before`; of a symbolic link only the link.

    Raises SourceChanged, and leaves the file alone, if another program saved it meanwhile; UserError and OSError.
    """
    try:
        if (root / path).is_symlink():
            (root / path).unlink()
        elif before is not None and (root / path).exists():
            remove(root / path, before)
    except _Changed as error:
        raise SourceChanged(f"{path} {error} run the command again") from error


class _Changed(Exception):
    """The file is not as expected, and why. It has (or has again) the content that was saved last."""

    def __init__(self, why: str = "was changed while it was being used;") -> None:
        super().__init__(why)


def create(place: Path, data: bytes, temporary: Path | None = None) -> None:
    """Create a file with its whole content in one step. Raises _Changed if it exists."""
    with beside(place, data, temporary=temporary) as file:
        try:
            try:
                os.link(file, place)
            except FileExistsError:
                raise
            except OSError:  # a disk without hard links, or another one
                _create_slowly(place, data)
        except FileExistsError as error:
            raise _Changed("was made by somebody else meanwhile;") from error


def _create_slowly(place: Path, data: bytes) -> None:
    with place.open("xb") as new:
        try:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        except BaseException:
            place.unlink()
            raise


def replace(place: Path, data: bytes, before: str) -> None:
    """Replace a file that has the SHA-256 `before` in one step. Raises _Changed.

    The file may be saved between checking and replacing it. So old and new file are swapped, and the old one is checked
    afterwards; if it is not as expected, they are swapped back.
    """
    with beside(place, data) as file:
        if _digest(place) != before:
            raise _Changed
        try:
            if not exchange(file, place):
                os.replace(file, place)
                return
        except FileNotFoundError as error:
            raise _Changed from error
        expected = False
        try:
            expected = _is_left_with(file, before)
        finally:
            if not expected:
                _put_back(file, place, hashlib.sha256(data).hexdigest())
        if not expected and _digest(place) == before:
            raise _Changed("is open for writing in another program; close it there and")
        if not expected:
            raise _Changed


def _put_back(file: Path, place: Path, put: str) -> None:
    """Move `file` back to its place; `put` is the SHA-256 of the file that is there now.

    If the file that comes out has another hash, it was saved again and is newer: then it goes back in turn.
    """
    while True:
        held = _digest(file) or ""
        try:
            if not exchange(file, place):
                os.replace(file, place)
                return
        except FileNotFoundError:  # another program removed the file, and may write it again
            with suppress(FileExistsError):
                os.link(file, place)
                return
            continue
        if _is_left_with(file, put):
            return
        put = held


def remove(place: Path, before: str) -> None:
    """Remove a file that has the SHA-256 `before`. Raises _Changed."""
    with temporary_folder(place) as folder:
        moved = folder / "file"
        os.replace(place, moved)
        if not _is_left_with(moved, before):
            with suppress(FileExistsError):
                os.link(moved, place)
            raise _Changed


def _digest(file: Path) -> str | None:
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _is_left_with(file: Path, digest: str) -> bool:
    """True if a file that was moved away has this SHA-256, and no program has it open for writing."""
    with file.open("rb") as opened:
        return not is_written_to(opened.fileno()) and hashlib.file_digest(opened, "sha256").hexdigest() == digest


@contextmanager
def beside(place: Path, data: bytes, *, durable: bool = True, temporary: Path | None = None) -> Iterator[Path]:
    """A temporary file with these bytes on the disk of `place`, with the permissions that `place` keeps.

    It is at `temporary`, or in a folder of its own.

    If `durable`, it is synced to disk, so it survives a loss of power. Raises OSError that names `place`.
    """
    with ExitStack() as stack:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = temporary or stack.enter_context(temporary_folder(place)) / "file"
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            if (mode := permissions(place)) is not None:
                os.chmod(temporary, mode)
        except OSError as error:  # that of a full disk names nothing, others the temporary file
            raise OSError(error.errno, error.strerror, str(place)) from error
        yield temporary


@contextmanager
def temporary_folder(place: Path) -> Iterator[Path]:
    """A temporary folder in the one of `place`. If the command is killed it stays, but git does not see it."""
    folder = Path(tempfile.mkdtemp(prefix=f".{place.name[:40]}.", suffix=TEMPORARY, dir=place.parent))
    try:
        (folder / ".gitignore").write_bytes(b"*\n")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def permissions(place: Path) -> int | None:
    """The permissions of an existing file, which it keeps when rewritten; None if it does not exist."""
    try:
        return os.stat(place).st_mode & 0o777
    except OSError:
        return None


_CURRENT_FOLDER, _SWAP = -100, 2
"""AT_FDCWD of Linux; RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS."""
_UNABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
"""Error codes of file systems and sandboxes that cannot exchange files."""


def exchange(file: Path, other: Path) -> bool:
    """Swap two files of one folder in one step; False if the system cannot. Raises OSError."""
    try:
        system = ctypes.CDLL(None, use_errno=True) if sys.platform in ("linux", "darwin") else None
        names = os.fsencode(file), os.fsencode(other)
        if system is None:
            return False
        if sys.platform == "darwin":
            failed = system.renamex_np(*names, _SWAP)
        else:
            failed = system.renameat2(_CURRENT_FOLDER, names[0], _CURRENT_FOLDER, names[1], _SWAP)
    except (AttributeError, OSError):  # a C library without it
        return False
    if failed and ctypes.get_errno() not in _UNABLE:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(other))
    return not failed


def is_written_to(file: int) -> bool:
    """True if the file of this read-only descriptor is open for writing; False also if that cannot be found out."""
    if sys.platform != "linux":
        return False
    import fcntl  # does not exist on Windows

    try:
        fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)  # the usual signal would end this process; this one is ignored
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
