"""Clubs, apart from their tournaments: members and roles, joining, house rules, calendar, news, seasons."""
