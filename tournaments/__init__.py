"""Tournaments: the door through which everything happens, the codes that open tables, and the pages around them."""
