"""Languages as data: their tags, texts in them, and a catalogue file for each with the words of the pages."""
