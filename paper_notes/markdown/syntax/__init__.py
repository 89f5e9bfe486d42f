"""Our additions to CommonMark: block and inline syntax."""
