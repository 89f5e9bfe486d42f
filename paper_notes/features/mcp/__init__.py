"""The collection for assistants: a server of the Model Context Protocol that reads, and never writes."""
