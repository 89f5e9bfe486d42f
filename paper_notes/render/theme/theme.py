"""The theme: templates, styles, script and math font, from the package and from the collection's own folders."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

from markupsafe import Markup
from rcssmin import cssmin
from rjsmin import jsmin

from paper_notes import __version__
from paper_notes.corpus.model import NO_LOOK, Look
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.engine.cache import pack, unpack
from paper_notes.languages.language import Words
from paper_notes.markdown.syntax.components import components
from paper_notes.patterns import regex
from paper_notes.render.links import SITE
from paper_notes.render.search.texts import for_script, search_file
from paper_notes.render.theme import localized
from paper_notes.render.theme.fonts import MathFont, font_face
from paper_notes.render.theme.own_look import NO_OWN_LOOK, OwnLook, own_look
from paper_notes.render.theme.templates import Templates
from paper_notes.render.theme.used_rules import used_rules
from paper_notes.sources.conflicts import may_be_unmerged, read_conflicts
from paper_notes.sources.inside import Border, LinkRefused, open_file
from paper_notes.values import Struct, field, replace

MAX_FILE_BYTES = 8 * 1024 * 1024
"""Size of a template, style sheet, script or font at most."""
GENERATOR = f"paper-notes {__version__}"


_PARTS = "\ufdd5"
"""Placeholder for the style parts that a page uses. Sources cannot contain this noncharacter."""
_LATE = "90"
"""Style sheets whose names sort from here come after the parts."""
_LATE_SCRIPT, _LATE_DIGEST = "\ufdd6", "\ufdd7"
"""Placeholders for the script parts that a page uses, and for their hash in its policy."""
_CLASSES = regex(r'class="([^"]*)"')
_COLOUR = regex(r"(var\((--[\w-]+)), *#[0-9a-fA-F]{3,8}\)")
"""A colour of the theme in a drawing, and the one for where there is no theme, such as books and readers of feeds."""
_EMPTY = regex(r"></(?:rect|circle|path|polyline|line|ellipse|polygon)>")
_SCRIPT = regex(r"<script>(.*?)</script>", re.DOTALL)
_MARKS = {
    "em": "<em>",
    "table": "<table",
    "mark": "<mark",
    "math": "<math",
    "menclose": "<menclose",
    "data-card": " data-card=",
}
"""Names that parts may be for besides classes, with the text that a page contains then."""
PageKind = Literal["note", "index", "topic", "path", "list", "home", "moved"]
_FOLDERS: Mapping[PageKind, tuple[str, ...]] = {
    "note": ("blocks", "note"),
    "index": ("blocks", "index"),
    "topic": ("blocks", "index", "topic"),
    "path": ("blocks", "index", "topic"),
    "list": ("index", "list"),
    "home": ("blocks", "index", "home"),
    "moved": (),
}
"""Folders below `assets/css/` whose style sheets a kind of page has, besides those in `assets/css/` itself."""
_PALETTE = ("search.js", "palette.js")
"""The scripts of the palette, which a page loads when it is first opened; its styles are in the folder `palette`."""
_SCRIPTS: Mapping[PageKind, tuple[str, ...]] = {
    "home": ("home.js", "returning.js"),
    "path": ("reading.js",),
    "note": ("reading.js",),
    "moved": ("moved.js",),
}
"""Scripts of kinds of pages, besides that of every page."""
_MATH_FONT = "math-font/PNMath.otf"
"""HarfBuzz parses it, so it is always our own."""
_IN_THE_MIDDLE: frozenset[PageKind] = frozenset({"home"})
"""Pages whose template says where their own script is."""


class ThemeFiles(Struct, frozen=True):
    """The files of a theme, by their path below `templates/` and below `assets/`."""

    templates: Mapping[str, str]
    assets: Mapping[str, bytes]
    trusted: bool = True
    """Whether all templates are our own: others are sandboxed."""
    own: tuple[str, ...] = ()
    """Those that the collection brings: `templates/note.html`, `assets/css/99-mine.css`."""
    look: OwnLook = NO_OWN_LOOK


class Theme(Struct, frozen=True):
    """Templates, styles, scripts and font, ready to render pages."""

    words: Words
    templates: Templates
    styles: Mapping[PageKind, Markup]
    script: Markup
    """The script of every page."""
    math_font: MathFont
    more_script: Mapping[PageKind, Markup] = field(default_factory=dict)
    """Additional scripts of kinds of pages, see `_SCRIPTS`."""
    parts: tuple[tuple[frozenset[str], str], ...] = ()
    """Styles that a page has only if it uses one of these classes or elements, which are in the name of the file:
    `16-math-block.css`, `17-formula+symbols.css`."""
    script_parts: tuple[tuple[frozenset[str], str], ...] = ()
    """Scripts, as `parts`: `20-al.js`. They run at the end of the page."""
    look: OwnLook = NO_OWN_LOOK
    palette_script: Markup = field(default_factory=Markup)
    palette_style: Markup = field(default_factory=Markup)

    @property
    def palette(self) -> str:
        """The file `search-palette.css`."""
        return search_file("palette", for_script(self.palette_script), self.palette_style)

    def csp(self, kind: PageKind) -> str:
        """The content security policy of a kind of page: only our scripts run, only the search files are loaded.

        They are style sheets, that of the palette too, whose script is a string there, allowed by its hash: scripts
        would have to be allowed by their address, which on disk means any file, as browsers refuse hashes for files.
        """
        if kind == "moved":
            script = _source(self.more_script[kind])
            return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {script}"
        allowed = [_source(self.script), _source(self.palette_script)]
        if kind in _IN_THE_MIDDLE and kind in self.more_script:
            allowed.append(_source(self.more_script[kind]))
        return (
            f"default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' 'self'; "
            f"script-src {' '.join(allowed)}{_LATE_DIGEST}; base-uri 'none'; form-action 'none'"
        )

    def late_script(self, kind: PageKind) -> Markup:
        """The script at the end of a kind of page; `render` adds the script parts that the page uses."""
        own = "" if kind in _IN_THE_MIDDLE else self.more_script.get(kind, "")
        return Markup(own + _LATE_SCRIPT)

    def render(self, template: str, page: object) -> str:
        """The page as HTML, with the math font it needs. Raises TemplateProblem."""
        html = self.templates.fill(template, page, self.words)
        used = {name for classes in set(_CLASSES.findall(html)) for name in classes.split()}
        used |= {name for name, mark in _MARKS.items() if mark in html}
        parts = [style for names, style in self.parts if not used.isdisjoint(names)]
        html = self._with_scripts(html, used)
        before, mark, after = html.partition(_PARTS)
        if not mark:
            return html
        head, element, early = before.rpartition("<style>")
        late, end, body = after.partition("</style>")
        style = used_rules((early, *parts, late), body, "".join(_SCRIPT.findall(body)))
        body = _with_short_drawings(body, style)
        # The font first: what is packed already packs better apart from text
        return f"{head}{element}{font_face(html, self.math_font)}{style}{end}{body}"

    def _with_scripts(self, html: str, used: set[str]) -> str:
        """The page with its script parts in one element, which its policy allows; without it if it is empty."""
        page, mark, rest = html.partition(_LATE_SCRIPT)
        if not mark:
            return html.replace(_LATE_DIGEST, "", 1)
        page, element, own = page.rpartition("<script>")
        script = own + "".join(text for names, text in self.script_parts if not used.isdisjoint(names))
        if not script:
            return page.replace(_LATE_DIGEST, "", 1) + rest.removeprefix("</script>").lstrip("\n")
        return f"{page.replace(_LATE_DIGEST, ' ' + _source(script), 1)}{element}{script}{rest}"


def _with_short_drawings(html: str, style: str) -> str:
    """The page with drawings in as few letters as they need beside this style sheet."""
    defined = _defined(style)

    def short(drawing: str) -> str:
        colours = _COLOUR.sub(lambda use: f"{use[1]})" if use[2] in defined else use[0], drawing)
        return _EMPTY.sub("/>", colours)

    before, *rest = html.split("<svg ")
    parts = (part.partition("</svg>") for part in rest)
    return before + "".join(f"<svg {short(drawing)}{end}{after}" for drawing, end, after in parts)


@lru_cache(maxsize=64)
def _defined(style: str) -> frozenset[str]:
    return frozenset(re.findall(r"(--[\w-]+):", style))


@lru_cache(maxsize=64)
def _source(script: str) -> str:
    """The source expression that allows a script in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def theme_files(folder: str) -> Path:
    """The folder of our own `templates` or `assets`: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "theme" / folder
    return installed if installed.is_dir() else package.parent / folder


def load_theme(root: Path, words: Words) -> tuple[Theme | None, tuple[Diagnostic, ...]]:
    """The theme of the collection at `root`, ready to use."""
    files, problems = read_theme(root, words)
    return (theme_of(files, words), problems) if files else (None, problems)


def read_theme(root: Path, words: Words, look: Look = NO_LOOK) -> tuple[ThemeFiles | None, tuple[Diagnostic, ...]]:
    """Our own theme, in which files of the same name in the collection's `templates/` or `assets/` take precedence.

    `look` is what `site.yaml` says about the look of pages.
    """
    looks, wrong_look = own_look(look, words)
    own_templates, problems = _own_files(root, "templates")
    own_assets, more_problems = _own_files(root, "assets")
    if unusable := (*problems, *more_problems):
        return None, (*wrong_look, *unusable)
    try:
        our_templates, ours = _files(theme_files("templates")), _files(theme_files("assets"))
        templates = {**our_templates, **own_templates}
        assets = {**ours, **_styles_of_components(), **own_assets, _MATH_FONT: ours[_MATH_FONT]}
        pages = {name: data.decode() for name, data in templates.items() if name.endswith(".html")}
        brought = [*_brought("templates", own_templates, our_templates), *_brought("assets", own_assets, ours)]
        trusted = not any(name.startswith("templates/") for name in brought)
        files = ThemeFiles(pages, assets, trusted, tuple(brought), looks)
        theme_of(files, words).templates.stopped.clear()
        folders = {"palette", *(folder for names in _FOLDERS.values() for folder in names)}
        unused = (*unused_templates(own_templates, our_templates), *unused_assets(own_assets, ours, folders))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        hint = "remove the file to get the one that comes with paper-notes"
        return None, (*wrong_look, Diagnostic(Location(PurePosixPath("assets")), "bad-template", str(error), hint))
    return files, (*wrong_look, *unused)


def _brought(folder: str, own: Mapping[str, bytes], ours: Mapping[str, bytes]) -> list[str]:
    return [f"{folder}/{name}" for name, data in sorted(own.items()) if ours.get(name) != data]


def _styles_of_components() -> Mapping[str, bytes]:
    """Those that features bring, as if they were files beside ours: a collection may override them as well."""
    styles = {row.classes: row.style.encode() for row in components().values() if row.style}
    return {f"css/parts/49-{'+'.join(classes.split())}.css": style for classes, style in styles.items()}


def _own_files(root: Path, folder: str) -> tuple[Mapping[str, bytes], tuple[Diagnostic, ...]]:
    """The collection's own files of a theme, and diagnostics of those that must not or cannot be read."""
    top, contents, problems = root / folder, dict[str, bytes](), list[Diagnostic]()
    border = Border(root, "" if top.is_symlink() else folder)
    for path in [top] if top.is_symlink() else sorted(top.rglob("*")):
        name = path.relative_to(top)
        if any(part.startswith(".") for part in name.parts):
            continue
        where = Location(PurePosixPath(path.relative_to(root).as_posix()))
        try:
            real = border.real(path, where)
            if real.is_dir():
                continue
            with open_file(real) as file:
                data = file.read(MAX_FILE_BYTES + 1)
                size = max(len(data), os.fstat(file.fileno()).st_size)
        except LinkRefused as refused:
            problems.append(refused.diagnostic)
        except OSError as error:
            message = f"cannot read the file: {error.strerror}"
            problems.append(Diagnostic(where, "unreadable-file", message, "remove it, or check its permissions"))
        else:
            if size > MAX_FILE_BYTES:
                message = f"the file has {size:,} bytes, more than the {MAX_FILE_BYTES:,} allowed"
                problems.append(Diagnostic(where, "file-too-large", message, "make it smaller"))
            elif may_be_unmerged(data):
                problems += read_conflicts(where.path, data.decode(errors="replace")).problems
            contents[name.as_posix()] = data
    return contents, tuple(problems)


