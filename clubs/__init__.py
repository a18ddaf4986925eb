"""Clubs and their evenings: who sits where (`seating`), and who stands where (`standings`).

A club apart from its evenings: members and roles, joining, house rules, calendar, news, seasons.
"""
