"""A player's own games: open and finished ones, what happened since their last visit, and their calendar."""
