"""The page of `serve` on which a draft is reviewed: a claim, the place in the PDF beside it, accept, edit or drop.

It runs no script. What it shows is a stranger's text, escaped; a decision is a form, which only this page can send.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from paper_notes.commands.collection import OpenCollection, load_collection, open_collection
from paper_notes.corpus.model import Lang, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.drafting.claims import Decision, SourceWords
from paper_notes.features.drafting.commands.review import save
from paper_notes.features.drafting.places import PagePart, place_of
from paper_notes.features.drafting.reviewing import as_it_is, doubts, finish, pdf_of, setting_of
from paper_notes.features.drafting.support import Setting
from paper_notes.features.drafting.waiting import WaitingDraft, waiting
from paper_notes.languages.language import Language, Words
from paper_notes.output.lock import locked
from paper_notes.serve.own_pages import OwnPage, Reply
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source

ADDRESS = "/.paper-notes/review/"
_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_MADE: Mapping[str, Decision] = {"accept": "accepted", "edit": "edited", "drop": "dropped"}
_STYLE = """
:root{color-scheme:light dark;--ink:light-dark(#1b1d22,#e2e5ea);--soft:light-dark(#595f6a,#a3aab6);
--line:light-dark(#d5d8de,#3a404a);--paper:light-dark(#fdfdfc,#131519);--link:light-dark(#1c4a94,#9dbdf5);
--mark:light-dark(#a83216,#ff9478)}
*{box-sizing:border-box}body{margin:0 auto;max-width:80rem;padding:1rem 1.25rem 3rem;background:var(--paper);
color:var(--ink);font:1.0625rem/1.65 system-ui,"Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}h1{font-size:1.25rem;line-height:1.35;margin:.5rem 0}.soft{color:var(--soft);margin:.25rem 0}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.2fr);gap:1.5rem;align-items:start}
.claim{white-space:pre-wrap;font-size:1.25rem;line-height:1.6;margin:0 0 1rem}
form{position:sticky;top:1rem}button{font:inherit;padding:.5rem 1rem;min-height:2.75rem;margin:0 .5rem .5rem 0;
border:1px solid var(--line);border-radius:8px;background:light-dark(#fff,#20242b);color:inherit;cursor:pointer}
button.yes{border-color:light-dark(#1d6b3a,#7fd39c);font-weight:650}
:is(a,button,textarea,summary):focus-visible{outline:3px solid var(--link);outline-offset:2px}
textarea{width:100%;min-height:8rem;font:inherit;padding:.5rem;border:1px solid var(--line);border-radius:8px;
background:light-dark(#fff,#20242b);color:inherit}details{margin-top:.5rem}summary{cursor:pointer;padding:.5rem 0}
figure{margin:0 0 1.25rem}figcaption{margin-top:.35rem}.doubt{color:var(--mark);font-weight:650;margin:.25rem 0}
.crop{position:relative;border:1px solid var(--line);border-radius:6px;overflow:hidden;background:#fff}
.crop img{display:block;width:100%;height:auto}.crop span{position:absolute;background:#ffd54a59;
outline:2px solid #b8860b}
@media(max-width:50rem){main{grid-template-columns:minmax(0,1fr)}form{position:static}}
"""

_FRAME = Markup("""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
""")


def _answer(root: Path, path: str, form: Mapping[str, str] | None) -> Reply:
    try:
        return _decide(root, path, form) if form is not None else _show(root, path)
    except UserError as problem:
        words = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
        return _reply(409 if form is not None else 404, "en", words, Markup("<p>{}</p>").format(words))


PAGE = OwnPage(ADDRESS, _answer)


def _show(root: Path, path: str) -> Reply:
    with open_collection(root) as collection:
        note, lang = _named(collection.corpus.notes, path)
        words = collection.corpus.site.words
        if note is None:
            return _index(collection.corpus.notes, words)
        drafts = waiting(note)
        if lang not in drafts or not drafts[lang].open:
            return _done(note, words[lang] if lang in words.tags else words.languages[0])
        return _claim_page(collection, note, drafts[lang], words[lang])


def _decide(root: Path, path: str, form: Mapping[str, str]) -> Reply:
    """Keep one decision: what it is about is told by its words, as another one may have been made meanwhile."""
    decision, own = _MADE.get(form.get("decision", "")), form.get("own", "").strip().replace("\r\n", "\n")
    if decision is None or (decision == "edited" and not own):
        return Reply(303, headers={"Location": f"{ADDRESS}{quote(path)}"})
    with locked(root):
        corpus, sources = load_collection(root)
        note, lang = _named(corpus.notes, path)
        drafts = waiting(note) if note else {}
        if note is None or lang not in drafts:
            raise UserError(f"{path}: its draft is not there any more", "it was decided or deleted meanwhile")
        draft = drafts[lang]
        for at, place in draft.open:
            section = draft.sections[at]
            if (section.name, section.claims[place].text) == (
                form.get("section"),
                form.get("text", "").replace("\r\n", "\n"),
            ):
                decided = draft.decided(at, place, decision, own if decision == "edited" else "")
                save(root, finish(corpus, sources, note, as_it_is(note, decided)), sources)
                break
    return Reply(303, headers={"Location": f"{ADDRESS}{quote(path)}"})


def _named(notes: tuple[Note, ...], path: str) -> tuple[Note | None, Lang]:
    """The note and the language of `tea/01_Swift/en`."""
    name, _, lang = path.rpartition("/")
    return next((note for note in notes if note.id == name), None), Lang(lang)


def _index(notes: tuple[Note, ...], words: Words) -> Reply:
    language = words.languages[0]
    rows = [
        Markup('<li><a href="{}{}/{}">{} ({})</a>: {}</li>').format(
            ADDRESS, quote(note.id), lang, note.title[language.tag], lang,
            language("review.left", count=len(draft.open)),
        )
        for note in notes for lang, draft in waiting(note).items()
    ]  # fmt: skip
    title = language("review.title")
    body = (
        Markup("<ul>{}</ul>").format(Markup("").join(rows))
        if rows
        else Markup("<p>{}</p>").format(language("review.none"))
    )
    return _reply(200, language.html, title, Markup("<h1>{}</h1>{}").format(title, body))


def _done(note: Note, language: Language) -> Reply:
    body = Markup('<h1>{}</h1><p><a href="/{}/notes/{}.html">{}</a></p><p><a href="{}">{}</a></p>').format(
        language("review.done"),
        quote(note.topic),
        quote(note.name),
        note.title[language.tag],
        ADDRESS,
        language("review.title"),
    )
    return _reply(200, language.html, language("review.done"), body)


def _claim_page(collection: OpenCollection, note: Note, draft: WaitingDraft, language: Language) -> Reply:
    at, place = draft.open[0]
    section = draft.sections[at]
    claim = section.claims[place]
    setting: Setting | None = None
    pdf: Source | None = None
    with suppress(UserError):  # without the PDF its words are shown
        setting = setting_of(collection.corpus, note, draft.lang, collection.pdfs)
        pdf = pdf_of(collection.corpus, note)
    figures = Markup("").join(_figure(item, pdf, collection.pdfs, language) for item in claim.evidence)
    against = Markup("").join(Markup('<p class="doubt">{}</p>').format(words) for words in doubts(claim, setting))
    progress = language("review.left", count=len(draft.open))
    body = Markup(
        '<p class="soft"><a href="{index}">{title}</a> · {note} · {section} · {progress}</p>'
        '<main><form method="post" action="{path}"><p class="claim">{text}</p>{against}{hidden}'
        '<button class="yes" name="decision" value="accept" accesskey="a">{accept}</button>'
        '<button name="decision" value="drop" accesskey="d">{drop}</button>'
        '<details><summary>{edit}</summary><textarea name="own" aria-label="{edit}">{own}</textarea>'
        '<button name="decision" value="edit">{keep}</button></details></form><div>{figures}</div></main>'
    ).format(
        index=ADDRESS, title=language("review.title"), note=note.title[language.tag], section=section.name,
        progress=progress, path=f"{ADDRESS}{quote(note.id)}/{draft.lang}", text=claim.text, against=against,
        hidden=_hidden(section=section.name, text=claim.text), accept=language("review.accept"),
        drop=language("review.drop"), edit=language("review.edit"), keep=language("review.keep"),
        own=claim.own or claim.text, figures=figures,
    )  # fmt: skip
    return _reply(200, language.html, f"{language('review.title')}: {note.title[language.tag]}", body)


def _hidden(**fields: str) -> Markup:
    return Markup("").join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value) for name, value in fields.items()
    )


def _figure(item: SourceWords, pdf: Source | None, pdfs: PdfReader, language: Language) -> Markup:
    """The place in the PDF, with its words marked; its words alone if it cannot be shown."""
    caption = Markup("<figcaption>{} · {}</figcaption>").format(language("source.page", page=f"{item.page}"), str(item))
    seen = place_of(item, pdf, pdfs) if pdf else None
    if seen is None:
        return Markup("<figure>{}</figure>").format(caption)
    return Markup('<figure><div class="crop">{}{}</div>{}</figure>').format(_picture(seen, item), _marks(seen), caption)


def _picture(seen: PagePart, item: SourceWords) -> Markup:
    data = base64.b64encode(seen.picture.data).decode()
    return Markup('<img src="data:image/webp;base64,{}" width="{}" height="{}" alt="{}">').format(
        data, seen.picture.width, seen.picture.height, str(item)
    )


def _marks(seen: PagePart) -> Markup:
    left, top, right, bottom = seen.box
    width, height = right - left, bottom - top
    return Markup("").join(
        Markup('<span style="left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%"></span>').format(
            100 * (box[0] - left) / width, 100 * (box[1] - top) / height,
            100 * (box[2] - box[0]) / width, 100 * (box[3] - box[1]) / height,
        )
        for box in seen.marked
    )  # fmt: skip


def _reply(status: int, lang: str, title: str, body: Markup) -> Reply:
    page = _FRAME.format(lang=lang, title=title, style=Markup(_STYLE), body=body)
    # a form sends where it comes from only where pages may say so
    headers = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY"}
    return Reply(status, page.encode(), headers)
