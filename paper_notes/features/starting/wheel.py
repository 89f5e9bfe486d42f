"""The installed program as a wheel: a collection that takes it along builds without us."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path, PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.project import NAME, origin

VENDOR = PurePosixPath("vendor")
_BY_INSTALLER = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})
_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest of a zip file: the same files give the same bytes."""


def own_wheel() -> Artifact:
    """The wheel of this program, to be kept in `vendor/`. Raises UserError if it cannot be made."""
    if folder := origin().folder:
        return _built(folder)
    try:
        distribution = metadata.distribution(NAME)
        files = {
            path.as_posix(): Path(str(path.locate())).read_bytes()
            for path in distribution.files or ()
            if (path.parts[0] == "paper_notes" or path.parts[0].endswith(".dist-info"))
            and path.suffix != ".pyc"
            and path.name not in _BY_INSTALLER
        }
    except (metadata.PackageNotFoundError, OSError) as error:
        hint = "install paper-notes again, and then repeat this"
        raise UserError(f"the files of this paper-notes cannot be put together again: {error}", hint) from error
    folder = next((name.partition("/")[0] for name in files if name.endswith(".dist-info/WHEEL")), "")
    if not folder:
        raise UserError("this paper-notes is not installed, so there is no wheel of it", "install it with pipx or pip")
    name = f"{folder.removesuffix('.dist-info')}-py3-none-any.whl"
    return Artifact(VENDOR / name, _zipped(files, f"{folder}/RECORD"))


def _zipped(files: dict[str, bytes], record: str) -> bytes:
    """The files with a list of them: name, hash and size."""
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in files.items()}
    rows = [f"{name},sha256={hashes[name].decode().rstrip('=')},{len(files[name])}\n" for name in sorted(files)]
    files = {**dict(sorted(files.items())), record: "".join([*rows, f"{record},,\n"]).encode()}
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = 0o644 << 16
            wheel.writestr(info, data, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _built(folder: str) -> Artifact:
    """That of a folder whose files are used where they are: nothing of it was copied, so pip builds it."""
    with tempfile.TemporaryDirectory(prefix="paper-notes-wheel-") as place:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", place, folder]
        done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")  # noqa: S603 -- our own
        wheels = sorted(Path(place).glob("*.whl"))
        if not wheels:
            words = (done.stderr.strip().splitlines() or ["pip gave no wheel"])[-1]
            hint = f"`pipx install {folder}`, and repeat this with what that installs"
            raise UserError(f"the wheel of {folder} could not be built: {words}", hint)
        return Artifact(VENDOR / wheels[0].name, wheels[0].read_bytes())
