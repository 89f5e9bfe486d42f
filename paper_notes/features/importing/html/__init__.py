"""Notes written by hand as HTML pages: what their author meant, as Markdown of ours."""

from paper_notes.features.importing.html.format import FORMAT as FORMAT
