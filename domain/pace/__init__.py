"""Time at the table, as pure arithmetic: what was agreed, whose days count, when a deadline falls. No Django, no clock.

Every moment is an aware `datetime`; nothing here asks what time it is. See docs/pace.md.
"""

from domain.pace.clock import Clock, Proposal, SeatClock, State
from domain.pace.counting import Calendar, calendar_of, deadline, spent
from domain.pace.terms import (
    CANTONS,
    BadTerms,
    Kind,
    Level,
    Out,
    Rhythm,
    Tally,
    Terms,
    easter,
    holidays,
    level_of,
    reliability,
)

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
    "spent",
]
