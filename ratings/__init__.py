"""Ratings of people: what counts (`sources`), computing (`services`), who is shown (`privacy`), pages.

The arithmetic is `domain.rating`, which knows nobody; docs/ratings.md explains both.
"""
