"""Findings in the forms in which services show them beside the lines of a change: each is a row of REPORT_FORMATS."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote

from paper_notes import __version__
from paper_notes.diagnostics import Diagnostic

NAME = "paper-notes"
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

# GitHub reads these as the end of a value, and `%` as the beginning of an escape
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def _github(findings: Sequence[Diagnostic]) -> str:
    """Commands of GitHub Actions, a line each: it shows the first ten errors and ten warnings of a step."""
    return "".join(map(_command, findings))


def _command(finding: Diagnostic) -> str:
    properties = {
        "file": finding.location.path,
        "line": finding.location.line,
        "col": finding.location.column,
        "title": finding.rule,
    }
    written = ",".join(f"{name}={str(value).translate(_IN_PROPERTY)}" for name, value in properties.items())
    return f"::{finding.severity} {written}::{_words(finding).translate(_IN_MESSAGE)}\n"


def _gitlab(findings: Sequence[Diagnostic]) -> str:
    """A report of GitLab's code quality."""
    severities = {"error": "major", "warning": "minor"}
    return _json(
        [
            {
                "description": _words(finding),
                "check_name": finding.rule,
                "fingerprint": fingerprint,
                "severity": severities[finding.severity],
                "location": {"path": str(finding.location.path), "lines": {"begin": finding.location.line}},
            }
            for finding, fingerprint in _with_fingerprints(findings)
        ]
    )


def _sarif(findings: Sequence[Diagnostic]) -> str:
    """SARIF 2.1.0, which GitHub's code scanning, GitLab, Azure DevOps and editors read."""
    from paper_notes.rules import rule_docs  # slow to import, and --help is quick

    docs = rule_docs()
    used = sorted({finding.rule for finding in findings})
    rules = [
        {"id": rule, "shortDescription": {"text": docs[rule].cause["en"]}, "help": {"text": docs[rule].cure["en"]}}
        for rule in used
    ]
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": used.index(finding.rule),
            "level": finding.severity,
            "message": {"text": _words(finding)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(str(finding.location.path))},
                        "region": {"startLine": finding.location.line, "startColumn": finding.location.column},
                    }
                }
            ],
            "partialFingerprints": {"finding/v1": fingerprint},
        }
        for finding, fingerprint in _with_fingerprints(findings)
    ]
    driver = {"name": NAME, "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return _json({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _rdjson(findings: Sequence[Diagnostic]) -> str:
    """Diagnostics for reviewdog, which posts them to many services. It counts columns in bytes, so they have none."""
    return _json(
        {
            "source": {"name": NAME},
            "diagnostics": [
                {
                    "message": _words(finding),
                    "location": {
                        "path": str(finding.location.path),
                        "range": {"start": {"line": finding.location.line}},
                    },
                    "severity": finding.severity.upper(),
                    "code": {"value": finding.rule},
                }
                for finding in findings
            ],
        }
    )


REPORT_FORMATS: Mapping[str, Callable[[Sequence[Diagnostic]], str]] = MappingProxyType(
    {"github": _github, "gitlab": _gitlab, "sarif": _sarif, "rdjson": _rdjson}
)
"""From findings, with paths as from the top of the repository and in the words to be shown, to what is printed."""


def _words(finding: Diagnostic) -> str:
    return f"{finding.message}\n{finding.hint}" if finding.hint else finding.message


def _with_fingerprints(findings: Sequence[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Each finding with what stays the same when lines above it come or go; equal ones of a file are numbered."""
    seen = Counter[tuple[str, ...]]()
    for finding in findings:
        what = (str(finding.location.path), finding.rule, finding.message)
        seen[what] += 1
        yield finding, hashlib.sha256("\0".join((*what, str(seen[what]))).encode()).hexdigest()[:32]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
