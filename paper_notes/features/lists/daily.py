"""The papers of a day: asked for, and as a note that lists them, a new one or the one that is there.

Hugging Face lists papers for a day, as described in https://huggingface.co/docs/hub/api (`/api/daily_papers`), and
arXiv those of a category. To a note that is there only is added.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, EntriesFormat, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.schema import MAX_ENTRIES
from paper_notes.diagnostics import UserError
from paper_notes.features.lists.entry_sections import heading, plain_markdown, with_sections
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.features.papers.records import any_json_of, mapping, mappings, text
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.features.papers.scaffold import check_builds, next_number
from paper_notes.features.papers.web import DAY, Web
from paper_notes.identifiers import parse_arxiv
from paper_notes.patterns import regex
from paper_notes.sources.characters import one_line
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import dumped, with_items, with_values
from paper_notes.values import Struct, replace

HUGGING_FACE = Service(
    "Hugging Face",
    "https://huggingface.co",
    "PAPER_NOTES_HF_URL",
    interval=0.5,
    instead="a day can be fetched at any time later",
)
PAGE, MAX_PAGES = 100, 20
"""Papers of an answer, and answers of a day, at most."""
SETTLED = 7
"""Days after which little changes any more: answers about earlier days are kept for a while."""
MAX_HEADLINE, MAX_KEYWORD, MAX_KEYWORDS = 2_000, 100, 20
MAX_VOTES = 10**9
_ADDRESS = regex(r"https?://[\w%#&?=./:@~+,;!*'()-]+", re.ASCII)
_CATEGORY = regex(r"arxiv:(?P<name>[a-z-]+(?:\.[A-Za-z-]{2,})?)")


class DailySource(Struct, frozen=True):
    """Where the papers of a day come from."""

    format: EntriesFormat
    category: str = ""
    """Of arXiv."""

    @property
    def service(self) -> Service:
        """Who is asked."""
        return HUGGING_FACE if self.format == "hf-daily" else replace(arxiv.ARXIV, instead=HUGGING_FACE.instead)


class DailyPaper(Struct, frozen=True):
    """A paper of a day."""

    draft: Draft
    upvotes: int | None = None
    keywords: tuple[str, ...] = ()
    headline: str = ""
    """What it is about in one sentence of English, as plain text."""


class Day(Struct, frozen=True):
    """The papers of a day in their order, and how many of the answer are not among them."""

    date: datetime.date
    papers: tuple[DailyPaper, ...]
    unreadable: int = 0
    """Without an arXiv id or a title."""


def origin_of(name: str) -> DailySource:
    """`hf`, or `arxiv:cs.CL`. Raises UserError."""
    if name == "hf":
        return DailySource("hf-daily")
    if category := _CATEGORY.fullmatch(name):
        return DailySource("arxiv", category["name"])
    raise UserError(f'"{name}" is no source of daily papers', "write hf, or a category of arXiv: arxiv:cs.CL")


def days_of(text: str, today: datetime.date) -> tuple[datetime.date, ...]:
    """The days that `today`, `2026-01-13`, `2026-W03` or `2026-01` means, up to today. Raises UserError."""
    try:
        if text == "today":
            days = [today]
        elif re.fullmatch(r"\d{4}-W\d\d", text):
            days = [datetime.date.fromisoformat(f"{text}-{day}") for day in range(1, 8)]
        elif re.fullmatch(r"\d{4}-\d\d", text):
            first = datetime.date.fromisoformat(f"{text}-01")
            month = (first + datetime.timedelta(days=day) for day in range(31))
            days = [day for day in month if day.month == first.month]
        elif re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            days = [datetime.date.fromisoformat(text)]
        else:
            raise ValueError(text)
    except (ValueError, OverflowError) as error:
        message = f'"{text}" is no day, week or month'
        raise UserError(
            message, "write today, a day as 2026-01-13, a week as 2026-W03, or a month as 2026-01"
        ) from error
    past = tuple(day for day in days if day <= today)
    if not past:
        raise UserError(f"{text} is in the future: today is {today} (UTC)", "ask again when it has come")
    return past


def fetch_day(web: Web, origin: DailySource, day: datetime.date, today: datetime.date, *, renew: bool = False) -> Day:
    """Ask for the papers of a day; with `renew`, no answer that was kept is used. Raises UserError."""
    fresh = DAY if (today - day).days > SETTLED and not renew else 0.0
    if origin.format == "arxiv":
        drafts = arxiv.ask_day(web, origin.category, day, origin.service, fresh=fresh)
        return Day(day, tuple(map(DailyPaper, drafts)))
    return _hugging_face(web, day, fresh)


def _hugging_face(web: Web, day: datetime.date, fresh: float) -> Day:
    """All pages of a day: up to the first without a paper that was not on one before. The most votes come first."""
    seen: dict[str, dict[str, object]] = {}
    for page in range(MAX_PAGES):
        query = {"date": day.isoformat(), "limit": f"{PAGE}", "p": f"{page}", "sort": "publishedAt"}
        request = Request(HUGGING_FACE, "/api/daily_papers", query, accept="application/json")
        answer = web.ask(request, _records, fresh=fresh)
        new = {text(paper.get("id")) or repr(paper): paper for paper in answer}
        if new.keys() <= seen.keys():
            break
        seen |= {name: paper for name, paper in new.items() if name not in seen}
    of_day = [paper for paper in seen.values() if _day(paper.get("submittedOnDailyAt")) in (day, None)]
    read = [daily_paper for daily_paper in map(_paper, of_day) if daily_paper]
    if of_day and not read:
        message = f"none of the {len(of_day)} papers of Hugging Face's answer has an id and a title"
        raise NoResponse(message, HUGGING_FACE.hint("its answers may have a new form: look for a newer paper-notes"))
    papers = {daily_paper.draft.arxiv: daily_paper for daily_paper in reversed(read)}.values()
    ordered = sorted(papers, key=lambda daily_paper: (-(daily_paper.upvotes or 0), daily_paper.draft.arxiv or ""))
    return Day(day, tuple(ordered), len(of_day) - len(read))


def _records(response: Response) -> list[dict[str, object]]:
    """The papers of an answer. Raises NoResponse."""
    service = response.request.service
    value = any_json_of(response)
    if not isinstance(value, list) or (value and not mappings(value)):
        raise NoResponse(f"{service.name}'s answer is JSON, but no list of papers", service.hint())
    # what is said beside the paper counts where the paper itself does not say it
    return [{**item, **mapping(item.get("paper"))} for item in mappings(value)]


def _paper(record: dict[str, object]) -> DailyPaper | None:
    """None without an arXiv id or a title."""
    known = parse_arxiv(text(record.get("id")))
    title = one_line(text(record.get("title")))
    if known is None or not any(map(str.isalnum, title)):
        return None
    published = _day(record.get("publishedAt"))
    offline = arxiv.offline_draft(arxiv.ArxivReference(*known))
    names = (person_name(one_line(text(author.get("name")))) for author in mappings(record.get("authors")))
    team = mapping(record.get("organization"))
    fields = {
        "organization": one_line(text(team.get("fullname")) or text(team.get("name"))),
        "project": _address(record.get("projectPage")),
        "code": _address(record.get("githubRepo")),
    }
    draft = Draft(
        source="arxiv",
        arxiv=known[0],
        year=published.year if published else offline.year,
        month=published.month if published else offline.month,
        title=title,
        authors=tuple(name for name in names if name),
        abstract=text(record.get("summary")),
        fields=fields,
    )
    votes = record.get("upvotes")
    headline = one_line(text(record.get("ai_summary")))
    return DailyPaper(
        draft if draft.title else replace(draft, title=title[:300]),
        votes if type(votes) is int and 0 <= votes < MAX_VOTES else None,
        _keywords(record.get("ai_keywords")),
        headline if len(headline) <= MAX_HEADLINE else "",
    )


def _keywords(value: object) -> tuple[str, ...]:
    words = (one_line(word) for word in value if isinstance(word, str)) if isinstance(value, list) else ()
    usable: dict[str, str] = {}
    for word in words:
        if any(map(str.isalnum, word)) and len(word) <= MAX_KEYWORD:
            usable.setdefault(word.casefold(), word)
    return tuple(usable.values())[:MAX_KEYWORDS]


def _address(value: object) -> str:
    address = one_line(text(value))
    return address if len(address) <= MAX_HEADLINE and _ADDRESS.fullmatch(address) else ""


def _day(value: object) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text(value)[:10])
    except ValueError:
        return None


class DayFilter(Struct, frozen=True):
    """Which papers of a day are wanted."""

    top: int | None
    """So many from the beginning."""
    min_votes: int | None
    votes: bool
    """Whether votes of papers that are there are brought up to date."""

    def of(self, day: Day) -> tuple[DailyPaper, ...]:
        """The papers that are wanted."""
        liked = (paper for paper in day.papers if (paper.upvotes or 0) >= (self.min_votes or 0))
        return tuple(liked)[: self.top]


class Merged(Struct, frozen=True):
    """What the papers of a day change."""

    folder: PurePosixPath | None
    """None if there is no note, because there are no papers."""
    artifacts: tuple[Artifact, ...] = ()
    is_new: bool = False
    added: int = 0
    before: int = 0
    """Papers that were in the note already."""
    votes: int = 0
    """Votes that changed."""


def merge_days(
    days: Iterable[Day],
    origin: DailySource,
    wanted: DayFilter,
    corpus: Corpus,
    sources: tuple[Source, ...],
    *,
    topic: str,
) -> tuple[Merged, ...]:
    """The changes that put the wanted papers of each day into its note. Raises UserError.

    The BibTeX entries of new papers go into a file beside the note: a year of them would be too much for one file.
    """
    papers, day_notes, sources_now = KnownPapers(corpus), list[Merged](), sources
    for day in days:
        note = next((note for note in corpus.notes if _is_of(note, day.date, origin)), None)
        if note:
            merged = _merged_into(note, day, wanted, papers, sources)
        else:
            merged = _new_note(day, origin, wanted, papers, sources_now, topic)
            sources_now = (
                *sources_now,
                *(Source(file.path, b"") for file in merged.artifacts),
            )  # their numbers are taken
        day_notes.append(merged)
    changed = [day_note.folder for day_note in day_notes if day_note.artifacts and day_note.folder]
    try:
        if changed:
            check_builds(sources, [file for day_note in day_notes for file in day_note.artifacts], *changed)
    except UserError as error:
        raise UserError(error.message, "leave it out with --min-votes or --top, and please report it") from error
    return tuple(day_notes)


def _new_note(
    day: Day, origin: DailySource, wanted: DayFilter, papers: KnownPapers, sources: tuple[Source, ...], topic: str
) -> Merged:
    chosen = wanted.of(day)[:MAX_ENTRIES]
    if not chosen:
        return Merged(None)
    corpus = papers.corpus
    folder = BASE / topic / "_".join(filter(None, (next_number(topic, sources), f"{day.date}", origin.category)))
    values = [_entry(papers, paper) for paper in chosen]
    files = [Artifact.text(folder / NOTE_FILE, dumped(_facts(day.date, origin, corpus, values)))]
    headings = [heading(papers.papers[BibKey(value["paper"])], corpus.site.words) for value in values]
    files += [Artifact.text(folder / f"{tag}.md", "\n".join(headings)) for tag in corpus.site.words.tags]
    return Merged(folder, (*files, *papers.library(folder, sources)), is_new=True, added=len(chosen))


def _is_of(note: Note, day: datetime.date, origin: DailySource) -> bool:
    source = note.source
    same = source is not None and (source.format, source.date) == (origin.format, day)
    return bool(same and source and (not origin.category or origin.category in source.terms))


def _merged_into(note: Note, day: Day, wanted: DayFilter, papers: KnownPapers, sources: tuple[Source, ...]) -> Merged:
    folder = BASE / note.id
    places: dict[BibKey, int] = {entry.paper: place for place, entry in enumerate(note.entries)}
    keys = {paper.draft.arxiv: papers.find(paper.draft) for paper in day.papers}
    known = {arxiv: places.get(paper.key) if paper else None for arxiv, paper in keys.items()}
    chosen = [paper for paper in wanted.of(day) if known[paper.draft.arxiv] is None]
    chosen = chosen[: MAX_ENTRIES - len(note.entries)]
    values = [_entry(papers, paper) for paper in chosen]
    order = [known[paper.draft.arxiv] for paper in day.papers]
    at = {paper.draft.arxiv: place for place, paper in enumerate(day.papers)}
    spots = [_spot(order, at[paper.draft.arxiv], len(note.entries)) for paper in chosen]
    votes = _new_votes(note, day, known) if wanted.votes else {}
    before = len(note.entries)
    if not values and not votes:
        return Merged(folder, before=before)
    if note.location.path.name != NOTE_FILE:
        message = f"{note.location.path} is a note in a single file, to which nothing can be added"
        raise UserError(message, f"make a folder of it, with {NOTE_FILE} and a text")
    data = next(source.data for source in sources if source.path == note.location.path)
    data = with_values(note.location.path, data, "entries", votes) if votes else data
    data = with_items(note.location.path, data, "entries", zip(spots, values, strict=True)) if values else data
    files = [Artifact(note.location.path, data)]
    if values:
        new = [(spot, papers.papers[BibKey(value["paper"])]) for spot, value in zip(spots, values, strict=True)]
        files += with_sections(note, new, papers.corpus, sources)
    return Merged(
        folder, (*files, *papers.library(folder, sources)), added=len(values), before=before, votes=len(votes)
    )


def _spot(order: Sequence[int | None], place: int, end: int) -> int:
    """Where a paper goes among those of a note: behind the one before it, or in front of the one after it."""
    before = next((known for known in reversed(order[:place]) if known is not None), None)
    after = next((known for known in order[place:] if known is not None), end)
    return before + 1 if before is not None else after


def _new_votes(note: Note, day: Day, known: Mapping[Any, int | None]) -> dict[int, tuple[str, str]]:
    changed: dict[int, tuple[str, str]] = {}
    for paper in day.papers:
        place = known[paper.draft.arxiv]
        if place is not None and paper.upvotes is not None and note.entries[place].upvotes != paper.upvotes:
            changed[place] = ("upvotes", f"{paper.upvotes}")
    return changed


def _entry(papers: KnownPapers, paper: DailyPaper) -> dict[str, Any]:
    """The entry of a paper in `note.yaml`."""
    value: dict[str, Any] = {"paper": str(papers.paper(paper.draft).key)}
    value |= {"upvotes": paper.upvotes} if paper.upvotes is not None else {}
    value |= {"keywords": list(paper.keywords)} if paper.keywords else {}
    words = papers.corpus.site.words
    return value | ({"headline": {"en": plain_markdown(paper.headline, words)}} if paper.headline else {})


def _facts(day: datetime.date, origin: DailySource, corpus: Corpus, entries: list[dict[str, Any]]) -> dict[str, Any]:
    words = corpus.site.words
    name = "list.of-day-in" if origin.category else "list.of-day"
    title = words(name, date=day.isoformat(), name=origin.category)
    if origin.format == "arxiv":
        source: dict[str, Any] = {"url": f"https://arxiv.org/list/{origin.category}/recent", "date": day}
        source |= {"terms": [origin.category]}
    else:
        source = {"url": f"https://huggingface.co/papers/date/{day}", "date": day}
    return {
        "title": {str(lang): title[lang] for lang in corpus.site.languages},
        "kind": "digest",
        "created": day.replace(),  # a copy: the same object would be written as an anchor and an alias
        "status": "todo",
        "source": {"format": origin.format, **source},
        "entries": entries,
    }
