"""Notes written by hand as HTML pages: what their author meant, as Markdown of ours."""
