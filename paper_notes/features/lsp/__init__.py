"""`lsp`: editors show what is wrong, complete, and lead to what is meant."""
