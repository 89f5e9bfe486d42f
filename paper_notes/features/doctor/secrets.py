"""What must not be in a text that others can read: tokens and keys of well-known shapes, paths of one's own machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from paper_notes.features.doctor.finding import Finding

SHAPES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "a token of GitHub": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})"),
        "a token of GitLab": re.compile(r"\bglpat-[\w-]{20,}"),
        "a key of AWS": re.compile(r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
        "a key of Anthropic": re.compile(r"\bsk-ant-[\w-]{24,}"),
        "a key of OpenAI": re.compile(r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{24,}|[A-Za-z0-9]{32,})"),
        "a key of Google": re.compile(r"\bAIza[\w-]{35}"),
        "a token of Hugging Face": re.compile(r"\bhf_[A-Za-z]{30,}"),
        "a token of Slack": re.compile(r"\bxox[abeoprs]-[\w-]{16,}|hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}"),
        "a token of PyPI": re.compile(r"\bpypi-AgEIcHlwaS5vcmc[\w-]{30,}"),
        "a private key": re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    }
)
"""What each service's secrets look like, by what to call them. Sources: the services' own documentation."""
_DISTINCT = 8
"""A placeholder such as sk-xxxx... has fewer different characters than this."""
_SHOWN = 8
"""The characters of a secret that are shown, most of which are the same in all secrets of a service."""
_HOME = re.compile(r"(?<![\w.-])(?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+([^\s\\/:\"'<>{}()\[\],;|*$`]+)[\\/]")
_NOBODY = frozenset(
    "user username you me name myname yourname your_name your-name xxx foo bar alice bob jdoe john jane runner ubuntu "
    "root shared public default ... … somebody someone ec2-user vscode app node".split()
)
"""Names of users in examples and in containers."""


def secrets_in(path: str, text: str) -> Iterator[Finding]:
    """Each line that holds something like a secret."""
    for number, line in enumerate(text.split("\n"), 1):
        for what, shape in SHAPES.items():
            for found in shape.finditer(line):
                if _is_secret(found[0]):
                    shown = found[0][:_SHOWN]
                    message = f"this looks like {what}: {shown}…"
                    hint = "revoke it where it was made, then delete it here: a commit keeps it"
                    yield Finding("serious", "secret", message, hint, path, number)


def _is_secret(text: str) -> bool:
    """False for examples and placeholders."""
    return "example" not in text.lower() and len(set(text[4:])) >= _DISTINCT


def local_paths_in(path: str, text: str) -> Iterator[Finding]:
    """The first line with a path of somebody's home, which says a name and helps no reader."""
    for number, line in enumerate(text.split("\n"), 1):
        for found in _HOME.finditer(line):
            if found[1].lower() not in _NOBODY:
                message = f'the path "{found[0]}…" is of one machine only, and tells a name'
                hint = "delete it, or write it as ~/"
                if path.endswith(".bib"):
                    hint = "pages leave it out, the repository does not: export without file names, or delete the field"
                yield Finding("notice", "local-path", message, hint, path, number)
                return
