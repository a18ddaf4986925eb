"""Swiss differences from Django's Italian: 1’234.5 instead of 1.234,5.

Dates are in figures, since Django begins Italian months with a capital.
"""

DATE_FORMAT = "j.n.Y"
DATETIME_FORMAT = "j.n.Y, H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "’"
NUMBER_GROUPING = 3
