"""Tournaments: the log that everything goes through, the codes that open tables, and the pages around them."""
