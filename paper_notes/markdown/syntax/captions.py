"""The caption of a figure, from the tokens of its box."""

from __future__ import annotations

import re

from markdown_it.token import Token


def without_images(tokens: list[Token]) -> list[Token]:
    """The tokens without images, and without paragraphs that held nothing else."""
    kept: list[Token] = []
    for token in tokens:
        if token.children and any(child.type == "image" for child in token.children):
            children = [child for child in token.children if child.type != "image"]
            while children and children[0].type in ("softbreak", "hardbreak"):
                del children[0]
            token = token.copy(children=children)
        kept.append(token)
        is_paragraph = [t.type for t in kept[-3:]] == ["paragraph_open", "inline", "paragraph_close"]
        if is_paragraph and not any(child.type != "softbreak" for child in kept[-2].children or []):
            del kept[-3:]
    return kept


def without_label(tokens: list[Token], label: str) -> list[Token]:
    """The caption without the label that it gets anyway: `Figure 1:`, `Fig. 1.` and `图 1：` in front."""
    inline = next((place for place, token in enumerate(tokens[:2]) if token.type == "inline"), None)
    children = (tokens[inline].children or []) if inline is not None else []
    if inline is None or not children or children[0].type != "text":
        return tokens
    word, number = label.rpartition(" ")[::2] if " " in label else (label, "")
    typed = re.match(rf"(?:{re.escape(word)}|Fig\.)\s*{number}\s*[:：.．、·|—–]\s*(?=\S|$)", children[0].content)
    if not typed or (typed.end() == len(children[0].content) and len(children) == 1):
        return tokens
    first = children[0].copy(content=children[0].content[typed.end() :])
    return [*tokens[:inline], tokens[inline].copy(children=[first, *children[1:]]), *tokens[inline + 1 :]]
