"""Templates, styles, scripts and fonts of the pages."""
