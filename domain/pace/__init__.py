"""Time at the table, as pure arithmetic: the agreed pace, the days that count, the deadlines. No Django, no clock.

Every moment is an aware `datetime`; nothing here reads the current time. See docs/pace.md.
"""

from domain.pace.clock import Clock, SeatClock, State
from domain.pace.counting import Calendar
from domain.pace.terms import CANTONS, Kind, Level, Out, Rhythm, Tally, Terms, level_of, reliability

__all__ = [
    "CANTONS",
    "Calendar",
    "Clock",
    "Kind",
    "Level",
    "Out",
    "Rhythm",
    "SeatClock",
    "State",
    "Tally",
    "Terms",
    "level_of",
    "reliability",
]
