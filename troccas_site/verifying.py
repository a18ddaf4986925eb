"""Whether everything that follows from the logs of games, tournaments and the encyclopedia says what these say."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import close_old_connections, transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Mod
from django.utils import timezone

from core import last_runs, limits
from core.http import RETRY_AFTER, database_is_away
from games.models import Game
from games.services import rebuilding
from rules import verifying as encyclopedia
from tournaments.models import Tournament
from tournaments.services import log
from troccas_site.monitoring import alarm

logger = logging.getLogger(__name__)

RECENT: Final = timedelta(days=8)
"""How long games that have moved are looked at each night; of the others each once in `SHARES` nights."""
SHARES: Final = 30
REST: Final = 0.15
"""By night, the seconds between two locks. Whoever waits for the one lock of SQLite asks for it every tenth of a second: taken
again at once, it would be kept from everybody until all is verified, and cards and letters would fail meanwhile."""
TRIES: Final = 5
"""How often a log is tried while the database is away."""
_alone: Final = threading.Lock()
"""Held while this process verifies by night. Two at once would leave no rest between their locks."""
_NIGHT: Final = range(2, 5)
_SAID: Final = 50
"""How many differences an alarm names."""


def differences(games: QuerySet[Game] | None = None, *, rest: float = 0) -> Iterator[str]:
    """What is not as it follows from its log, in words for whoever runs the site; nothing is changed.

    All games, or those asked for; all tournaments; the whole encyclopedia. Takes the lock of one game or tournament at a
    time, for as long as its log is read, and rests for so many seconds after each.
    """
    asked = Game.objects.all() if games is None else games
    numbers = asked.annotate(entries=Count("actions"), last=Max("actions__number"))
    for public_id in numbers.exclude(entries=F("number"), last=F("number")).values_list("public_id", flat=True):
        yield f"game {public_id}: numbers of the log"
    for pk, public_id in asked.order_by("pk").values_list("pk", "public_id"):
        yield from (f"game {public_id}: {what}" for what in _tried(rebuilding.rebuild, pk))
        time.sleep(rest)
    rows = Tournament.objects.order_by("pk").annotate(entries=Count("events"), last=Max("events__number"))
    for row in rows:
        if row.entries != row.number or (row.last or 0) != row.number:
            yield f"tournament {row.public_id}: numbers of the log"
        yield from (f"tournament {row.public_id}: {what}" for what in _tried(log.rebuild, row.pk))
        time.sleep(rest)
    yield from (f"encyclopedia: {what}" for what in encyclopedia.differences(rest=rest))


def _tried(rebuild: Callable[[int], list[str]], pk: int, tries: int = TRIES) -> list[str]:
    """What rebuilding would change, without doing it. A log that cannot be read is a difference too.

    While the database is away it is tried again: that says nothing of the log.
    """
    try:
        with transaction.atomic():
            found = rebuild(pk)
            transaction.set_rollback(True)
    except Exception as broken:
        logger.exception("a log cannot be read")
        if database_is_away(broken) and tries > 1:
            time.sleep(RETRY_AFTER)
            return _tried(rebuild, pk, tries - 1)
        return [f"cannot be read ({type(broken).__name__})"]
    return found


def verify_tonight(now: datetime) -> list[str]:
    """What differs in what moved lately and in tonight's share of the rest; noted, and told where it is anything."""
    night = now.toordinal() % SHARES
    share = Game.objects.annotate(share=Mod("pk", SHARES)).filter(Q(acted_at__gt=now - RECENT) | Q(share=night))
    found = list(differences(share, rest=REST))
    last_runs.note(last_runs.VERIFY, timezone.now(), problems=len(found))
    if found:
        alarm("What follows from the logs is not right", "\n".join([*found[:_SAID], "See docs/running.md, “Verify”."]))
    return found


def nightly(now: datetime) -> None:
    """Verify by night, once whatever number of workers ask, in a thread of its own: games go on meanwhile.

    Left out while this process still verifies as of an earlier night.
    """
    if timezone.localtime(now).hour not in _NIGHT or _alone.locked():
        return
    if not limits.take("verify", rate=1, per=12 * 3600, now=now.timestamp()):
        return
    threading.Thread(target=_verify_alone, args=(now,), name="verify", daemon=True).start()


def _verify_alone(now: datetime) -> None:
    try:
        with _alone:
            verify_tonight(now)
    except Exception as broken:
        logger.exception("verifying failed")
        alarm("Verifying failed", type(broken).__name__)
    finally:
        close_old_connections()
