"""What git knows of a folder, asked for so that nothing of a stranger's repository runs."""
