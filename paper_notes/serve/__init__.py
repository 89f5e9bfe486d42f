"""The site in a browser while it is being written: watch, rebuild, tell the open pages."""
