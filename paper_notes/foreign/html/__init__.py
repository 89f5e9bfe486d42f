"""Notes written by hand as HTML pages: what their author meant, as Markdown of ours."""

from paper_notes.foreign.html.format import FORMAT as FORMAT
