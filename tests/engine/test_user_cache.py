"""A cache folder that cannot be trusted is named in the error, which is one of the system's."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from paper_notes.engine.user_cache import VARIABLE, cache_folder, make_cache_folder


def test_a_folder_that_is_not_the_users_alone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(PermissionError) as caught:
        make_cache_folder(tmp_path)
    assert (caught.value.errno, caught.value.filename) == (errno.EACCES, str(cache_folder(tmp_path)))
