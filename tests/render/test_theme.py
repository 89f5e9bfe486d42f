"""Templates, styles and script: from the package, and from a collection that has its own."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from contextlib import closing
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from markupsafe import Markup
from running import write

from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.engine.sandboxed_process import Limits
from paper_notes.languages.language import Words
from paper_notes.render.theme import templates
from paper_notes.render.theme.fonts import MathFont
from paper_notes.render.theme.templates import TemplateProblem, Templates
from paper_notes.render.theme.theme import (
    MAX_FILE_BYTES,
    PageKind,
    Theme,
    inline_text,
    load_theme,
    read_theme,
    theme_files,
)
from paper_notes.values import replace


def theme(**templates: str) -> Theme:
    texts = tuple((f"{name}.html", text) for name, text in templates.items())
    return Theme(
        Words.of("zh", "en"),
        Templates(texts, trusted=True),
        {},
        Markup("let a = 1 < 2;"),
        MathFont(b""),
        {"home": Markup("load();")},
        palette_script=Markup("find();"),
        palette_style=Markup("dialog{}"),
    )


def test_a_template_gets_the_view_and_escapes_it() -> None:
    assert theme(a="<p>{{ page }}</p>").render("a.html", "1 < 2") == "<p>1 &lt; 2</p>"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\n{% for x in page %}", 2, "Unexpected end of template"),
        ("a\n\n{{ page.nothing }}", 3, "has no attribute 'nothing'"),
        ("{% include 'none.html' %}", 1, "none.html"),
        ("{{ page | nofilter }}", 1, "No filter named 'nofilter'"),
        ("{{ page + 1 }}", 1, "can only concatenate str"),
    ],
)
def test_a_broken_template_is_a_problem_with_a_place(text: str, line: int, message: str) -> None:
    with pytest.raises(TemplateProblem) as raised:
        theme(a=text).render("a.html", "view")
    found = raised.value.diagnostic
    assert (found.rule, str(found.location)) == ("bad-template", f"templates/a.html:{line}:1")
    assert message in found.message
    assert found.hint


@pytest.mark.parametrize(
    ("own", "place", "more"),
    [
        ("a.html", "a.html:2:1", " (in line 3 of our own b.html)"),
        ("b.html", "b.html:3:1", ""),
        ("a.html b.html", "b.html:3:1", ""),
        ("c.html", "c.html:1:1", " (in line 3 of our own b.html)"),
        ("", "b.html:3:1", ""),
    ],
)
def test_a_mistake_is_told_of_the_nearest_template_of_the_collection(own: str, place: str, more: str) -> None:
    texts = (("a.html", "a\n{% include 'b.html' %}"), ("b.html", "b\n\n{{ page.nothing }}"), ("c.html", "c"))
    with pytest.raises(TemplateProblem) as raised:
        Templates(texts, trusted=True, own=tuple(own.split())).fill("a.html", "view", Words.of("en"))
    found = raised.value.diagnostic
    assert (str(found.location), found.message) == (
        f"templates/{place}",
        f"'str object' has no attribute 'nothing'{more}",
    )


TOO_MUCH = {
    "loops in loops": (
        "a\n{% for a in page.x * 999 %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        2,
        "0 seconds",
    ),
    "a large page": ("a\n{% for a in page.x * 999 %}{{ a * 99 }}{% endfor %}", 2, "more than 50,000 characters"),
    "a huge text": ("a\n{% set a = page.x[0] * 10**9 %}", 2, "it needs too much memory"),
    "a huge number": ("a\n{{ 9 ** (9 ** 9) }}", 1, "the page took more than 0 seconds and was stopped"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_template_of_ones_own_cannot_go_on_for_ever(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, line, message = TOO_MUCH[name]
    view = {"x": "abcdefgh"}
    write(tmp_path, {"templates/note.html": text, "templates/topic.html": "b"})
    loaded, _ = load_theme(tmp_path, Words.of("zh", "en"))
    assert loaded
    monkeypatch.setattr(templates, "_LIMITS", Limits("templates", seconds=0.4))
    monkeypatch.setattr(templates, "_SECONDS", 0.1)
    monkeypatch.setattr(templates, "MAX_PAGE", 50_000)
    with pytest.raises(TemplateProblem) as raised:
        loaded.render("note.html", view)
    found = raised.value.diagnostic
    assert (found.rule, str(found.location)) == ("bad-template", f"templates/note.html:{line}:1")
    assert message in found.message, found.message
    with pytest.raises(TemplateProblem) as again:
        loaded.render("topic.html", view)
    assert again.value.diagnostic == found, "nobody waits a second time"
    loaded, _ = load_theme(tmp_path, Words.of("zh", "en"))
    assert loaded
    assert loaded.render("topic.html", view) == "b", "but in the next build"


def test_a_page_of_ones_own_template_is_whole(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    text = "{% for a in page * 3_000 %}{{ a }}{% endfor %}b"
    (tmp_path / "templates/note.html").write_text(text)
    loaded, _ = load_theme(tmp_path, Words.of("zh", "en"))
    assert loaded
    assert loaded.render("note.html", [""]) == "b"
    assert loaded.render("note.html", ["<", "1"]) == "&lt;1" * 3_000 + "b"


def test_own_templates_that_are_ours_run_in_this_process(tmp_path: Path) -> None:
    """A copy to start from costs nothing until it is changed."""
    ours = (theme_files("templates") / "note.html").read_text("utf-8")
    for text, trusted in ((ours, True), (ours + " ", False)):
        write(tmp_path, {"templates/note.html": text})
        files, _ = read_theme(tmp_path, Words.of("zh", "en"))
        assert files
        assert files.trusted == trusted


def test_the_code_of_templates_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = list[str]()
    compiled = Environment.compile

    def noted(self: Environment, source: str, *rest: Any, **more: Any) -> Any:
        sources.append(source)
        return compiled(self, source, *rest, **more)

    monkeypatch.setattr(Environment, "compile", noted)
    monkeypatch.setattr(templates, "_Code", templates._Code.__base__)  # not the one that all tests share

    def fill(text: str, cache: Cache) -> str:
        templates._environment.cache_clear()
        own = Templates((("a.html", text), ("b.html", "b")), trusted=True)
        with own.compiled(cache):
            return own.fill("a.html", 7, Words.of("en"))

    with closing(Cache(tmp_path / "cache.sqlite")) as cache:
        assert [fill("a{{ page }}", cache), fill("a{{ page }}", cache)] == ["a7", "a7"]
        assert sources == ["a{{ page }}"]
        assert fill("{{ page }}c", cache) == "7c", "another text is another template"
        assert sources == ["a{{ page }}", "{{ page }}c"]
        name = f"templates/{MAGIC_NUMBER.hex()}"
        damaged = {key: code[:-9] for key, code in (unpack(dict[str, bytes], cache.get(name) or b"") or {}).items()}
        for broken in (b"x", pack(damaged), pack({})):
            cache.put(name, broken)
            assert fill("{{ page }}c", cache) == "7c"
        assert len(sources) == 5, "what is damaged is made again"
    assert [fill("{{ page }}c", Cache()), fill("{{ page }}c", Cache())] == ["7c", "7c"]


def test_the_line_of_a_mistake_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/note.html").write_text("a\nb\n{{ page.nothing }}\n")
    loaded, problems = load_theme(tmp_path, Words.of("zh", "en"))
    assert problems == ()
    assert loaded
    with pytest.raises(TemplateProblem) as raised:
        loaded.render("note.html", "view")
    assert str(raised.value.diagnostic.location) == "templates/note.html:3:1"


def policy(*scripts: str) -> str:
    return (
        "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' 'self'; "
        f"script-src {' '.join(scripts)}; base-uri 'none'; form-action 'none'"
    )


LATER = "\ufdd7"
"""Where rendering adds the scripts of the parts that a page has."""


def digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


OURS = digest("let a = 1 < 2;"), digest("find();")


@pytest.mark.parametrize("kind", ["note", "index"])
def test_the_policy_allows_our_script_and_nothing_else(kind: PageKind) -> None:
    assert theme().csp(kind) == policy(digest("let a = 1 < 2;"), digest("find();") + LATER)


def test_the_home_page_has_a_script_of_its_own() -> None:
    assert theme().csp("home") == policy(digest("let a = 1 < 2;"), digest("find();"), digest("load();") + LATER)


def test_the_palette_is_a_style_sheet_with_its_script_as_a_string() -> None:
    assert theme().palette == '@charset "utf-8";\ndialog{}head{--pn-palette:"\\"find();\\""}\n'


def test_a_collections_own_files_come_first(tmp_path: Path) -> None:
    own = {
        "templates/home.html": "mine",
        "assets/script.js": "mine()",
        "assets/css/10-base.css": "a{}",
        "assets/x": "x",
    }
    for name, text in own.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    loaded, problems = load_theme(tmp_path, Words.of("zh", "en"))
    assert problems == (), "a collection may have other things in assets/, such as pictures of its README"
    assert loaded
    assert loaded.render("home.html", None) == "mine"
    assert loaded.script == "mine()"
    assert "a{}" in loaded.styles["note"]
    assert "@media print" in loaded.styles["note"], "the other style sheets stay"


UNMERGED = b"a{}\n<<<<<<< ours\nb{}\n=======\nc{}\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("name", "data", "rule"),
    [
        ("assets/script.js", b"\xff", "bad-template"),
        ("assets/script.js", b"'</script>'", "bad-template"),
        ("assets/css/z.css", b"</", "bad-template"),
        ("assets/css/z.css", UNMERGED, "merge-conflict"),
        ("templates/note.html", UNMERGED, "merge-conflict"),
        ("assets/css/z.css", b" " * MAX_FILE_BYTES, ""),
        ("assets/css/z.css", b" " * (MAX_FILE_BYTES + 1), "file-too-large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_unusable_files_are_told(name: str, data: bytes, rule: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    loaded, problems = load_theme(tmp_path, Words.of("zh", "en"))
    assert (loaded is None) == bool(rule)
    assert [problem.rule for problem in problems] == [rule] * bool(rule)


HIDDEN = "this link leads to a hidden file or folder"
THEME_LINKS = {
    "templates/note.html": ("../.git/config", HIDDEN),
    "templates/home.html": (".own", HIDDEN),
    "templates/list.html": ("../assets/a.css", "this link leads out of templates/"),
    "templates/parts": ("..", "this link leads out of templates/"),
    "templates": (".", "this is a link to a folder, which is not followed"),
    "assets/a.css": ("/proc/self/environ", "this link leads out of the collection"),
    "assets/css": (".", "this is a link to a folder, which is not followed"),
    "assets/script.js": ("script.js", "cannot read the file: Too many levels of symbolic links"),
    "assets": (".git", HIDDEN),
    "assets/pipe": ("", "cannot read the file: this is not a regular file"),
}
"""The target of each link (None for a pipe), and its diagnostic."""


@pytest.mark.parametrize("name", THEME_LINKS)
def test_a_theme_has_files_of_its_own_two_folders_only(name: str, tmp_path: Path) -> None:
    target, message = THEME_LINKS[name]
    for folder in (".git", "templates/.git", "assets"):
        (tmp_path / folder).mkdir(parents=True)
    for secret in (".git/config", "templates/.own", "templates/.git/config", "assets/a.css"):
        (tmp_path / secret).write_text("secret")
    path = tmp_path / name
    if path.exists():
        path.rename(tmp_path / "old")
    path.symlink_to(target) if target else os.mkfifo(path)
    loaded, problems = read_theme(tmp_path, Words.of("zh", "en"))
    assert loaded is None
    assert [(str(problem.location.path), problem.message) for problem in problems] == [(name, message)]


def test_a_template_cannot_name_hidden_files(tmp_path: Path) -> None:
    for name in ("templates/.own", "templates/.git/config", "templates/a.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a")
    (tmp_path / "templates/b.html").symlink_to("a.html")
    loaded, _ = read_theme(tmp_path, Words.of("zh", "en"))
    assert loaded
    assert {name for name in loaded.templates if loaded.templates[name] == "a"} == {"a.html", "b.html"}


def test_nothing_that_ends_its_element_is_inlined() -> None:
    with pytest.raises(ValueError, match="must not hold '</'"):
        inline_text("a</style>")


def test_styles_and_script_of_the_package_load_nothing() -> None:
    css = "".join(path.read_text("utf-8") for path in sorted(theme_files("assets").glob("css/*.css")))
    script = (theme_files("assets") / "script.js").read_text("utf-8")
    assert not re.search(r"@import|url\((?!data:)", css)
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|WebSocket|sendBeacon|https?:", script)


def test_a_page_carries_the_styles_of_the_parts_that_it_has() -> None:
    parts = (
        (frozenset({"quote", "math"}), "a+.quote,math{}"),
        (frozenset({"table"}), "table{}"),
        (frozenset({"code"}), "pre{}"),
    )
    made = replace(theme(a="<style>a{}\ufdd5a:z{}</style><a>{{ page | safe }}"), parts=parts)
    for html, styles in {
        '<p class="quotes">code table</p>': "",
        '<p class="wide quote">': "a+.quote{}",
        "<math>1</math>": "math{}",
        '<table><tr><td class="code"><pre>': "table{}pre{}",
    }.items():
        assert made.render("a.html", html) == f"<style>a{{}}{styles}a:z{{}}</style><a>{html}"


def test_drawings_on_a_page_have_no_colours_for_where_there_is_no_theme() -> None:
    made = theme(a="<style>:root{--red:red}\ufdd5</style>{{ page | safe }}")
    rect = '<rect fill="var(--red, #b3303b)"></rect>'
    rest = '<g></g><text fill="var(--mine, #fff)">a</text></svg>'
    html = made.render("a.html", f"<p>{rect}<svg>{rest}<svg width='9'>{rect}{rest}{rect}")
    assert (
        html.partition("</style>")[2] == f"<p>{rect}<svg>{rest}<svg width='9'><rect fill=\"var(--red)\"/>{rest}{rect}"
    )


def test_a_page_carries_the_scripts_of_the_parts_that_it_has_and_allows_them() -> None:
    parts = ((frozenset({"cite"}), "cards();"), (frozenset({"code"}), "copy();"))
    made = replace(theme(a="{{ page.csp }}<script>{{ page.late }}</script>{{ page.html | safe }}"), script_parts=parts)
    made = replace(made, more_script={"path": Markup("paths();")})

    def rendered(kind: PageKind, html: str) -> str:
        page = {"csp": Markup(made.csp(kind)), "late": made.late_script(kind), "html": html}
        return made.render("a.html", page)

    def allowing(late: str) -> str:
        return f"{policy(*OURS, digest(late))}<script>{late}</script>"

    assert rendered("note", '<a class="cite">') == allowing("cards();") + '<a class="cite">'
    assert rendered("note", '<p class="x code cite">') == allowing("cards();copy();") + '<p class="x code cite">'
    assert rendered("path", '<p class="code">') == allowing("paths();copy();") + '<p class="code">'
    assert rendered("path", "") == allowing("paths();")
    assert rendered("note", "<p>") == policy(*OURS) + "<p>"


def test_every_part_of_the_package_is_named_for_what_wants_it(tmp_path: Path) -> None:
    loaded, _ = load_theme(tmp_path, Words.of("zh", "en"))
    assert loaded
    assert len(loaded.parts) > 10
    scripts = [names for names, _ in loaded.script_parts]
    for names, style in loaded.parts:
        named = any(re.search(rf"(?:^|[^\w-])\.?{name}\b", style) for name in names)
        assert named or names in scripts, (names, style)  # or it is for what the script makes
