"""People: users, players, guests and their preferences. Knows nothing about games; see `registry`."""
