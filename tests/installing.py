"""The wheel, made and unpacked: what a user has who has nothing of this repository."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from running import PROJECT


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that must succeed, without what the environment says of Python, and with variables added."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_TARGET"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**env, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def make_wheel(place: Path) -> Path:
    """The wheel of this checkout, in a folder."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
    run(*pip, "wheel", PROJECT, "--no-deps", "--wheel-dir", place, cwd=place)
    (made,) = place.glob("paper_notes-*.whl")
    return made


def libraries() -> str:
    """Where the dependencies come from: this environment, in which the package itself is the checkout."""
    return sysconfig.get_paths()["purelib"]


@dataclass(frozen=True)
class Shell:
    """A terminal: lines are run as they are typed, in a folder."""

    environment: dict[str, str] = field(repr=False)

    def type(self, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """What a line of Bash says, and how it ends."""
        bash = ["bash", "-euo", "pipefail", "-c", line]
        return subprocess.run(
            bash, cwd=folder, env=self.environment, capture_output=True, encoding="utf-8", check=False, timeout=120
        )

    def must(self, line: str, folder: Path) -> str:
        """What a line says that must succeed."""
        done = self.type(line, folder)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def start(self, line: str, folder: Path) -> subprocess.Popen[str]:
        """A line that goes on until Ctrl-C."""
        return subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


def press_ctrl_c(process: subprocess.Popen[str]) -> int:
    """The exit code."""
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    return process.returncode


def shell_with(installed: Path, home: Path, **variables: str) -> Shell:
    """A shell that finds the program below `installed`, and that is nobody's: with a home, and no network."""
    python = Path(sys.executable).parent
    return Shell(
        {
            "HOME": str(home),
            "PATH": os.pathsep.join([str(installed / "bin"), str(python), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join([str(installed), libraries()]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "http_proxy": "http://127.0.0.1:9",
            "https_proxy": "http://127.0.0.1:9",
            "no_proxy": "127.0.0.1,localhost",
            **variables,
        }
    )
