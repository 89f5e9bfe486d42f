"""Cards to remember, from what notes ask and define."""
