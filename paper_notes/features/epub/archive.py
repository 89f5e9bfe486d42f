"""ZIP files whose bytes are those of what is in them: without any time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_DATE = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes], stored: str = "") -> bytes:
    """A ZIP file of these files in their order; one may be `stored` as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def file_in(archive: bytes, name: str) -> bytes:
    """One file of a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        return whole.read(name)
