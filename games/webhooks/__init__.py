"""Webhooks: an address of a player that is called when something is asked of them. A call never contains a card."""
