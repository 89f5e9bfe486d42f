"""Our additions to CommonMark, between lines and inside of them."""
