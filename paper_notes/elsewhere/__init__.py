"""What is read elsewhere than in a browser: cards to remember, and books."""
