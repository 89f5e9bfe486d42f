"""Remembering and parallel work: what every stage uses and no stage is about."""
