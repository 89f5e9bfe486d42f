"""Collections that exist: notes made by hand or by other tools, read so that no word of them is lost."""
