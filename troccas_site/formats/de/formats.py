"""Differences from Django's German: 1’234.5 as in Switzerland instead of 1.234,5, and a comma before the time."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "’"
NUMBER_GROUPING = 3
DATETIME_FORMAT = "j. F Y, H:i"
