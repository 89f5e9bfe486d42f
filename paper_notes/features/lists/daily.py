"""The papers of a day: those that Hugging Face lists for it, or those of a category of arXiv.

Hugging Face's answers are described in https://huggingface.co/docs/hub/api (`/api/daily_papers`).
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace

from paper_notes.corpus.model import EntriesFormat
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.records import any_json_of, mapping, mappings, text
from paper_notes.features.papers.web import DAY, NoResponse, Request, Response, Service, Web
from paper_notes.identifiers import parse_arxiv
from paper_notes.sources.characters import one_line

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
_ADDRESS = re.compile(r"https?://[\w%#&?=./:@~+,;!*'()-]+", re.ASCII)
_CATEGORY = re.compile(r"arxiv:(?P<name>[a-z-]+(?:\.[A-Za-z-]{2,})?)")


@dataclass(frozen=True, slots=True)
class DailySource:
    """Where the papers of a day come from."""

    format: EntriesFormat
    category: str = ""
    """Of arXiv."""

    @property
    def service(self) -> Service:
        """Who is asked."""
        return HUGGING_FACE if self.format == "hf-daily" else replace(arxiv.ARXIV, instead=HUGGING_FACE.instead)


@dataclass(frozen=True, slots=True)
class DailyPaper:
    """A paper of a day."""

    draft: Draft
    upvotes: int | None = None
    keywords: tuple[str, ...] = ()
    headline: str = ""
    """What it is about in one sentence of English, as plain text."""


@dataclass(frozen=True, slots=True)
class Day:
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
