"""Caching and parallel work, used by every stage."""
