"""The data that the home page searches, and the folding of characters."""
