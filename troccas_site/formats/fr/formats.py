"""Differences from Django's French: narrow spaces between thousands (1 234,5), and a comma before the time."""

THOUSAND_SEPARATOR = "\u202f"
DATETIME_FORMAT = "j F Y, H:i"
