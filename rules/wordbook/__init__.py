"""The content of the pages about words: lists, single concepts, the phrase book, the same word elsewhere."""
