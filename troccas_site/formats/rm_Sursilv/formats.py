"""Sursilvan dates and numbers, as Switzerland writes them: 21.11.2026, 1’234’567.5.

Months are written as numbers: Django has no Romansh names for them, and would use the English ones.
"""

DATE_FORMAT = "j.n.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j.n.Y, H:i"
YEAR_MONTH_FORMAT = "n.Y"
MONTH_DAY_FORMAT = "j.n."
SHORT_DATE_FORMAT = "j.n.Y"
SHORT_DATETIME_FORMAT = "j.n.Y H:i"
FIRST_DAY_OF_WEEK = 1
DATE_INPUT_FORMATS = ["%d.%m.%Y", "%d.%m.%y", "%d-%m-%Y", "%Y-%m-%d"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
DATETIME_INPUT_FORMATS = ["%d.%m.%Y %H:%M", "%d-%m-%Y %H:%M", "%Y-%m-%d %H:%M"]
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "’"
NUMBER_GROUPING = 3
