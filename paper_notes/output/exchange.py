"""What only some systems can do: swap two files in one step, and find out if a file is open for writing."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
from pathlib import Path

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
