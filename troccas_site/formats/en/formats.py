"""Dates and times of English pages, as usual in Switzerland: the 24-hour clock, and the day before the month."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
MONTH_DAY_FORMAT = "j F"
SHORT_DATE_FORMAT = "j.n.Y"
SHORT_DATETIME_FORMAT = "j.n.Y H:i"
TIME_FORMAT = "H:i"
