"""The blocks of a foreign text, line by line: headings, boxes, HTML, tables and fences as we write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from paper_notes.foreign.markdown.containers import CONTAINERS, Again, Container, Made, box
from paper_notes.foreign.markdown.conversion import Conversion
from paper_notes.foreign.markdown.htmlblocks import html_block, html_end
from paper_notes.foreign.markdown.lines import FENCE, ITEM, TAB, Line, dedented, fence_end, shifted
from paper_notes.foreign.markdown.run import remark
from paper_notes.foreign.markdown.shortcodes import LIQUID, OPENED, liquid, shortcode
from paper_notes.foreign.markdown.tables import table, table_end
from paper_notes.markdown.figures.diagrams import DIAGRAMS
from paper_notes.markdown.syntax.code import known_languages

_ATX = re.compile(r"(#{1,6})([ \t].*|)")
_TOC = re.compile(r"\[\[?_?TOC_?\]?\]|\[\[?toc\]?\]|\{:toc\}|@\[toc\].*|\$\{toc\}|\{\{[<%]\s*toc\s*[>%]\}\}")
_LISTED_TOC = re.compile(r"[-*+1.]+[ \t]+(?:TOC|目录|toc)[ \t]*")
_ATTRIBUTES = re.compile(r"\{:[^{}]*\}")
_IMPORT = re.compile(r"(?:import\s.+from\s+['\"].*|import\s+['\"].*['\"];?|export\s+(?:const|default|function|let|var)\b.*)")
_BEGIN = re.compile(r"\\begin\{(equation|align|gather|multline|eqnarray|alignat|flalign|displaymath|math)(\*?)\}")
_ADMONITION_FENCE = re.compile(r"ad-(\w+)|\{(note|tip|warning|important|caution|admonition|danger|hint|seealso)\}(.*)")
_INFO = re.compile(r"\{?\.?(?P<language>[\w+#.-]*)(?P<rest>.*)")
_NAMED = re.compile(r"(?:title|filename|name|caption)=(?:\"([^\"]*)\"|'([^']*)')|^\[([^\]]+)\]$")
_SETEXT = re.compile(r"(?:=+|-{2,})[ \t]*")

MORE = (Container("shortcode", OPENED, shortcode), Container("liquid", LIQUID, liquid))


def blocks(conversion: Conversion, lines: Sequence[Line], *, nested: bool = False) -> list[Line]:
    """The lines as we write them; `nested` for those in a box, which have no sections."""
    made: list[Line] = []
    place, floor = 0, 0
    was_blank, was_code = True, False
    again = lambda inner: blocks(conversion, inner, nested=True)  # noqa: E731
    while place < len(lines):
        line = lines[place]
        words, indent = line.words, line.indent
        conversion.line = line.number
        if not words:
            made.append(Line(line.number, ""))
            place, was_blank = place + 1, True
            continue
        if indent < floor and (was_blank or ITEM.match(words)):
            floor = 0 if not ITEM.match(words) else min(floor, indent)
        if indent >= floor + TAB and (was_blank or was_code):
            made.append(line)
            place, was_code, was_blank = place + 1, True, False
            continue
        before_blank, was_blank, was_code = was_blank, False, False
        if not nested and indent < TAB and (heading := conversion.headings.get(line.number)):
            anchor = f" {{#{heading.id}}}" if heading.id else ""
            made += [Line(line.number, ""), Line(line.number, f"{'#' * heading.level} {heading.text}{anchor}")]
            made.append(Line(line.number, ""))
            place, was_blank, floor = place + heading.lines, True, 0
            continue
        taken = _block(conversion, lines, place, before_blank, nested, again)
        if taken is None:
            if item := ITEM.match(words):
                floor = indent + len(item["marker"]) + max(min(len(item["space"]), 4), 1)
            made.append(line)
            place += 1
            continue
        more, after = taken
        made += more
        place = max(after, place + 1)
        was_blank = not more or not more[-1].words
    return made


def _block(conversion: Conversion, lines: Sequence[Line], place: int, after_blank: bool, nested: bool, again: Again) -> Made:
    """The lines for the block that begins here, and the index after it; None for text."""
    line = lines[place]
    words = line.words
    first = words[0]
    if first in "`~" and FENCE.match(words):
        return _fence(conversion, lines, place, again)
    if first == "#" and (atx := _ATX.fullmatch(words)):
        if not atx[2].strip(" #\t"):
            return [Line(line.number, "")], place + 1
        return [line.with_text(f"{' ' * line.indent}{'#' * max(len(atx[1]), 3)} {atx[2].strip(' #')}")], place + 1
    if words.startswith("$$") or (words.startswith(("\\[", "\\\\[")) and words.strip("\\") == "["):
        return _formula(conversion, lines, place)
    if first == "\\" and _BEGIN.match(words):
        return _environment(lines, place)
    if words.startswith("%%") and words.count("%%") % 2:
        return _remark(lines, place)
    if words.startswith("<!--"):
        return _comment(lines, place)
    if first in "[{@$" and _TOC.fullmatch(words):
        return [Line(line.number, "")], place + 1
    if _LISTED_TOC.fullmatch(words) and place + 1 < len(lines) and lines[place + 1].words == "{:toc}":
        return [Line(line.number, "")], place + 2
    if first == "{" and _ATTRIBUTES.fullmatch(words):
        return [], place + 1
    if conversion.mdx and not nested and after_blank and _IMPORT.fullmatch(words):
        return _imports(conversion, lines, place)
    for container in (*CONTAINERS, *MORE) if first in "!?=:<>{" else ():
        found = container.pattern.fullmatch(words)
        if found and (taken := container.make(conversion, lines, place, found, again)) is not None:
            return taken
    if first == "<":
        end = html_end(lines, place, after_blank=after_blank)
        if end > place:
            made = html_block(conversion, lines[place:end], again)
            return _without_html(conversion, made, nested), end
    if (end := table_end(lines, place)) > place:
        return [Line(line.number, ""), *table(conversion, lines[place:end])], end
    return None


def _without_html(conversion: Conversion, made: list[Line], nested: bool) -> list[Line]:
    """The tables among lines that were HTML."""
    done: list[Line] = []
    place = 0
    while place < len(made):
        end = table_end(made, place)
        if end > place:
            done += table(conversion, made[place:end])
            place = end
        else:
            done.append(made[place])
            place += 1
    return done


def _fence(conversion: Conversion, lines: Sequence[Line], place: int, again: Again) -> Made:
    """A block of code: what it says beside its language becomes a line above it."""
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
        while inside and (option := re.fullmatch(r":?(title|collapse|icon|color|class|name)\s*:\s*(.*)", inside[0].words)):
            title = option[2] if option[1] == "title" else title
            inside = inside[1:]
        kind = admonition[1] or admonition[2]
        made = shifted(again(inside), line.indent)
        return box(conversion, kind if kind != "admonition" else "note", title, made, line), end
    language, title = _language(conversion, info, line.number)
    above = [Line(line.number, f"{indent}**{title}**"), Line(line.number, "")] if title else []
    head = line.with_text(f"{indent}{found['fence']}{language}")
    made = [*above, head, *inner]
    if not closed:
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
    if language in DIAGRAMS or language == "math":
        return language, title
    alias = _LANGUAGES.get(language, language)
    if alias and alias not in _known():
        if (dotted := language.rpartition(".")[2]) in _known() and "." in language:
            return dotted, title or language
        conversion.report("changed", "code-language", f'there are no colours for "{language}"', number)
        return "text", title
    return alias, title


_LANGUAGES = {"jsonc": "json", "json5": "json", "vue": "html", "svelte": "html", "shell-session": "console", "sh-session": "console", "dotenv": "bash", "plain": "text", "py3": "python", "pseudocode": "text", "algorithm": "text", "gitignore": "text", "log": "text", "csv": "text", "tsv": "text", "ascii": "text", "math": "math", "mdx": "markdown", "cuda": "cuda"}


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(known_languages())


def _formula(conversion: Conversion, lines: Sequence[Line], place: int) -> Made:
    """A formula on lines of its own, without blank lines inside."""
    line = lines[place]
    words = line.words
    dollars = words.startswith("$$")
    mark = "$$" if dollars else ("\\\\]" if words.startswith("\\\\[") else "\\]")
    rest = words[2:] if dollars else ""
    if dollars and "$$" in rest:
        return None
    last = -1
    for at in range(place + 1, min(len(lines), place + 200)):
        if mark in lines[at].text:
            last = at
            break
    if last < 0:
        return None
    tail, _, after = lines[last].words.partition(mark)
    inside = [rest, *(one.words for one in lines[place + 1 : last]), tail]
    inside = [re.sub(r"^(?:>[ \t]?)+", "", one) for one in inside]
    if any(not one for one in inside[1:-1]):
        conversion.report("mended", "blank-in-formula", "a formula holds a blank line", line.number)
    indent = " " * line.indent
    number = re.fullmatch(r"[ \t]*\{#([\w:-]+)\}|[ \t]*\(([\w.]+)\)", after)
    extra = rf"\label{{{number[1]}}}" if number and number[1] else ""
    body = [Line(min(line.number + at, lines[last].number), indent + one) for at, one in enumerate(inside) if one]
    made = [Line(line.number, ""), line.with_text(f"{indent}$$"), *body]
    made += [Line(lines[last].number, indent + extra)] if extra else []
    made += [Line(lines[last].number, f"{indent}$$"), Line(lines[last].number, "")]
    if after.strip() and not extra:
        made.append(Line(lines[last].number, indent + after.strip()))
    return made, last + 1


def _environment(lines: Sequence[Line], place: int) -> Made:
    r"""`\begin{align}` without dollars."""
    line = lines[place]
    found = _BEGIN.match(line.words)
    assert found
    ending = rf"\end{{{found[1]}{found[2]}}}"
    last = next((at for at in range(place, min(len(lines), place + 200)) if ending in lines[at].text), -1)
    if last < 0:
        return None
    before, _, after = lines[last].words.partition(ending)
    indent = " " * line.indent
    body = [one.with_text(indent + one.words) for one in lines[place:last] if one.words]
    body.append(Line(lines[last].number, f"{indent}{before}{ending}"))
    made = [Line(line.number, ""), Line(line.number, f"{indent}$$"), *body, Line(lines[last].number, f"{indent}$$")]
    made.append(Line(lines[last].number, ""))
    if after.strip():
        made.append(Line(lines[last].number, indent + after.strip()))
    return made, last + 1


def _remark(lines: Sequence[Line], place: int) -> Made:
    """`%%` on a line of its own, up to the next."""
    last = next((at for at in range(place + 1, len(lines)) if "%%" in lines[at].text), -1)
    if last < 0:
        return None
    text = "\n".join([lines[place].words[2:], *(line.text for line in lines[place + 1 : last])])
    tail, _, after = lines[last].text.partition("%%")
    made = remark(f"{text}\n{tail}").split("\n")
    number = lines[place].number
    return [*(Line(number, line) for line in made), Line(lines[last].number, ""), Line(lines[last].number, after)], last + 1


def _comment(lines: Sequence[Line], place: int) -> Made:
    """A comment of HTML as it is; one without an end is text."""
    last = next((at for at in range(place, len(lines)) if "-->" in lines[at].text[4 * (at == place) :]), -1)
    if last < 0:
        return [lines[place].with_text(lines[place].text.replace("<", r"\<", 1))], place + 1
    tail = lines[last].text.partition("-->")[2] if last > place else lines[place].words.partition("-->")[2]
    if not tail.strip():
        return list(lines[place : last + 1]), last + 1
    head = lines[last].text[: lines[last].text.index("-->") + 3]
    number = lines[last].number
    return [*lines[place:last], Line(number, head), Line(number, ""), Line(number, tail.strip())], last + 1


def _imports(conversion: Conversion, lines: Sequence[Line], place: int) -> Made:
    """Lines of a program at the top of MDX, up to a blank one."""
    end = place
    while end < len(lines) and lines[end].words:
        end += 1
    conversion.report("unmapped", "import", "lines of a program are left out", lines[place].number)
    text = "\n".join(line.text for line in lines[place:end])
    return [*(Line(lines[place].number, line) for line in remark(text).split("\n")), Line(lines[end - 1].number, "")], end