def theme_of(files: ThemeFiles, words: Words) -> Theme:
    """The theme of these files, cached in the process. Raises ValueError if one of them cannot be used."""
    return _made(pack(files), words)


@lru_cache(maxsize=2)
def _made(packed: bytes, words: Words) -> Theme:
    files = unpack(ThemeFiles, packed)
    assert files is not None
    assets = files.assets
    kinds: tuple[PageKind, ...] = get_args(PageKind)
    return Theme(
        words,
        Templates(
            tuple(sorted(files.templates.items())),
            trusted=files.trusted,
            own=tuple(name.removeprefix("templates/") for name in files.own if name.startswith("templates/")),
        ),
        {kind: _style(assets, kind, words, files.look) for kind in kinds},
        _script(assets["script.js"], words),
        MathFont(assets[_MATH_FONT]),
        {
            kind: Markup().join(_script(assets[name], words) for name in names if name in assets)
            for kind, names in _SCRIPTS.items()
        },
        _parts(assets, "css", lambda source: cssmin(localized.style(source, words))),
        _parts(assets, "js", lambda source: jsmin(localized.script(source, words))),
        files.look,
        _script(b"\n".join(assets[name] for name in _PALETTE), words),
        _style_of(assets, "css/palette/", words),
    )


def _style_of(assets: Mapping[str, bytes], folder: str, words: Words) -> Markup:
    sheets = (assets[name].decode() for name in sorted(assets) if name.startswith(folder))
    return inline_text(cssmin(localized.style("".join(sheets), words)))


