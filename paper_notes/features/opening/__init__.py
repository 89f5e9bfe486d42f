"""Opens pages of the site in a browser, and notes in an editor."""
