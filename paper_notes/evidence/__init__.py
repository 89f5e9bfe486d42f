"""Where papers say what notes say of them: numbers, quotations and facts, looked for without a model or a network."""
