"""Which fields of an entry are published: those that describe a publication, and no one's own notes and paths."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from paper_notes.sources.bibtex import MONTHS, BibEntry

_PUBLISHED = (
    "abstract address addendum afterword annotator archiveprefix articleno author authortype badge blog bookauthor "
    "bookpagination booksubtitle booktitle booktitleaddon chapter code collaboration commentator crossref date day doi "
    "edition editor editora editorb editorc editortype editoratype editorbtype editorctype eid entryset entrysubtype "
    "eprint eprintclass eprinttype eventdate eventtitle eventtitleaddon foreword hf holder howpublished ids indextitle "
    "institution introduction isan isbn ismn isrn issn issue issuesubtitle issuetitle issuetitleaddon iswc journal "
    "journalsubtitle journaltitle journaltitleaddon key label langid langidopts language links location mainsubtitle "
    "maintitle maintitleaddon month mrnumber nameaddon number numpages organization origdate origlanguage origlocation "
    "origpublisher origtitle pages pagetotal pagination part pdf pmcid pmid presort primaryclass project publisher "
    "pubstate related relatedoptions relatedstring relatedtype reportnumber reprinttitle school series shortauthor "
    "shorteditor shorthand shorthandintro shortjournal shortseries shorttitle sortkey sortname sorttitle sortyear "
    "subtitle title titleaddon translator type url urldate venue version versions volume volumes xdata xref year "
    "zblnumber"
)
PUBLISHED = frozenset(_PUBLISHED.split())
"""The fields of BibTeX and biblatex that tell of the publication, numbers that catalogues give it, and our own links.

All others stay in the collection: programs put paths, dates and groups into fields of their own, people put notes.
"""


def published(entry: BibEntry, asked: Collection[str] = ()) -> BibEntry:
    """The entry without what is not published, as it is written if that is nothing. `asked` are further fields."""
    fields = {name: field for name, field in entry.fields.items() if name in PUBLISHED or name in asked}
    if len(fields) == len(entry.fields):
        return entry
    return rewritten(replace(entry, fields=fields))


def rewritten(entry: BibEntry) -> BibEntry:
    """The entry with its fields as its text, which needs no other entry and no `@string`."""
    months = {name: short for short, name in MONTHS.items()}
    lines = [f"@{entry.entry_type}{{{entry.key}"]
    for name, field in entry.fields.items():
        month = months.get(field.value) if name == "month" else None
        lines.append(f"  {name} = {month or '{' + field.value + '}'}")
    return replace(entry, raw=",\n".join(lines) + "\n}")
