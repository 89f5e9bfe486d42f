"""Artifacts against what is on disk: the plan, and the only writer."""
