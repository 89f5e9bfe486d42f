"""What the commands that only ask find out: lists of notes, figures of PDFs, records of translations."""
