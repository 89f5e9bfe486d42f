"""Charts and maps that pages draw."""
