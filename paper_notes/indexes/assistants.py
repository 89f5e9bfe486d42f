"""What programs read that speak to people of sites: `llms.txt`, `llms-full.txt`, and the Markdown of each note.

A site has them if `site.yaml` says `assistants: true`. Drafts are not among the notes, so nothing here names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import quote

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.document.github import link, paragraph, plain
from paper_notes.document.parse import AS_SHOWN, parse
from paper_notes.document.write import write_markdown
from paper_notes.engine.build_context import BuildContext, FileMemo, Report
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import Bodies
from paper_notes.markdown.body import Unread
from paper_notes.render.labels import language_name
from paper_notes.render.links import SITE, LinkResolver, absolute, markdown_path, note_path
from paper_notes.render.note_rows import newest
from paper_notes.render.plain_markdown import LinkTexts, link_texts, plain_document

FULL = 1_000_000
"""Characters of `llms-full.txt` at most: what the largest windows of models hold with room for an answer."""


def assistant_files(
    corpus: Corpus, bodies: Bodies, resolver: LinkResolver, context: BuildContext
) -> tuple[Artifact, ...]:
    """All of these files. A note's are made again only if its text, or what it refers to, has changed."""
    if not corpus.site.assistants:
        return ()
    memo = FileMemo(context, "assistants")
    artifacts: list[Artifact] = []
    for note in corpus.notes:
        outline = bodies.outlines[note.id]
        links = {lang: link_texts(note, lang, outline, resolver) for lang in note.languages}
        head = _head(note, resolver, links)
        heads = {lang: text + _unread(outline.unread, lang) for lang, text in head.items()}
        make = partial(_texts, note, heads, links, corpus.site.words)
        artifacts += memo.files(note.id, (bodies.digests[note.id], heads, links), make)
    lists = _listed(corpus, resolver)
    artifacts += memo.files("llms.txt", lists, lambda _: [Artifact.text(SITE / "llms.txt", lists)])
    digests, files = [artifact.sha256 for artifact in artifacts], {str(file.path): file for file in artifacts}
    artifacts += memo.files(
        "llms-full.txt", digests, lambda _: [Artifact.text(SITE / "llms-full.txt", _full(corpus, files))]
    )
    memo.save()
    return tuple(artifacts)


def _texts(
    note: Note, heads: Mapping[Lang, str], links: Mapping[Lang, LinkTexts], words: Words, report: Report
) -> Iterator[Artifact]:
    for text in note.texts:
        tree = plain_document(parse(text.text, AS_SHOWN), links[text.lang], words[text.lang])
        yield Artifact.text(SITE / markdown_path(note, text.lang), heads[text.lang] + write_markdown(tree))


def _head(note: Note, resolver: LinkResolver, links: Mapping[Lang, LinkTexts]) -> dict[Lang, str]:
    """The beginning of the Markdown in each language: the facts as YAML, the title and the summary."""
    corpus = resolver.corpus
    papers = [corpus.papers[key] for key in note.papers]
    facts = {
        "page": note_path(note).name if not corpus.site.base_url else absolute(note_path(note), corpus.site.base_url),
        "kind": note.kind,
        "status": note.status,
        "tags": note.tags,
        "created": note.created and note.created.isoformat(),
        "updated": note.updated and note.updated.isoformat(),
        "papers": [
            {
                "title": paper.title,
                "authors": [name.full for name in paper.authors],
                "date": paper.date_label,
                "url": next((item.url for item in paper.links), None),
            }
            for paper in papers
        ],
    }
    summary = resolver.plain_summary(note) if note.summary else None
    heads = {}
    for lang in links:
        known = {"title": note.title[lang], "lang": lang, **facts}
        lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in known.items() if value]
        quoted = f"> {paragraph(summary[lang])}\n\n" if summary and summary[lang] else ""
        heads[lang] = "\n".join(("---", *lines, "---", "", f"# {plain(note.title[lang])}", "", quoted))
    return heads


def _unread(drafts: tuple[Unread, ...], lang: Lang) -> str:
    """What of the text a model has drafted and nobody has read yet, as a comment of Markdown."""
    models = {draft.section: draft.model for draft in drafts if draft.lang == lang}
    return f"<!-- unread-drafts: {json.dumps(models, ensure_ascii=False)} -->\n\n" if models else ""


def _listed(corpus: Corpus, resolver: LinkResolver) -> str:
    """`llms.txt`, see llmstxt.org: every note with what it says in a sentence, by topic."""
    site, first = corpus.site, corpus.site.default_language
    lines = [f"# {plain(site.title[first])}", ""]
    lines += [f"> {paragraph(site.description[first])}", ""] if site.description else []
    for topic in corpus.topics:
        notes = corpus.notes_of(topic.id)
        lines += [f"## {plain(topic.title[first])}", ""] if notes else []
        for note in notes:
            spoken = first if first in note.languages else note.languages[0]
            others = "".join(
                f" ({link(plain(language_name(lang, site.words)[lang]), _address(corpus, note, lang))})"
                for lang in note.languages
                if lang != spoken
            )
            about = resolver.about(note)[spoken]
            entry = f"- {link(plain(note.title[spoken]), _address(corpus, note, spoken))}{others}"
            lines.append(entry + (f": {plain(about)}" if about else ""))
        lines += [""] if notes else []
    return "\n".join(lines)


def _address(corpus: Corpus, note: Note, lang: Lang) -> str:
    path = markdown_path(note, lang)
    return absolute(path, corpus.site.base_url) if corpus.site.base_url else quote(str(path), safe="/+")


def _full(corpus: Corpus, files: Mapping[str, Artifact]) -> str:
    """`llms-full.txt`: the notes in their first language of the site, the newest first, as long as there is room."""
    every = newest(corpus.notes)
    texts: list[str] = []
    size = 0
    for note in every:
        spoken = next(lang for lang in (corpus.site.default_language, *note.languages) if lang in note.languages)
        text = files[str(SITE / markdown_path(note, spoken))].data.decode()
        size += len(text) + 1
        if size > FULL:
            break
        texts.append(text)
    left = len(every) - len(texts)
    return "\n".join([*texts, f"<!-- left-out: {left} -->\n"] if left else texts)
