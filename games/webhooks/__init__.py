"""Webhooks: an address of a player's own that is told when something is asked of them. It is never told a card."""
