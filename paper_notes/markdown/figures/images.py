"""Images of a note, inlined: SVG as elements of the page, pixels as data."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

from markupsafe import escape

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.markdown.context import Context
from paper_notes.markdown.figures.pixels import MAX_PIXELS, damage, size
from paper_notes.markdown.figures.svg import inline_svg
from paper_notes.sources.tree import Source

_SIGNATURES = {
    ".png": (rb"\x89PNG\r\n\x1a\n", "image/png"),
    ".jpg": (rb"\xff\xd8\xff", "image/jpeg"),
    ".jpeg": (rb"\xff\xd8\xff", "image/jpeg"),
    ".gif": (rb"GIF8[79]a", "image/gif"),
    ".webp": (rb"RIFF....WEBP", "image/webp"),
    ".avif": (rb"....ftypavi[fs]", "image/avif"),
}
FIGURES = (".svg", *_SIGNATURES)
"""Suffixes of the files that a text can show."""
WIDE = ".wide.svg"
"""Suffix of a figure's second drawing, for wide columns: `gaps.wide.svg` beside `gaps.svg`."""
_LARGE = 1_000_000
_LFS = b"version https://git-lfs"
"""How a file begins that Git LFS has not fetched yet."""
_TOO_LARGE = 10_000_000
"""The most bytes of a picture in a page: with more, browsers give up."""


def lone_wide(files: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """Report wide drawings without a drawing for narrow columns."""
    for name, source in files.items():
        if name.endswith(WIDE) and f"{name.removesuffix(WIDE)}.svg" not in files:
            base = source.path.name.removesuffix(WIDE)
            message = f'there is no file "{base}.svg" beside its wide drawing'
            hint = f"draw it for narrow columns too; if this is the only drawing, call it {base}.svg"
            yield Diagnostic(Location(source.path), "missing-image", message, hint)


def is_crop(src: str) -> bool:
    """True for a part of a paper's PDF: `pdf:2510.26475#figure-3`."""
    return src.lower().startswith("pdf:")


def crop_target(src: str) -> str:
    """The target of its slot: `2510.26475#figure-3`."""
    return unquote(src[4:])


def inline_image(context: Context, src: str, alt: str, where: Location, width: int = 0) -> str:
    """The HTML of an image, so many pixels wide if that is said; empty (and a diagnostic) if it cannot be shown."""
    if is_crop(src):
        return context.slot("crop", crop_target(src), " ".join(alt.split()), where)
    if re.match(r"[a-z][a-z0-9+.-]*:|//", src, re.IGNORECASE):
        hint = "save the image beside the note: a page needs nothing from elsewhere"
        context.report(where, "remote-image", f'the image "{src[:80]}" is not a file of the note', hint)
        return ""
    if context.full:
        return ""  # reported already
    name = PurePosixPath(unquote(src)).as_posix()
    source = context.files.get(name)
    if source is None:
        context.report(
            where, "missing-image", f'there is no file "{name}" beside the note', _missing_hint(context, name)
        )
        return ""
    if not alt.strip():
        hint = "write what it shows between the brackets: ![...]"
        context.report(
            where, "missing-alt", f'the image "{name}" has no text for those who cannot see it', hint, "warning"
        )
    if source.path.suffix.lower() == ".svg":
        wide = context.files.get(f"{name[:-4]}{WIDE}")
        if wide is None:
            return _svg(context, source, alt, width=width)
        return _svg(context, source, alt, width=width) + _svg(context, wide, alt, "wider", width)
    return _pixels(context, source, alt, where, width)


def _missing_hint(context: Context, name: str) -> str:
    if ".." in PurePosixPath(name).parts or name.startswith("/"):
        return "a note uses only files of its own folder: copy it there"
    images = [file for file in context.files if file.lower().endswith(FIGURES)]
    return context.suggestions.did_you_mean(name, images) or "the note's folder holds no images"


def _svg(context: Context, source: Source, alt: str, name: str = "", width: int = 0) -> str:
    def report(line: int, column: int, message: str, hint: str) -> None:
        context.report(Location(source.path, line, column), "bad-svg", message, hint)

    context.counters["svg"] += 1
    stem = re.sub(r"[^A-Za-z0-9_-]", "", source.path.stem).lstrip("0123456789")  # 1 and 1a are not 11 and a
    prefix = f"{context.lang}-{context.counters['svg']}{stem}"
    return inline_svg(
        source.text,
        lang=context.lang,
        prefix=prefix,
        label=alt.strip(),
        report=report,
        name=name,
        counters=context.counters,
        shown=width,
    )


def _pixels(context: Context, source: Source, alt: str, where: Location, width: int) -> str:
    signature, mime = _SIGNATURES.get(source.path.suffix.lower(), (b"", ""))
    if not mime:
        hint = "use SVG, PNG, JPEG, WebP, AVIF or GIF"
        context.report(where, "bad-image", f'"{source.path.name}" is not a kind of image a page can show', hint)
        return ""
    if source.size > _TOO_LARGE:
        message = f'"{source.path.name}" has {source.size:,} bytes, more than the {_TOO_LARGE:,} that a page can carry'
        context.report(where, "bad-image", message, "scale it down, or save it as WebP")
        return ""
    content = source.data
    if not re.match(signature, content, re.DOTALL):
        hint = "run `git lfs pull`" if content.startswith(_LFS) else "save it again in the format its name says"
        context.report(where, "bad-image", f'the content of "{source.path.name}" is not {mime}', hint)
        return ""
    if (pixels := size(content)) and pixels[0] * pixels[1] > MAX_PIXELS:
        message = f'"{source.path.name}" unpacks to {pixels[0]:,} x {pixels[1]:,} pixels, more than browsers can show'
        context.report(where, "bad-image", message, "scale it down")
        return ""
    if damaged := damage(content, mime):
        hint = "save or copy it again: browsers would show a part of it, or nothing"
        context.report(where, "bad-image", f'"{source.path.name}" {damaged}', hint)
        return ""
    if len(content) > _LARGE:
        message = f'"{source.path.name}" makes the page {len(content) * 4 // 3:,} bytes larger'
        context.report(where, "large-image", message, "scale it down, or save it as WebP", "warning")
    data = base64.b64encode(content).decode()
    sized = f' width="{width}"' if width else ""
    return f'<img src="data:{mime};base64,{data}" alt="{escape(alt)}"{sized}>'
