"""TeX to MathML Core."""
