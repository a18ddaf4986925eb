"""A player's own games: what waits for them, what is over, what happened since they were here, and their calendar."""
