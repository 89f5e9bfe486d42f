"""The commands of pandoc."""
