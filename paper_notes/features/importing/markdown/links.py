"""Links, wiki links and pictures of others: to notes as references, to files as what a page can show of them."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from paper_notes.features.importing.markdown.conversion import PICTURES, is_remote
from paper_notes.features.importing.markdown.headings import plain
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.features.importing.types import NotePlace

_SIZE = re.compile(r"(?:^|\|)\s*(?:\d+(?:x\d+)?|left|right|center|inline)\s*(?=$|\|)")
_DATA = re.compile(r"data:image/(png|jpe?g|gif|webp|svg\+xml|avif)(?:;[\w=-]+)*?(;base64)?,(.*)", re.DOTALL)
_PAGE_OPEN = re.compile(r"https?://|mailto:", re.IGNORECASE)
_NO_ALT = frozenset("|image|img|alt|alt text|picture|图片|image.png|screenshot|untitled".split("|"))
_TOC = frozenset({"toc", "_toc_"})
_BLOCK = re.compile(r"#\^[A-Za-z0-9-]+\s*$")
"""The name of a block says nothing to readers."""
_REF = re.compile(r"\{\{[<%]\s*(?:rel)?ref\s+\"?([^\"%>]+?)\"?\s*[%>]\}\}")


def link(rewriting: Rewriting, inner: str, address: str, title: str) -> str:
    """A link of others, whose words are converted already."""
    conversion = rewriting.conversion
    address = address.strip()
    address = address[1:-1] if address.startswith("<") and address.endswith(">") else address
    address = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", address)
    if address.startswith("//") or re.match(r"www\.[\w-]+\.", address):
        address = f"https://{address.lstrip('/')}"
    if _PAGE_OPEN.match(address):
        tip = f' "{title}"' if title else ""
        return f"[{inner}]({_encoded(address)}{tip})"
    if not address:
        return _bare(inner)
    if is_remote(address):
        conversion.report("unmapped", "unknown-address", f'"{address[:80]}" is no address that a page can link to')
        return f"{inner} {_code(address)}"
    place, anchor = conversion.note(address)
    if place is None:
        return _no_note(rewriting, inner, address)
    section = conversion.section(place, anchor) if anchor else ""
    if anchor and not section and anchor != "top":
        message = f'"#{anchor}" is no section or block of {place.outline.path}'
        conversion.report("unmapped", "unknown-section", message)
    if place.outline.path == conversion.original.path:
        return f"[{inner}](#{section})" if section else _bare(inner)
    return reference(rewriting, place, section, inner)


def _bare(words: str) -> str:
    """Words of a link that is none any more: they may not begin a list or a heading."""
    return re.sub(
        r"^(\d{1,9})([.)])(?=\s|$)|^([-+#>|])",
        lambda match: rf"{match[1]}\{match[2]}" if match[1] else rf"\{match[3]}",
        words,
    )


def _no_note(rewriting: Rewriting, inner: str, address: str) -> str:
    """The words of a link to no note: with the address, unless the words tell it already."""
    rewriting.conversion.report("unmapped", "local-link", f'the link to "{address[:80]}" leads to no note')
    shown, inner = unquote(address), _bare(inner)
    return inner if plain(inner) in (shown, PurePosixPath(shown).name) else f"{inner} {_code(shown)}".strip()


def reference(rewriting: Rewriting, place: NotePlace, section: str, words: str) -> str:
    """Our reference to a note, with words unless they are its title."""
    target = f"{place.reference}#{section}" if section else place.reference
    pictures = "".join(match[0] for match in re.finditer(r"!\[[^\[\]]*\]\([^()\s]*\)", words))
    shown = plain(words[len(pictures) :] if pictures else words)
    shown = shown.translate({ord("["): "(", ord("]"): ")", ord("|"): "/"})
    if rewriting.in_link:
        return shown
    if not shown or (section[:1] in ("", "^") and shown == place.outline.title):
        return f"{pictures}[[{target}]]"
    return f"{pictures}[[{target}{rewriting.bar}{shown}]]"


def wiki(rewriting: Rewriting, written: str) -> str:
    """`[[note]]`, `[[note#section|words]]`."""
    conversion = rewriting.conversion
    target, bar, words = written.replace(r"\|", "|").partition("|")
    if target.strip().lower() in _TOC and not bar:
        return ""
    name, _, anchor = target.partition("#")
    spoken = _BLOCK.sub("", target) if name.strip() else target
    inner = rewriting.phrase(words, in_link=True) if words else spoken.replace("#", " > ").strip(" >")
    if not name.strip():
        own = conversion.places.by_path.get(conversion.original.path)
        section = conversion.section(own, anchor) if own else ""
        if own and not section and anchor.startswith("^"):
            conversion.report("unmapped", "unknown-section", f'there is no block "{anchor}"')
        if section.startswith("^") and not words and not rewriting.in_link:
            return f"[[#{section}]]"
        return f"[{inner}](#{section})" if section and not rewriting.in_link else plain(inner)
    place, ambiguous = conversion.wiki(name)
    if place is None:
        if name.strip().isdigit() or (re.fullmatch(r"[\d,\s.-]+", target) and not bar):
            return rf"\[[{target}]]"
        conversion.report("unmapped", "unknown-note", f'no note is called "{name.strip()[:80]}"')
        return _bare(inner)
    if ambiguous:
        message = f'several notes are called "{name.strip()[:80]}": {place.outline.path} was taken'
        conversion.report("doubtful", "ambiguous-note", message)
    section = conversion.section(place, anchor) if anchor else ""
    if anchor and not section:
        message = f'"#{anchor}" is no section or block of {place.outline.path}'
        conversion.report("unmapped", "unknown-section", message)
    if place.outline.path == conversion.original.path:
        return f"[{inner}](#{section})" if section and not rewriting.in_link else inner
    return reference(rewriting, place, section, inner)


def wiki_embed(rewriting: Rewriting, written: str) -> str:
    """`![[picture.png|300]]`, `![[note]]`."""
    target, _, options = written.replace(r"\|", "|").partition("|")
    name = target.partition("#")[0].strip()
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in PICTURES:
        return image(rewriting, options, name, "")
    place, _ = rewriting.conversion.wiki(name) if name else (None, False)
    if place is not None and place.outline.path != rewriting.conversion.original.path:
        message = f'the text of "{target}" is not shown here, but linked'
        rewriting.conversion.report("changed", "embedded-note", message)
    if place is None and suffix:
        rewriting.conversion.report("unmapped", "missing-file", f'"{name}" cannot be shown here')
        return _code(name)
    return wiki(rewriting, f"{target}|{options}" if options else target)


def image(rewriting: Rewriting, alt: str, address: str, title: str) -> str:
    """A picture: a figure of the note, or words and an address in its place."""
    conversion = rewriting.conversion
    address = address.strip()
    address = address[1:-1] if address.startswith("<") and address.endswith(">") else address
    if address in conversion.files:  # a drawing that stood in the text
        return f"![{alt}]({address})"
    alt = " ".join(plain(_SIZE.sub("", alt).strip(" |")).split())
    alt = alt.translate({ord("["): "(", ord("]"): ")"})
    if alt.lower() in _NO_ALT:
        alt = plain(title) or alt
    shown = alt if alt.lower() not in _NO_ALT else _spoken(address)
    if data := _DATA.match(address):
        path = _decoded(rewriting, data)
        return f"![{shown}]({path})" if path else _code("data:")
    fetched = conversion.folder.remote.get(address)
    if fetched is None and (_PAGE_OPEN.match(address) or address.startswith("//")):
        address = f"https:{address}" if address.startswith("//") else address
        conversion.report("changed", "remote-image", f'the picture "{address[:80]}" is a link: it is not in the folder')
        return shown if rewriting.in_link else f"[{shown}]({_encoded(address)})"
    file = fetched or conversion.picture(address)
    path = conversion.figure(file) if file is not None else ""
    if path:
        tip = f' "{title}"' if title and plain(title) != shown and '"' not in title else ""
        return f"![{shown}]({_encoded(path)}{tip})"
    name = unquote(address)
    if file is None:
        conversion.report("unmapped", "missing-image", f'there is no picture "{name[:80]}"')
    else:
        conversion.report("unmapped", "unusable-image", f'"{name[:80]}" cannot be shown on a page')
    return f"{shown} {_code(name)}" if shown != name else _code(name)


def _decoded(rewriting: Rewriting, match: re.Match[str]) -> str:
    """The path of a figure made of the data in an address."""
    suffix = match[1].replace("+xml", "").replace("jpeg", "jpg")
    try:
        data = base64.b64decode(match[3], validate=False) if match[2] else unquote(match[3]).encode()
    except (binascii.Error, ValueError):
        data = b""
    path = rewriting.conversion.added(f"inline.{suffix}", data) if data else ""
    if not path:
        rewriting.conversion.report("unmapped", "unusable-image", "a picture in the text itself cannot be read")
    return path


def _spoken(address: str) -> str:
    """What the name of a file says."""
    stem = PurePosixPath(unquote(address.partition("?")[0].partition("#")[0])).stem if len(address) < 500 else ""
    return re.sub(r"[\[\]_`*|<>$\\-]+", " ", stem).strip() or "image"


def _encoded(address: str) -> str:
    """The address without signs that would end it."""
    return (
        quote(address, safe="%/:=&?~#+!$,;'@()*[]-._")
        if re.search(r"[\s<>\"\\`]", address) or _unpaired(address)
        else address
    )


def _unpaired(address: str) -> bool:
    return address.count("(") != address.count(")")


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if "`" in text else ""
    return f"{ticks}{space}{text.replace('|', '/')}{space}{ticks}"
