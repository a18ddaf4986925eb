"""What the pages of words show: lists, one word with all it is called, the phrase book, the same word elsewhere."""
