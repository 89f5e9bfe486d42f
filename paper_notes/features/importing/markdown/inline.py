"""What others write within lines, as we write it: one row of REWRITINGS each.

A run of text is read once from left to right; the first row that matches at a place says what stands there afterwards.
Code, formulas and comments have rows that keep them, so that no other row looks into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from paper_notes.features.importing.markdown.anchors import MARK
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.formulas import BRACKETED, IN_DOLLARS, TICKED, begins_formula
from paper_notes.features.importing.markdown.links import image, link, wiki, wiki_embed
from paper_notes.features.importing.markdown.run import Found, Made, Rewriting, Run, remark
from paper_notes.features.importing.markdown.tags import anchor, tag
from paper_notes.markdown.syntax.typographer import SIGNS


def _kept(run: Run, found: Found) -> Made:
    return found[0]


def _code(run: Run, found: Found) -> Made:
    if run.in_table:
        return re.sub(r"(?<!\\)\|", r"\\|", found[0])
    return found[0]


def _backslash(run: Run, found: Found) -> Made:
    return "\\\\"


def _remark(run: Run, found: Found) -> Made:
    return remark(found["remark"])


def _percent(run: Run, found: Found) -> Made:
    return r"\%" * len(found[0])


def _jsx(run: Run, found: Found) -> Made:
    return remark(found["jsx"]) if run.conversion.mdx else None


def _tag(run: Run, found: Found) -> Made:
    return tag(run, found["slash"], found["tag"], found["attributes"] or "", found[0])


def _anchor(run: Run, found: Found) -> Made:
    return anchor(run, found["a"], found["within"])


def _less(run: Run, found: Found) -> Made:
    return r"\<"


def _address(run: Run, found: Found) -> Made:
    if re.match(r"<(?:https?|mailto):|<[^:]*@", found[0]):
        return found[0]
    return f"`{found[0][1:-1]}`"


def _image(run: Run, found: Found) -> Made:
    title = (found["image_title"] or "").strip()[1:-1]
    return image(run, found["alt"], found["source"], title)


def _image_by_name(run: Run, found: Found) -> Made:
    key = found["image_key"] or found["alt_named"]
    address = run.conversion.defined(label(key))
    return image(run, found["alt_named"], address, "") if address else None


def _embed(run: Run, found: Found) -> Made:
    return wiki_embed(run, found["embed"])


def _wiki_with_address(run: Run, found: Found) -> Made:
    return link(run, rf"\[{found['boxed']}\]", found["boxed_address"], "")


def _wiki(run: Run, found: Found) -> Made:
    return wiki(run, found["wiki"])


def _brackets(run: Run, found: Found) -> Made:
    return r"\[", found.start() + 1


def _footnote(run: Run, found: Found) -> Made:
    if run.in_link:
        return ""
    return found[0] if f"^{found['footnote']}" in run.conversion.definitions else (r"\[^", found.start() + 2)


def _link(run: Run, found: Found) -> Made:
    if run.in_link:
        return rf"\[{run.inner(found['words'])}\]"
    return link(run, found["words"], found["address"], (found["link_title"] or "").strip()[1:-1])


def _link_by_name(run: Run, found: Found) -> Made:
    address = run.conversion.defined(label(found["key"] or found["named"]))
    if address is None:
        return (r"\[", found.start() + 1) if "@" in found["named"] else None
    return link(run, found["named"], address, "")


def _by_label(run: Run, found: Found) -> Made:
    if found["label"] in (" ", "x", "X", "-") or label(found["label"]) not in run.conversion.definitions:
        return None
    return link(run, found["label"], run.conversion.defined(label(found["label"])) or "", "")


def _span(run: Run, found: Found) -> Made:
    return run.inner(found["span"])


def _citation(run: Run, found: Found) -> Made:
    run.conversion.report("unmapped", "citation", f'"{found[0][:60]}" cites no paper of this collection yet')
    return r"\[", found.start() + 1


def _mention(run: Run, found: Found) -> Made:
    return r"\@"


def _inserted(run: Run, found: Found) -> Made:
    return f"<ins>{run.inner(found['inserted'])}</ins>"


def _keys(run: Run, found: Found) -> Made:
    if "keys" not in run.conversion.dialect.signs:
        return None
    return "+".join(f"<kbd>{key}</kbd>" for key in found["keys"].split("+"))


def _script(run: Run, found: Found) -> Made:
    """`H~2~O` and `x^2^` as the extensions of MkDocs read them: elsewhere `~2~` is struck out."""
    if "script" not in run.conversion.dialect.signs:
        return None
    return f"<sub>{found['sub']}</sub>" if found["sub"] else f"<sup>{found['sup']}</sup>"


def _edited(run: Run, found: Found) -> Made:
    sign, inner = found["edit"][:2], found["edit"][2:-2]
    if sign == ">>":
        return remark(inner)
    name = {"++": "ins", "--": "del", "==": "mark"}[sign]
    return f"<{name}>{run.inner(inner)}</{name}>"


_ICON = re.compile("material-|octicons-|fontawesome-|simple-|fas-|fab-")


def _emoji(run: Run, found: Found) -> Made:
    name = found["emoji"]
    if _ICON.match(name):
        run.conversion.report("unmapped", "icon", f'the icon ":{name}:" is left out')
        return "", found.end() + (found.string[found.end() : found.end() + 1] == " ")
    return SIGNS.get(name)


def _attributes(run: Run, found: Found) -> Made:
    return ""


def _block_id(run: Run, found: Found) -> Made:
    conversion = run.conversion
    name = dict(conversion.outline.blocks).get(found["block"].casefold())
    if name is None or run.in_link or run.in_table:
        return None
    if name in conversion.named:
        conversion.report("doubtful", "block-name", f'several blocks are called "^{found["block"]}": links lead to one')
        return ""
    conversion.named.add(name)
    return f"^{name}"


def _shortcode(run: Run, found: Found) -> Made:
    name = re.match(r"[<%]\s*/?\s*([\w-]*)", found["shortcode"])
    called = name[1] if name else ""
    run.conversion.report("unmapped", "shortcode", f'the shortcode "{called}" is kept as it is written')
    return f"`{found[0]}`"


def _liquid(run: Run, found: Found) -> Made:
    if re.match(r"\{%-?\s*(?:end)?(?:raw|comment|capture)\b", found[0]):
        return ""
    run.conversion.report("unmapped", "liquid", f'"{found[0][:60]}" is kept as it is written')
    return f"`{found[0]}`"


def _expression(run: Run, found: Found) -> Made:
    if run.conversion.mdx:
        run.conversion.report("unmapped", "expression", f'"{found[0][:60]}" is kept as it is written')
    return None


def _number(run: Run, found: Found) -> Made:
    return r"\#"


_TEXT = r"(?:[^\[\]\\`]|\\.|`[^`\n]*`|\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*\](?:\([^()]*\))?)"
_TARGET = r"<[^<>\n]*>|(?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\([^\s()]*\))*\))*"
_SPACED_PICTURE = r"[^()\n\"<>]+?\.(?:png|jpe?g|gif|svg|webp|avif|md)(?:#[^()\n\"]*)?"
_TITLE = r"""\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_BRACES = r"(?:\{:?[ \t]*[^{}\n]*\})?"

