"""Blocks of code of others that do not end as CommonMark has it: no heading of a text may become code."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from time import process_time

import pytest
from foreign_folder import lost_words, read_back, read_one
from running import paper_notes, write

from paper_notes.features.importing.markdown.grammar import read_tree

FLOW = "%%{init: {'flowchart': {'rankSpacing': 24}}}%%\nflowchart TD\n  A[\"token x_<t\"] -->|是| B{\"<br/>\"}\n"
MANNERS = {
    "closed": f"```mermaid\n{FLOW}```",
    "never closed": f"```mermaid\n{FLOW}",
    "closed before words": f"```mermaid\n{FLOW}``` 图 1",
    "closed before a wide space": f"```mermaid\n{FLOW}```\u3000",
    "closed before an invisible sign": "```python\nx = 1\n```\u200b\n\n```py\ny\n```",
    "closed far to the right": f"```mermaid\n{FLOW}    ```",
    "closed by fewer ticks": f"````mermaid\n{FLOW}```",
    "closed by the next one": f"```mermaid\n{FLOW}\n### 损失\n\n```python\nx\n```",
    "as a box": f"::: mermaid\n{FLOW}:::",
    "in an item": f"- x\n\n  ```mermaid\n  {FLOW.replace(chr(10), chr(10) + '  ')}```",
    "in a quotation": "> ```mermaid\n> flowchart TD\n> ```",
    "only opened in a quotation": f"> ```mermaid\n{FLOW}```",
    "in an example that ends too early": "```markdown\n```mermaid\nflowchart TD\n```\n```",
    "indented, but not closed so": "x\n\n    ```mermaid\n    flowchart TD\n```",
    "behind dollars that do not end": f"$$x\n\n```mermaid\n{FLOW}```",
    "behind a comment that does not end": f"%% later\n\n```mermaid\n{FLOW}```",
    "with dollars": '```mermaid\nflowchart TD\n  A["$$"] --> B\n$$\n```',
    "with the beginning of a comment": "```mermaid\nflowchart TD\n  A --> B\n<!-- x\n```",
    "with the beginning of a box": "```mermaid\nflowchart TD\n::: x\n{{< details >}}\n<details>\n```",
}


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("between", ["\n\n", "\n"])
@pytest.mark.parametrize("after", ["", "```python\nx\n```\n"])
def test_a_heading_behind_code_is_a_heading(
    manner: str, between: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "merman", None)
    text = f"# T\n\n## 方法\n\n{MANNERS[manner]}{between}### 关键设计\n\n正文 $$y$$ 完\n\n$$\nz\n$$\n\n{after}"
    note = read_one(text)
    _, page = read_back(note, {})
    assert re.search(r"<h3>[\d. ]*关键设计</h3>", page)
    assert page.count("关键设计") == 1
    assert "关键" not in lost_words(text, note, {})


def test_headings_in_code_that_ends_stay_code() -> None:
    for code in (
        "```text\n\n### 关键设计\n\n```",
        "```bash\nx\n\n## build\ny\n```\n\n```bash\nz\n```",
        "~~~\n## a\n~~~",
    ):
        assert read_one(f"# T\n\n{code}\n\ntext\n").body == f"{code}\n\ntext"


def test_a_fence_of_another_item_ends_where_it_does() -> None:
    text = "- a\n\n  ```py\n  x\n\n  ## h\n\n- b\n\n  ```bash\n\n  ## build\n  ```\n"
    assert read_one(f"# T\n\n{text}").body.endswith("- b\n\n  ```bash\n\n  ## build\n  ```")


@pytest.mark.nightly
@pytest.mark.parametrize("text", ["```py\nx\n\n## h\n\n", "$$\nx\n\n## h\n\n", "- a\n\n  ```py\n  x\n\n  ## h\n\n"])
def test_fences_that_never_end_take_time_that_grows_with_their_number_only(text: str) -> None:
    begin = process_time()
    read_tree(text * 2_000, (), mdx=False)
    assert process_time() - begin < 10  # half a second; looking through all the rest from each fence would take minutes


def test_what_nothing_can_draw_is_shown_as_it_was_written_and_what_is_not_installed_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = {"notes_src/site.yaml": "title: T\nlanguages: [zh]\ntopics: [b]\n", "notes_src/b/topic.yaml": "title: B\n"}
    write(tmp_path, site)
    text = "# T\n\n```mermaid\nflowchart TD\nA<!-- c\n```\n\n## 关键设计\n\n正文\n"
    write(tmp_path / "theirs", {f"a/{name}.md": text for name in ("x", "y", "z")})
    monkeypatch.setitem(sys.modules, "merman", None)
    take = ("import", tmp_path / "theirs", "--offline", "--root", tmp_path, "--check")
    said = paper_notes(*take).stderr
    assert "missing-extra: 3, such as a/x.md:1:1: a mermaid fence needs the extra `mermaid`" in said
    assert said.count("`paper-notes doctor` has the line that installs it") == 1
    monkeypatch.undo()
    assert paper_notes(*take[:-1]).exit_code == 0
    assert (tmp_path / "notes_src/a/01_x/zh.md").read_text() == (
        "```text\nflowchart TD\nA<!-- c\n```\n\n## 关键设计\n\n正文"
    )


def test_a_build_says_once_what_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "merman", None)
    notes = {f"notes_src/a/0{n}_x/zh.md": "```mermaid\nflowchart TD\n```\n" for n in (1, 2, 3)}
    notes |= {f"notes_src/a/0{n}_x/note.yaml": "title: T\n" for n in (1, 2, 3)}
    site = {"notes_src/site.yaml": "title: T\nlanguages: [zh]\ntopics: [a]\n", "notes_src/a/topic.yaml": "title: T\n"}
    write(tmp_path, site | notes)
    said = paper_notes("check", "--root", tmp_path, "-j", "1").stderr
    assert said.count("`paper-notes doctor` has the line that installs it") == 1
    assert "and 2 more of warning[missing-extra]" in said
