"""What is known of papers: from databases and files to the files of a new note, and kept complete."""
