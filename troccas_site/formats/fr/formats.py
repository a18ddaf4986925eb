"""Swiss differences from Django's French: 1’234.5 instead of 1 234,5."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "’"
NUMBER_GROUPING = 3
