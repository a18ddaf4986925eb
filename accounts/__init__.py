"""People: users, players, guests and what they prefer. Knows nothing of games; see `protocols`."""