def _script(source: bytes, words: Words) -> Markup:
    return inline_text(jsmin(localized.script(source.decode(), words)))


def _style(assets: Mapping[str, bytes], kind: PageKind, words: Words, look: OwnLook) -> Markup:
    """The style sheets of a kind of page in the order of their file names, minified; a look comes before late ones."""
    folders = "|".join(_FOLDERS[kind])
    sheets = [PurePosixPath(name) for name in assets if re.fullmatch(rf"css/(?:(?:{folders})/)?[^/]+\.css", name)]
    ordered = sorted(sheets, key=lambda sheet: (sheet.name, str(sheet)))
    fonts = {name[10:-4]: data.decode() for name, data in assets.items() if re.fullmatch(r"css/fonts/\w+\.css", name)}
    early, late = (
        cssmin(localized.style("".join(texts), words))
        for texts in (
            [localized.fonts(fonts, words), *(assets[str(sheet)].decode() for sheet in ordered if sheet.name < _LATE)],
            [assets[str(sheet)].decode() for sheet in ordered if sheet.name >= _LATE],
        )
    )
    return inline_text(look.with_fonts(f"{early}{look.colours}{_PARTS}{late}"))


def _parts(
    assets: Mapping[str, bytes], folder: str, minify: Callable[[str], str]
) -> tuple[tuple[frozenset[str], str], ...]:
    """Minified styles or scripts of single components, each with the classes and elements in its file name."""
    names = sorted(PurePosixPath(name) for name in assets if re.fullmatch(rf"{folder}/parts/\d+-[^/]+\.\w+", name))
    return tuple(
        (frozenset(part.stem.partition("-")[2].split("+")), inline_text(minify(assets[str(part)].decode())))
        for part in names
    )


