"""A club apart from its evenings: members and roles, joining, house rules, calendar, news, seasons."""
