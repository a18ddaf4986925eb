"""Putting a plan into effect: every concept through the door, in the name of the editor who sends the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction
from django.utils.functional import Promise

from accounts.models import Player
from rules import door
from rules.documents import BadDocument
from rules.exchange.planning import Outcome, Plan, Step
from rules.models import Entry, Revision
from rules.refused import Refused, TooFast, Unchanged


@dataclass(slots=True)
class Applied:
    """What was done. `refused` says why of each concept that the door did not let in; `left` were not tried any more."""

    done: list[Revision] = field(default_factory=list)
    refused: list[tuple[str, str | Promise]] = field(default_factory=list)
    left: int = 0


def apply(plan: Plan, *, by: Player, comment: str) -> Applied:
    """Publish what is new or changed, each concept in its own transaction; conflicts and what is wrong stay as they are.

    Whoever sends more in an hour than one person may is stopped there; sending the file again later goes on, since what is
    done is not done twice.
    """
    applied = Applied()
    steps = [step for step in plan.steps if step.outcome in (Outcome.NEW, Outcome.CHANGED)]
    # Words that others point to first: broader and related words are checked by the door.
    for number, step in enumerate(steps):
        try:
            applied.done.append(_publish(step, by, comment))
        except TooFast as refusal:
            applied.refused.append((step.key, refusal.message))
            applied.left = len(steps) - number - 1
            break
        except Unchanged:
            continue
        except BadDocument as refusal:
            applied.refused.append((step.key, str(refusal)))
        except Refused as refusal:
            applied.refused.append((step.key, refusal.message))
    return applied


def _publish(step: Step, by: Player, comment: str) -> Revision:
    assert step.document is not None
    with transaction.atomic():
        entry = step.entry or door.new_entry(Entry.Kind.CONCEPT, step.key)
        return door.publish(entry, step.document, by=by, base=step.base, comment=comment)
