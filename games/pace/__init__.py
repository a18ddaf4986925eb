"""Time at the table, as pure arithmetic: what was agreed, whose days count, when a deadline falls. No Django, no clock.

Every moment is an aware `datetime`; nothing here asks what time it is. See docs/pace.md.
"""

from games.pace.clock import Clock, Proposal, SeatClock, State
from games.pace.counting import Calendar, calendar_of, deadline, remaining, reminders, spent
from games.pace.holidays import CANTONS, easter, holidays
from games.pace.reliability import Level, Tally, level_of, reliability
from games.pace.terms import BadTerms, Kind, Out, Rhythm, Terms

__all__ = [
    "CANTONS",
    "BadTerms",
    "Calendar",
    "Clock",
    "Kind",
    "Level",
    "Out",
    "Proposal",
    "Rhythm",
    "SeatClock",
    "State",
    "Tally",
    "Terms",
    "calendar_of",
    "deadline",
    "easter",
    "holidays",
    "level_of",
    "reliability",
    "remaining",
    "reminders",
    "spent",
]
