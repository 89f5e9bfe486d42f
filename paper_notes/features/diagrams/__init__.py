"""Diagrams: code fences that optional tools draw, and the colours of figures."""
