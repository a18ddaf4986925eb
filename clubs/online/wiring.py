"""What online rounds tell the rooms below, once the site begins. Called from `AppConfig.ready`."""

from __future__ import annotations

from accounts import protocols
from clubs.online import belongings, due, substituting, tellers
from clubs.online.following import FOLLOWING
from clubs.tournaments import listening
from games import sitting, work
from notices import subjects, telling


def connect() -> None:
    """Register with the door of tournaments, the worker, the seats of games, notices and accounts."""
    protocols.register(belongings.INVITED)
    listening.register(FOLLOWING)
    sitting.register(substituting.check_may_sit)
    work.register_due(due.do_due)
    telling.register("tournament", tellers.ONLINE)
    subjects.register(tellers.subject)
