"""A collection whose topics, headings, paths, papers, tags and terms have names that pages use themselves."""

from __future__ import annotations

NAMES = (
    "data q main results found clear filters theme toc top view-zh list papers paths teams several weeks letter-1 tag-1"
    " constructor __proto__ toString hasOwnProperty location pn pnTexts body"
).split()
"""Of elements, of what scripts look up in objects, and of what browsers have."""
LIKE_OURS = ("pn-q", "Term 1", "Ref-q", "Path-q", "Lead", "Zh 1a data", "En 1a data")


def _text() -> str:
    headings = "".join(f"#### {other}\n\nWord.\n\n" for other in (*NAMES, *LIKE_OURS))
    box = ":::note Box {#box}\na\n:::\n"
    start = "## data\n\n![a](a.svg)\n\n### main\n\n"
    return f"{start}A term of data [@q], [[main/#1]] and[^1] more.\n\n{headings}{box}\n[^1]: A note.\n"


def _files() -> dict[str, str]:
    files = {
        "site.yaml": f"title: Names\ntopics: [{', '.join(NAMES)}]\n",
        "library.bib": "".join(
            f"@misc{{{name}, title={{{name}}}, author={{{name}, A}}, year={{2026}}}}\n" for name in NAMES
        ),
        "glossary.yaml": "".join(f"- {{zh: {name}, en: {name}}}\n" for name in NAMES),
    }
    paths = "".join(f"  - {{id: {name.strip('_').lower()}, title: {name}, steps: [1]}}\n" for name in NAMES)
    for name in NAMES:
        files[f"{name}/topic.yaml"] = f"title: {name}\nintro: '{name} is a topic.'\n"
        files[f"{name}/01_{name}/note.yaml"] = f"title: {name}\npapers: [{name}]\ntags: [{name}]\ncreated: 2026-01-01\n"
        files |= {f"{name}/01_{name}/{lang}.md": f"## {name}\n\n[@q] {name}.\n" for lang in ("zh", "en")}
    files["data/topic.yaml"] += f"reading_paths:\n{paths}"
    files["data/01_data/note.yaml"] += "corrects: [{note: main/#1, claim: a, correction: b, date: 2026-01-02}]\n"
    files |= {f"data/01_data/{lang}.md": _text() for lang in ("zh", "en")}
    files["data/01_data/a.svg"] = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="data"/></svg>'
    return {f"notes_src/{name}": text for name, text in files.items()}


FILES = _files()
