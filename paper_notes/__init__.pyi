from paper_notes.diagnostics import UserError as UserError
from paper_notes.features.library.collection import Collection as Collection
from paper_notes.features.library.collection import open_collection as open_collection
from paper_notes.features.library.values import Correction as Correction
from paper_notes.features.library.values import Finding as Finding
from paper_notes.features.library.values import Match as Match
from paper_notes.features.library.values import Note as Note
from paper_notes.features.library.values import Number as Number
from paper_notes.features.library.values import Paper as Paper
from paper_notes.features.library.values import Section as Section
from paper_notes.features.library.values import Term as Term

__version__: str
