"""Papers in the formats of other programs: files to take along, and what pages tell programs."""
