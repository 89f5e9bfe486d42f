"""Facts about papers from databases and files, as Drafts. The network is passed in."""