_COMMANDS = (
    r"(?:[A-Za-z]*cite[A-Za-z]*|[Cc]ref|autoref)\*?[\[{]"
    r"|(?:textbf|textit|emph|texttt|underline|footnote|href|url|(?:sub)*section|paragraph)\*?\{"
)
"""Commands of LaTeX that our parser takes for what somebody forgot to rewrite."""

REWRITINGS = (
    *TICKED,
    Rewriting("code", r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", _code),
    *BRACKETED,
    Rewriting("tex_command", rf"\\(?={_COMMANDS})", _backslash),
    Rewriting("escape", r"\\[!-/:-@\[-`{-~]", _kept),
    *IN_DOLLARS,
    Rewriting("html_comment", r"<!--.*?-->", _kept),
    Rewriting("obsidian_comment", r"(?<![\d%])%%(?P<remark>(?:(?!%%).)+)%%", _remark),
    Rewriting("percent", r"%%+", _percent),
    Rewriting("jsx_comment", r"\{/\*(?P<jsx>.*?)\*/\}", _jsx),
    Rewriting("autolink", r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[\w.+-]+@[\w.-]+>", _address),
    Rewriting(
        "html_link", r"<[aA]\s(?P<a>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>(?P<within>(?:(?!</[aA]>).)*)</[aA]>", _anchor
    ),
    Rewriting(
        "html_tag",
        r"<(?P<slash>/?)(?P<tag>[A-Za-z][A-Za-z0-9.:-]*)(?P<attributes>\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>",
        _tag,
    ),
    Rewriting("less", r"<(?=[A-Za-z/!?])", _less),
    Rewriting(
        "image",
        rf"!\[(?P<alt>{_TEXT}*)\]\(\s*(?P<source>{_TARGET}|{_SPACED_PICTURE})(?P<image_title>{_TITLE})?(?:\s+=\d*%?x?\d*%?)?\s*\){_BRACES}",
        _image,
    ),
    Rewriting("embed", r"!\[\[(?P<embed>[^\[\]\n]+)\]\]", _embed),
    Rewriting("image_by_name", r"!\[(?P<alt_named>[^\[\]]*)\](?:\[(?P<image_key>[^\[\]]*)\])?", _image_by_name),
    Rewriting("boxed_link", r"\[\[(?P<boxed>[^\[\]\n]+)\]\]\((?P<boxed_address>[^()\s]+)\)", _wiki_with_address),
    Rewriting("wiki", r"\[\[(?P<wiki>[^\[\]\n]+)\]\]", _wiki),
    Rewriting(
        "link",
        rf"\[(?P<words>{_TEXT}*)\]\(\s*(?P<address>{_TARGET}|{_SPACED_PICTURE})(?P<link_title>{_TITLE})?\s*\){_BRACES}",
        _link,
    ),
    Rewriting("brackets", r"\[(?=\[)", _brackets),
    Rewriting("footnote", r"\[\^(?P<footnote>[^\[\]\s]+)\](?!:)", _footnote),
    Rewriting("link_by_name", rf"\[(?P<named>{_TEXT}+)\]\[(?P<key>[^\[\]\n]*)\]", _link_by_name),
    Rewriting("span", r"\[(?P<span>[^\[\]\n]*)\]\{[ \t]*[.#:][^{}\n]*\}", _span),
    Rewriting("citation", r"\[(?=-?@|[^\[\]\n]*[\s;(,]-?@[A-Za-z])[^\[\]\n]*\](?![(\[{])", _citation),
    Rewriting("label", r"\[(?P<label>[^\[\]\n\^][^\[\]\n]*)\](?![:(\[])", _by_label),
    Rewriting("url", r"https?://[!-;=?-{}~]+", _kept),
    Rewriting("mention", r"(?<![\w@/.\[-])@(?=[A-Za-z][\w:-]*(?:1[5-9]|20)\d\d)", _mention),
    Rewriting("edit", r"\{(?P<edit>\+\+.+?\+\+|--.+?--|==.+?==|>>.+?<<)\}", _edited),
    Rewriting("inserted", r"\^\^(?P<inserted>(?=\S)[^\^\n]+(?<!\s))\^\^", _inserted),
    Rewriting("script", r"(?<=[\w)])(?:~(?P<sub>[\w+-]{1,20})~(?!~)|\^(?P<sup>[\w+-]{1,20})\^(?!\^))", _script),
    Rewriting("keys", r"(?<![\w+])\+\+(?P<keys>[a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+(?!\w)", _keys),
    Rewriting("emoji", r"(?<![\w:]):(?P<emoji>[a-z0-9_+-]*[a-z1][a-z0-9_+-]*):", _emoji),
    Rewriting("attributes", r"\{:[^{}\n]*\}|(?<=[\])*_`])\{[ \t]*[.#][^{}\n]*\}", _attributes),
    Rewriting("shortcode", r"\{\{(?P<shortcode>[<%](?:(?!\}\}).)*[%>])\}\}", _shortcode),
    Rewriting("liquid", r"\{%.*?%\}", _liquid),
    Rewriting("block_id", MARK + r"\Z", _block_id),
    Rewriting("expression", r"\{(?![\s{}%<#:./])[^{}\n]*\}?", _expression),
    Rewriting("number", r"(?<![\w&/\\#])#(?=\d{1,5}(?![\w.]))", _number),
)
"""The first come first. A row that our own syntax reads as it is can go."""


@lru_cache(maxsize=1)
def _pattern() -> tuple[re.Pattern[str], dict[str, Callable[[Run, Found], Made]]]:
    joined = "|".join(f"(?P<r_{row.name}>{row.pattern})" for row in REWRITINGS)
    return re.compile(joined, re.DOTALL | re.MULTILINE), {f"r_{row.name}": row.make for row in REWRITINGS}


_MAY_HAVE = re.compile(r"[\\$`<%!\[\]{}@=^~:#]|https?:|\+\+")
"""One of these signs is in each of the patterns."""


def inline(text: str, conversion: Conversion, line: int, *, in_table: bool = False) -> str:
    """A text that begins at a line of the original with all that others write in it as we write it."""
    return rewritten(text, Run(conversion, line, rewritten, in_table))


def rewritten(text: str, run: Run) -> str:
    """The text of a run, read from left to right."""
    if not _MAY_HAVE.search(text):
        return text
    pattern, makers = _pattern()
    parts: list[str] = []
    place = done = 0
    while found := pattern.search(text, place):
        run.conversion.line = run.line + text.count("\n", 0, found.start())
        made = makers[found.lastgroup or ""](run, found)
        if made is None:
            made, place = _otherwise(text, found), found.start() + 1
        elif isinstance(made, tuple):
            made, place = made
        else:
            place = found.end()
        parts += [text[done : found.start()], made]
        if place == found.start():
            place += 1
        done = place
    return "".join([*parts, text[done:]])


def _otherwise(text: str, found: Found) -> str:
    """The first sign of what turned out to be nothing."""
    first = text[found.start()]
    return r"\$" if first == "$" and begins_formula(text, found.start()) else first


def label(name: str) -> str:
    """The label of a link definition as it is compared."""
    return " ".join(name.casefold().split())
