"""Where papers say what notes say of them: looked for without a model or a network."""
