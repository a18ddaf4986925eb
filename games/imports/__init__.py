"""Records that somebody brought along, to look at: read, kept, seen, told to `accounts`, and their pages."""
