"""Records of games that players import to look at: reading, storing and showing them, and their data for `accounts`."""
