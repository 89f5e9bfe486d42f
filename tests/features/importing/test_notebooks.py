"""Cells of a notebook and what they have put out become directives, each in the best form that a page can show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paper_notes.features.importing.notebook import as_markdown


def code(*outputs: dict[str, Any], source: str = "", **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": outputs}


def shown(**forms: str) -> dict[str, Any]:
    return code(
        {"output_type": "display_data", "data": {kind.replace("__", "/"): form for kind, form in forms.items()}}
    )


def said(**output: Any) -> dict[str, Any]:
    return code({"output_type": "stream", **output})


MARKDOWN = {"cell_type": "markdown", "source": ["# A\n", "b"]}
FRONT = {"cell_type": "raw", "source": "---\na: b\n---\n"}
HIDDEN = "```{code-cell} python\n:tags: [hide-input]\n\nx\n```"
SHOWN = "```{code-cell} python\nx\n```"


@pytest.mark.parametrize(
    ("cell", "metadata", "markdown"),
    [
        (MARKDOWN, {}, "# A\nb"),
        (MARKDOWN, {"title": "T"}, '---\ntitle: "T"\n---\n\n# A\nb'),
        (FRONT, {"title": "T"}, "---\na: b\n---"),
        ({"cell_type": "raw", "source": "r"}, {}, "```text\nr\n```"),
        ({"cell_type": "raw", "source": " "}, {"title": "T"}, ""),
        (code(source="x"), {}, SHOWN),
        (code(source=" "), {}, ""),
        (
            code(source="x"),
            {"language_info": {"name": "julia"}, "kernelspec": {"language": "r"}},
            SHOWN.replace("python", "julia"),
        ),
        (code(source="x"), {"kernelspec": {"language": "r"}}, SHOWN.replace("python", "r")),
        (code(source="x", tags=["y", "hide-input"]), {}, HIDDEN),
        (code(source="x", tags=["y"]), {}, SHOWN),
        (code(source="x", tags="hide-input"), {}, SHOWN),
        (code(source="x", jupyter={"source_hidden": True}), {}, HIDDEN),
        (said(text=["a\n", "\x1b[31mb\x1b[0m"]), {}, "```text\na\nb\n```"),
        (said(text=" "), {}, ""),
        (said(output_type="error", ename="E", evalue="v"), {}, "```text\nE: v\n```"),
        (said(output_type="error", ename="E", traceback=["t", "u"]), {}, "```text\nt\nu\n```"),
        (said(output_type="other", text="a"), {}, ""),
        (shown(text__html="<b>h</b>", text__plain="p"), {}, "```{raw} html\n<b>h</b>\n```"),
        (shown(text__html="<script>", text__plain="p"), {}, "```text\np\n```"),
        (shown(text__markdown="**m**", text__plain="p"), {}, "**m**"),
        (shown(text__latex="$$\\displaystyle l$$", text__plain="p"), {}, "$$\nl\n$$"),
        (shown(text__latex="\\alpha"), {}, "$$\n\\alpha\n$$"),
        (shown(application__x="y"), {}, "```{raw} application/x\n```"),
        (shown(z="y"), {}, ""),
        (shown(picture="a.png", text__plain="<Figure>", text__html="<b>h</b>"), {}, "![](a.png)"),
        (shown(picture="a.png", text__plain="a  b"), {}, "![a b](a.png)"),
    ],
)
def test_a_cell_becomes(cell: dict[str, Any], metadata: dict[str, Any], markdown: str) -> None:
    made = as_markdown(json.dumps({"cells": [cell], "metadata": metadata}))
    assert made.removeprefix('---\ntitle: "T"\n---\n' if not markdown else "").strip("\n") == markdown
