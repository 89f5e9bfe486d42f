"""Files derived from corpus and pages: READMEs, bibliographies, feeds, site map."""
