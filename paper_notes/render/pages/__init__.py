"""The pages of the site: one module and one template per page."""
