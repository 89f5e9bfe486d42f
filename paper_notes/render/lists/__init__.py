"""Pages made of the whole collection: one module and one template for each."""
