"""Blocks of code of others: never touched, but for the name of the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from paper_notes.features.importing.markdown.containers import Again, Made, box
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.lines import FENCE, Line, dedented, fence_end, shifted
from paper_notes.markdown.syntax.code import fences, known_languages

_ADMONITION_FENCE = re.compile(r"ad-(\w+)|\{(note|tip|warning|important|caution|admonition|danger|hint|seealso)\}(.*)")
_INFO = re.compile(r"\{?\.?(?P<language>[\w+#.-]*)(?P<rest>.*)")
_NAMED = re.compile(r"(?:title|filename|name|caption)=(?:\"([^\"]*)\"|'([^']*)')|^\[([^\]]+)\]$")


def fence(conversion: Conversion, lines: Sequence[Line], place: int, again: Again) -> Made:
    """A block of code as it is; a title that it has beside its language becomes a line above it."""
    end = fence_end(lines, place)
    line = lines[place]
    found = FENCE.match(line.words)
    assert found
    info = found["info"].strip()
    indent = " " * line.indent
    inner = list(lines[place + 1 : end])
    closed = bool(inner) and inner[-1].words.startswith(found["fence"]) and not inner[-1].words.strip(found["fence"][0])
    if admonition := _ADMONITION_FENCE.fullmatch(info):
        inside = dedented(inner[:-1] if closed else inner, line.indent)
        title = (admonition[3] or "").strip()
        while inside and (
            option := re.fullmatch(r":?(title|collapse|icon|color|class|name)\s*:\s*(.*)", inside[0].words)
        ):
            title = option[2] if option[1] == "title" else title
            inside = inside[1:]
        kind = admonition[1] or admonition[2]
        made = shifted(again(inside), line.indent)
        return box(conversion, kind if kind != "admonition" else "note", title, made, line), end
    language, title = _language(conversion, info, line.number)
    above = [Line(line.number, words) for words in ("", f"{indent}**{title}**", "")] if title else []
    head = line.with_text(f"{indent}{found['fence']}{language}")
    made = [*above, head, *inner]
    if not closed:
        while made and not made[-1].words:
            made.pop()
        conversion.report("mended", "unclosed-fence", "a block of code does not end", line.number)
        made.append(Line(lines[end - 1].number, indent + found["fence"]))
    return made, end


def _language(conversion: Conversion, info: str, number: int) -> tuple[str, str]:
    """The language of a block of code as we know it, and its title."""
    if not info:
        return "", ""
    named = _NAMED.search(info)
    title = next(filter(None, named.groups()), "") if named else ""
    found = _INFO.match(info)
    language = found["language"].lower() if found else ""
    language = re.sub(r"\{.*|=.*", "", language).strip(".,:")
    if (bracket := re.search(r"\[([^\]]+)\]", info)) and not title:
        title = bracket[1]
    if language in fences() or language == "math":
        return language, title
    alias = _LANGUAGES.get(language, language)
    if alias and alias not in _known():
        if (dotted := language.rpartition(".")[2]) in _known() and "." in language:
            return dotted, title or language
        conversion.report("changed", "code-language", f'there are no colours for "{language}"', number)
        return "text", title
    return alias, title


_LANGUAGES = {
    "jsonc": "json",
    "json5": "json",
    "vue": "html",
    "svelte": "html",
    "shell-session": "console",
    "sh-session": "console",
    "dotenv": "bash",
    "plain": "text",
    "py3": "python",
    "mjs": "javascript",
    "cjs": "javascript",
    "jsonl": "json",
    "conf": "ini",
    "proto": "protobuf",
    "prompt": "text",
    "pseudo": "text",
    "env": "bash",
    "zsh": "bash",
    "latex-math": "latex",
    "pseudocode": "text",
    "algorithm": "text",
    "gitignore": "text",
    "log": "text",
    "csv": "text",
    "tsv": "text",
    "ascii": "text",
    "math": "math",
    "mdx": "markdown",
    "cuda": "cuda",
}


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(known_languages())
