"""Commands of the encyclopedia."""
