"""Verify that everything derived from the logs of games, tournaments and the encyclopedia agrees with them."""

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
"""Games that have been played during this time are verified every night; each of the others once in `SHARES` nights."""
SHARES: Final = 30
REST: Final = 0.15
"""Seconds between two locks by night. A process that waits for SQLite's one lock asks for it every tenth of a second.
If verifying took it again at once, nobody else would get it until everything is verified, and actions and mails would
fail."""
TRIES: Final = 5
"""How often verifying a log is tried while the database is away."""
_alone: Final = threading.Lock()
"""Held while this process verifies by night: two runs at once would leave no rest between their locks."""
_NIGHT: Final = range(2, 5)
_NAMED: Final = 50
"""How many differences an alarm names."""


def differences(games: QuerySet[Game] | None = None, *, rest: float = 0) -> Iterator[str]:
    """Everything that differs from its log, in words for the operator. Nothing is changed.

    Verifies all games (or only `games`), all tournaments and the whole encyclopedia. Takes the lock of one game or
    tournament at a time, while its log is read, and then sleeps for `rest` seconds.
    """
    selected = Game.objects.all() if games is None else games
    numbers = selected.annotate(entries=Count("actions"), last=Max("actions__number"))
    for public_id in numbers.exclude(entries=F("number"), last=F("number")).values_list("public_id", flat=True):
        yield f"game {public_id}: numbers of the log"
    for pk, public_id in selected.order_by("pk").values_list("pk", "public_id"):
        yield from (f"game {public_id}: {what}" for what in _dry_run(rebuilding.rebuild, pk))
        time.sleep(rest)
    rows = Tournament.objects.order_by("pk").annotate(entries=Count("events"), last=Max("events__number"))
    for row in rows:
        if row.entries != row.number or (row.last or 0) != row.number:
            yield f"tournament {row.public_id}: numbers of the log"
        yield from (f"tournament {row.public_id}: {what}" for what in _dry_run(log.rebuild, row.pk))
        time.sleep(rest)
    yield from (f"encyclopedia: {what}" for what in encyclopedia.differences(rest=rest))


def _dry_run(rebuild: Callable[[int], list[str]], pk: int, tries: int = TRIES) -> list[str]:
    """What rebuilding would change; it is rolled back. A log that cannot be read is a difference too.

    An error because the database is away says nothing about the log, so then it is tried again.
    """
    try:
        with transaction.atomic():
            changes = rebuild(pk)
            transaction.set_rollback(True)
    except Exception as broken:
        logger.exception("a log cannot be read")
        if database_is_away(broken) and tries > 1:
            time.sleep(RETRY_AFTER)
            return _dry_run(rebuild, pk, tries - 1)
        return [f"cannot be read ({type(broken).__name__})"]
    return changes


def verify_tonight(now: datetime) -> list[str]:
    """Verify the games of the last days and tonight's share of the others; return the differences.

    The run is noted in `last_runs`, and an alarm is raised if there are any differences.
    """
    night = now.toordinal() % SHARES
    share = Game.objects.annotate(share=Mod("pk", SHARES)).filter(Q(acted_at__gt=now - RECENT) | Q(share=night))
    problems = list(differences(share, rest=REST))
    last_runs.note(last_runs.VERIFY, timezone.now(), problems=len(problems))
    if problems:
        text = "\n".join([*problems[:_NAMED], "See docs/running.md, “Verify”."])
        alarm("What follows from the logs is not right", text)
    return problems


def nightly(now: datetime) -> None:
    """Verify by night in a separate thread, so that games go on meanwhile; only once, however many workers call this.

    Does nothing while this process is still verifying since an earlier night.
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
