"""Fixtures of all tests."""

from __future__ import annotations

import codecs
import fcntl
import gc
import os
import shutil
import signal
import ssl
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
import yaml
from fake_outside import FakeOutside, fake_outside
from hypothesis import HealthCheck, settings
from installing import make_wheel, run
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from running import COMPILED, EXAMPLES, UPDATE, Once  # and it sets the folder of the caches for all tests

from paper_notes.engine import cache as engine_cache
from paper_notes.engine.program import program_state
from paper_notes.render.theme import theme
from paper_notes.render.theme.templates import _Code

codecs.lookup("utf-8-sig")  # before a test becomes a user who may not read the standard library

signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs behind `&` ignore Ctrl-C

gc.disable()  # nothing is garbage while tests are collected
yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # `safe_load` of the tables of tests is slow without
ssl.create_default_context = cache(ssl.create_default_context)  # each client reads all certificates, to talk to a fake


def pytest_xdist_auto_num_workers() -> int:
    """One more than cores, as tests wait for browsers and processes; each takes ten seconds to collect the tests."""
    return 1 + (os.cpu_count() or 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is `nightly`, or all but every so many of its cases, unless it is named or `make nightly` runs."""
    if EXAMPLES or UPDATE or any("::" in argument for argument in config.args):
        return
    case: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mark = item.get_closest_marker("nightly")
        name = item.nodeid.partition("[")[0]
        step = mark.kwargs.get("but_every", 0) if mark else 1
        (kept if step and case[name] % step == 0 else left).append(item)
        case[name] += 1
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make only: among all modules and tests it takes a sixth of the time."""
    gc.freeze()
    gc.enable()


settings.register_profile(
    "ours",
    max_examples=EXAMPLES or 20,  # the same every time
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # how fast a machine is says nothing about what is tested
)
settings.load_profile("ours")


class _Shared(_Code):
    """Compiled templates, which all processes of a run share; each is used only for the very text it was made from."""

    def load_bytecode(self, bucket: Bucket) -> None:
        super().load_bytecode(bucket)
        if bucket.code is None:
            _ON_DISK.load_bytecode(bucket)
            if bucket.code is not None:
                super().dump_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        super().dump_bytecode(bucket)
        with suppress(OSError):  # a test may be a user who may write nowhere
            _ON_DISK.dump_bytecode(bucket)


_ON_DISK = FileSystemBytecodeCache(COMPILED)


def share_compiled_templates(patch: pytest.MonkeyPatch) -> None:
    """Compile no template twice in a run."""
    patch.setattr("paper_notes.render.theme.templates._Code", _Shared)


@pytest.fixture(scope="session", autouse=True)
def _the_program_is_read_once() -> Iterator[None]:
    """Its templates, assets and state on disk, which thousands of builds share. Copies of it run by themselves."""
    with pytest.MonkeyPatch.context() as patch:
        share_compiled_templates(patch)
        patch.setattr(theme, "_files", cache(theme._files))
        patch.setattr(engine_cache, "program_state", cache(program_state))
        yield


@pytest.fixture
def outside() -> Iterator[FakeOutside]:
    """arXiv, DataCite and doi.org on this machine."""
    with fake_outside() as fake:
        yield fake


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Makes a folder of a name; all workers of a run share one."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent

    def made(name: str, make: Callable[[Path], object]) -> Path:
        root = place / name
        with (place / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (root / "done").exists():
                shutil.rmtree(root, ignore_errors=True)
                root.mkdir()
                make(root)
                (root / "done").touch()
        return root

    return made


@pytest.fixture(scope="session")
def wheel(once: Once) -> Path:
    """What users install."""
    (made,) = once("wheel", make_wheel).glob("*.whl")
    return made


@pytest.fixture(scope="session")
def installed(wheel: Path, once: Once) -> Path:
    """Where pip has put the wheel, and compiled what is in it; the libraries are those of this environment."""

    def install(place: Path) -> None:
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
        run(*pip, "install", "--no-deps", "--no-index", "--target", place / "program", wheel, cwd=place)

    return once("installed", install) / "program"
