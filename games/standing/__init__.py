"""What players say ahead, so that a game needs fewer visits: forced cards, plans for the next card, the talk of a deal.

All of it is carried out as ordinary actions through the door; it is known to its owner alone.
"""

from games.standing.keeping import (
    decided,
    is_scheduled,
    may_act,
    plan_of,
    said,
    schedule,
    set_plan,
    set_talk,
    talk_of,
    why_ended,
)
from games.standing.plans import CHOICES, LONGEST, Line, NoPlan, Plan, chosen, read_plan
from games.standing.talk import NoTalk, Talk, read_talk

__all__ = [
    "CHOICES", "LONGEST", "Line", "NoPlan", "NoTalk", "Plan", "Talk", "chosen", "decided", "is_scheduled", "may_act", "plan_of", "read_plan", "read_talk", "said",
    "schedule", "set_plan", "set_talk", "talk_of", "why_ended",
]  # fmt: skip
