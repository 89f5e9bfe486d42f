"""Which sections of a note are translations of each other, as the user recorded it."""
