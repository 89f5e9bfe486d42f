"""Gives back text whose UTF-8 was read as another encoding and saved, with some of its bytes lost."""