def _files(folder: Path) -> Mapping[str, bytes]:
    if not folder.is_dir():
        return {}
    names = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in names}


def inline_text(text: str) -> Markup:
    """A style sheet or script as content of its element. Raises ValueError if it would end the element."""
    if "</" in text:
        raise ValueError("a style sheet or script must not hold '</': it would end its element")
    return Markup(text)


_Files = Mapping[str, bytes]
"""By their paths below the folder."""
_PART_FILES = regex(r"css/fonts/\w+\.css|(?:css|js)/parts/\d+-[^/]+\.\w+")
_PAGES = (".html", ".htm", ".jinja", ".j2")
_LAYOUT = (".css", ".js")
"""What can only be meant for pages; other files may be there for the README, or for anything else."""
_STATIC = "a file that the site should have as it is goes into static/"


def unused_templates(own: _Files, ours: Collection[str]) -> Iterator[Diagnostic]:
    """Templates that neither replace one of ours nor are named in another one."""
    named = b"\n".join(own.values())
    for name in own:
        included = any(quote + name.encode() + quote in named for quote in (b'"', b"'"))
        if name not in ours and name.endswith(_PAGES) and not (included and name.endswith(".html")):
            yield _unused(PurePosixPath("templates", name), name, ours, "no page is made with this template")


