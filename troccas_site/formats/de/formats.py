"""Differences from Django's German: 1’234.5 as in Switzerland instead of 1.234,5, a comma before the time, and short
dates without a nought (2.10.2026), as paper has them."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "’"
NUMBER_GROUPING = 3
DATETIME_FORMAT = "j. F Y, H:i"
SHORT_DATE_FORMAT = "j.n.Y"
SHORT_DATETIME_FORMAT = "j.n.Y H:i"
