"""Where papers say what notes say of them: looked for without a model or a network."""

NAME = "evidence.tsv"
"""The file beside a note with what `verify` found out."""
