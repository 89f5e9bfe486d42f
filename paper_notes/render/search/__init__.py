"""What the home page searches in, and how it folds characters."""