def unused_assets(own: _Files, ours: Collection[str], folders: Collection[str]) -> Iterator[Diagnostic]:
    """_Files that neither replace one of ours nor are style sheets in a place that is read: `folders` of `css/`."""
    sheets = re.compile(rf"css/(?:(?:{'|'.join(sorted(folders))})/)?[^/]+\.css")
    for name in own:
        if (
            name not in ours
            and name.endswith(_LAYOUT)
            and not sheets.fullmatch(name)
            and not _PART_FILES.fullmatch(name)
        ):
            what = "style sheet" if name.endswith(".css") else "script"
            yield _unused(PurePosixPath("assets", name), name, ours, f"no page has this {what}")


def _unused(path: PurePosixPath, name: str, ours: Collection[str], message: str) -> Diagnostic:
    if path.suffix == ".css":
        hint = "put your style sheets into assets/css/ itself"
    else:
        close = Suggestions().closest(name, [known for known in ours if PurePosixPath(known).suffix == path.suffix])
        hint = f'did you mean "{close}"?' if close else _STATIC
    return Diagnostic(Location(path), "unused-theme-file", message, hint, "warning")


def in_own_files(problems: Iterable[Diagnostic], files: ThemeFiles) -> list[Diagnostic]:
    """The findings; those about an address in a page are where one of the collection's own files has it.

    What a style sheet loads, all pages load: there it is one finding.
    """
    if not files.own:
        return list(problems)
    texts = {name: _text(name, files) for name in files.own}
    moved = [_moved(problem, texts) for problem in problems]
    return list(dict.fromkeys(moved))


def _text(name: str, files: ThemeFiles) -> str:
    folder, _, rest = name.partition("/")
    if folder == "templates":
        return files.templates.get(rest, "")
    return files.assets[rest].decode(errors="replace") if rest.endswith((".css", ".js")) else ""


def _moved(problem: Diagnostic, texts: dict[str, str]) -> Diagnostic:
    kind, _, address = problem.about.partition(" ")
    if kind != "address" or not address or not problem.location.path.is_relative_to(SITE):
        return problem
    for name, text in texts.items():
        if (offset := text.find(address)) >= 0:
            line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
            return replace(problem, location=Location(PurePosixPath(name), line, column))
    return problem
