"""Task lists, `- [ ] text`: a check box in place of the brackets."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_BOX = re.compile(r"\[([ xX])\](?=\s)")


def task_lists(state: StateCore) -> None:
    """Give each list item that starts with `[ ]` or `[x]` a box, and its list a class."""
    lists: list[Token] = []
    tokens = state.tokens
    for place, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and [t.type for t in tokens[place + 1 : place + 3]] == [
            "paragraph_open",
            "inline",
        ]:
            inline = tokens[place + 2]
            if (found := _BOX.match(inline.content)) and inline.children:
                inline.content = inline.content[found.end() :]
                inline.children[0].content = inline.children[0].content[found.end() :]
                inline.children.insert(0, _box(done=found[1] != " "))
                token.attrSet("class", "task-list-item")
                lists[-1].attrSet("class", "contains-task-list")


def _box(*, done: bool) -> Token:
    checked = ' checked="checked"' if done else ""
    html = f'<input class="task-list-item-checkbox"{checked} disabled="disabled" type="checkbox">'
    return Token("html_inline", "", 0, content=html)
