"""The pages of the site: one module and one template per page."""

LISTS = ("papers", "digests", "tags", "glossary", "errata", "map", "stats")
"""The pages of the whole collection, in the order of the navigation: each names a module, a template and its words."""
