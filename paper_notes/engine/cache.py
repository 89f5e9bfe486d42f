"""Keeps pure results from run to run in one SQLite file. Deleting the file is always safe.

Values and keys are packed by msgspec; the program and its libraries are part of every key.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any, Self, TypeVar
from zlib import crc32

import msgspec
from markupsafe import Markup

from paper_notes.engine.program import program_fingerprint, program_state
from paper_notes.engine.user_cache import CACHE_FILE, cache_folder, make_cache_folder, may_use

T = TypeVar("T")
N = TypeVar("N", bound=str)


def pack(value: object) -> bytes:
    """The value (of dataclasses, tuples, mappings and plain values) as MessagePack: equal values give equal bytes."""
    return _ENCODER.encode(value)


def unpack(kind: type[T], data: bytes) -> T | None:
    """The value of that type, or None if the bytes do not hold one: the cache is damaged or foreign."""
    decoder: Any = _decoder
    try:
        value: T = decoder(kind).decode(data)
    except (msgspec.DecodeError, ValueError, TypeError):
        return None
    return value


def digest_of(*values: object) -> bytes:
    """SHA-256 of the packed values, in which HTML is told from text."""
    return hashlib.sha256(_DIGESTED.encode(values)).digest()


def _plain(value: object) -> object:
    if isinstance(value, PurePosixPath):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be packed")


def _with_markup(value: object) -> object:
    return (str(value),) if isinstance(value, Markup) else _plain(value)


def _meant(kind: type, value: Any) -> object:
    if kind is PurePosixPath:
        return _path(value)
    raise TypeError(f"{kind.__name__} cannot be unpacked")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain)
_DIGESTED = msgspec.msgpack.Encoder(enc_hook=_with_markup)
_path = lru_cache(maxsize=4096)(PurePosixPath)


@lru_cache(maxsize=32)
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_meant)


MAX_BYTES = 2_000_000_000
"""A larger cache file is deleted and started again."""
MAX_VALUE = 64_000_000

_LAYOUT = 2
_BUSY_SECONDS = 5
_PROBLEMS = (OSError, sqlite3.Error, UnicodeDecodeError)
"""Errors of using the file; UnicodeDecodeError comes from SQLite messages that quote a damaged file."""
_OTHERS_FAULT = frozenset(
    getattr(sqlite3, f"SQLITE_{name}")
    for name in "PERM BUSY LOCKED NOMEM READONLY IOERR FULL CANTOPEN PROTOCOL AUTH".split()
)
"""SQLite error codes for which the file is not to blame."""
_PROGRAM = "fingerprint of the program"
_AT_ONCE = 4_000_000
"""Bytes that are collected before they are written together, since each transaction costs time."""


class Cache:
    """Stores values by keys that hash all that the value depends on. The program is part of every key.

    It never fails: what cannot be read is a miss, what cannot be written is dropped. Several processes may use one
    file at once, and one that is killed leaves a file that the next can read. `Cache()` stores nothing.
    """

    def __init__(self, file: Path | None = None, make_folder: Callable[[], object] = lambda: None) -> None:
        """`file` need not exist: it is created with the first value, after `make_folder` has created its folder."""
        self._file, self._make_folder = file, make_folder
        self._connection: sqlite3.Connection | None = None
        self._waiting: dict[bytes, bytes] = {}
        self._bytes = 0
        self._tables: dict[str, tuple[Kept, dict[str, Any]]] = {}
        """The contents of the tables used so far, packed and as values."""

    @property
    def works(self) -> bool:
        """False if nothing is stored: there is no file, or it cannot be used."""
        return self._file is not None

    def get(self, key: bytes | str, *, of_any_program: bool = False) -> bytes | None:
        """The value that this very program (or with `of_any_program` any) put under the key, or None."""
        place = self._place(key, of_any_program=of_any_program)
        if place in self._waiting:
            return self._waiting[place]
        exists = self._file and os.path.isfile(self._file)  # noqa: PTH113 -- no error where one may not look
        if self._file is None or (self._connection is None and not exists):
            return None
        try:
            row = self._open(self._file).execute("SELECT value, sum FROM kept WHERE key = ?", (place,)).fetchone()
        except _PROBLEMS as problem:
            self._stop(problem)
            return None
        return row[0] if row and isinstance(row[0], bytes) and crc32(row[0]) == row[1] else None

    def memo(self, name: str, inputs: object, kind: type[T], make: Callable[[], T]) -> T:
        """The result of `make`, or its cached result for equal `inputs`: all that it depends on besides the program."""
        key = digest_of(name, inputs)
        kept = self.get(key)
        value = unpack(kind, kept) if kept else None
        if value is None:
            value = make()
            self.put(key, pack(value))
        return value

    def table(self, name: str) -> CacheTable:
        """The table of this name: many small values that are stored together."""
        if name not in self._tables:
            self._tables[name] = unpack(Kept, self.get(f"table {name}") or b"") or {}, {}
        return CacheTable(*self._tables[name], partial(self._save_table, name))

    def _save_table(self, name: str, now: Kept, values: dict[str, Any]) -> None:
        if now != self._tables[name][0]:
            self.put(f"table {name}", pack(now))
        self._tables[name] = now, values

    def put(self, key: bytes | str, value: bytes, *, of_any_program: bool = False) -> None:
        """Store the value, for this very program or for any; an earlier value of the key is replaced."""
        if self._file is None or len(value) > MAX_VALUE:
            return
        self._waiting[self._place(key, of_any_program=of_any_program)] = value
        self._bytes += len(value)
        if self._bytes > _AT_ONCE:
            self.write()

    def write(self) -> None:
        """Write the waiting values, all or none."""
        rows = [(key, value, crc32(value)) for key, value in self._waiting.items()]
        self._waiting, self._bytes = {}, 0
        if self._file is None or not rows:
            return
        try:
            connection = self._open(self._file)
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
        except _PROBLEMS as problem:
            self._stop(problem)

    def close(self) -> None:
        """Write the waiting values and close the file. It is opened again when it is needed."""
        self.write()
        if self._connection:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _place(self, key: bytes | str, *, of_any_program: bool) -> bytes:
        program = b"" if of_any_program else self._program
        return hashlib.sha256(program + (key.encode(errors="surrogatepass") if isinstance(key, str) else key)).digest()

    @cached_property
    def _program(self) -> bytes:
        """`program_fingerprint`, which reads all files of the program: from the cache if none has changed since."""
        if self._file is None:
            return b""  # what is only in memory is of this program
        (now, fresh), kept = program_state(), self.get(_PROGRAM, of_any_program=True) or b""
        if kept[:32] == now:
            return kept[32:]
        program = program_fingerprint()
        if not fresh:
            self.put(_PROGRAM, now + program, of_any_program=True)
        return program

    def _open(self, file: Path) -> sqlite3.Connection:
        if self._connection is None:
            self._make_folder()
            if file.is_file() and file.stat().st_size > MAX_BYTES:
                _remove(file)
            try:
                self._connection = _connect(file)
            except _PROBLEMS as problem:
                if not _is_broken(problem, file):
                    raise
                _remove(file)
                self._connection = _connect(file)
        return self._connection

    def _stop(self, problem: Exception) -> None:
        """Go on without the cache; delete a broken file, so that the next run starts a new one."""
        self._waiting, self._bytes = {}, 0
        self.close()
        if self._file and _is_broken(problem, self._file):
            _remove(self._file)
        self._file = None


Kept = dict[str, tuple[bytes, bytes]]
"""By name: the key, and the packed value that was computed for it."""


class CacheTable:
    """Many small values that are read and written together: one per name, with the key it was computed for.

    Values that a run did not use are dropped when the run saves; a run that fails saves nothing. Unpacked values are
    returned again as they are, as long as the cache itself lives. As a context manager it saves at the end.
    """

    def __init__(self, before: Kept, values: dict[str, Any], save: Callable[[Kept, dict[str, Any]], None]) -> None:
        self._before, self._values, self._save = before, values, save
        self._now: Kept = {}
        self._put: dict[str, Any] = {}
        """Values computed in this run."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.save()

    def memo(
        self,
        name: str,
        inputs: object,
        kind: type[T],
        make: Callable[[], T],
        *,
        valid: Callable[[T], bool] = lambda value: True,
    ) -> T:
        """The result of `make`, or its cached result for equal `inputs`: all that it depends on besides the program.

        A cached value is only used if it is `valid`.
        """
        key = digest_of(inputs)
        value = self.get(name, key, kind)
        if value is None or not valid(value):
            value = make()
            self.put(name, key, value)
        return value

    def memo_all(
        self,
        inputs: Mapping[N, object],
        kind: type[T],
        make: Callable[[Sequence[N]], Iterable[T]],
        *,
        valid: Callable[[N, T], bool] = lambda name, value: True,
    ) -> dict[N, T]:
        """`memo` for many values: `make` computes those that are not cached, in the order of the names it gets."""
        keys = {name: digest_of(value) for name, value in inputs.items()}
        values = {name: self.get(name, key, kind) for name, key in keys.items()}
        missing = [name for name, value in values.items() if value is None or not valid(name, value)]
        for name, value in zip(missing, make(missing), strict=True):
            values[name] = value
            self.put(name, keys[name], value)
        return {name: value for name, value in values.items() if value is not None}

    def get(self, name: str, key: bytes, kind: type[T]) -> T | None:
        """The value of that name, if it was computed for this very key."""
        record = self._before.get(name)
        if record is None or record[0] != key:
            return None
        value: T | None = self._values.get(name) or unpack(kind, record[1])
        if value is not None:
            self._now[name], self._values[name] = record, value
        return value

    def former(self, name: str, kind: type[T]) -> T | None:
        """The value of that name before this run, whatever it was computed for."""
        record = self._before.get(name)
        return unpack(kind, record[1]) if record else None

    def put(self, name: str, key: bytes, value: object) -> None:
        self._now[name], self._put[name] = (key, pack(value)), value

    def save(self) -> None:
        """Keep the values that this run used or put."""
        values = {**self._values, **self._put}
        self._save(self._now, {name: values[name] for name in self._now})


def open_cache(root: Path) -> Cache:
    """The cache of the collection at `root`; one that stores nothing if its folder cannot be trusted."""
    return Cache(cache_folder(root) / CACHE_FILE, lambda: make_cache_folder(root)) if may_use(root) else Cache()


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        with suppress(sqlite3.OperationalError):  # another process is doing the same
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a crash of the machine may lose the latest, never all
        if _layout(connection) != _LAYOUT:
            connection.execute("BEGIN IMMEDIATE")
            if _layout(connection) != _LAYOUT:
                connection.execute("DROP TABLE IF EXISTS kept")
                connection.execute(
                    "CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL)"
                )
                connection.execute(f"PRAGMA user_version = {_LAYOUT}")
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _layout(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_broken(problem: Exception, file: Path) -> bool:
    """True if the file itself is at fault, and not that it is busy, read-only or on a full disk."""
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_READONLY and os.access(file, os.W_OK):
        return True  # its header says that a later SQLite wrote it
    return not isinstance(problem, OSError) and code not in _OTHERS_FAULT


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            file.with_name(file.name + suffix).unlink()
