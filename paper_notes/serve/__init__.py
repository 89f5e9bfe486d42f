"""Live preview of the site: watch the sources, rebuild, notify the open pages."""
