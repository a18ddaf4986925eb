"""Monitoring for the operator: `/readyz` says whether the site can do its work, `/metrics` what it counts and measures.

And alarms: an error in the log, and a mail if ALARM_EMAIL is set."""

from __future__ import annotations

import hmac
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from accounts import reports
from core import last_runs, limits
from core.models import LastRun
from games.models import Game
from notices.models import Delivery, Outbox

logger = logging.getLogger(__name__)

WORKER_SILENT: Final = timedelta(minutes=2)
"""After how long a worker that does not report counts as gone: one round of its work may take long."""
ROOM: Final = 200 * 1024 * 1024
"""How many bytes must be free on the disk with the data."""
_CHECK_EVERY: Final = 2.0
"""Seconds between two rounds of checks, since they write. More frequent requests get the last result."""


class NotReady(Exception):
    """Something that the site needs is missing."""


def check_database() -> None:
    """Raise an error if the database cannot be written."""
    last_runs.note("readyz", timezone.now())


def check_redis() -> None:
    """Raise an error if Redis is configured but does not store values."""
    if not settings.REDIS_URL:
        return
    cache.set("readyz", 1, 10)
    if cache.get("readyz") != 1:
        raise NotReady("what was kept is gone")


def check_worker() -> None:
    """Raise NotReady if no worker has reported for two minutes."""
    row = LastRun.objects.filter(name=last_runs.WORKER).first()
    if row is None or abs(timezone.now() - row.at) > WORKER_SILENT:
        raise NotReady("no worker says that it works")


def check_migrations() -> None:
    """Raise NotReady while there are migrations to apply. Once there are none, there will be none in this process."""
    global _migrated
    if _migrated:
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReady("migrations have not been applied: run `manage.py prepare`")
    _migrated = True


def check_disk() -> None:
    """Raise NotReady if less than 200 MB are free."""
    if shutil.disk_usage(settings.DATA_DIR).free < ROOM:
        raise NotReady("less than 200 MB are free")


_migrated = False
CHECKS: Final[dict[str, Callable[[], None]]] = {
    "database": check_database,
    "redis": check_redis,
    "worker": check_worker,
    "migrations": check_migrations,
    "disk": check_disk,
}
_lock = threading.Lock()
_last: tuple[float, dict[str, str]] = (float("-inf"), {})


def readiness() -> dict[str, str]:
    """The result of each check, `ok` or `failed`; the log says why. They run at most every two seconds."""
    global _last
    with _lock:
        if time.monotonic() - _last[0] > _CHECK_EVERY:
            _last = (time.monotonic(), {name: _checked(name, check) for name, check in CHECKS.items()})
        return _last[1]


def _checked(name: str, check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:
        logger.warning("not ready: %s: %s", name, error if isinstance(error, NotReady) else type(error).__name__)
        return "failed"
    return "ok"


class Ages(Collector):
    """Metrics that are computed on request: how late the work is that is due, and when recurring tasks were last done.

    Metrics that cannot be read are left out.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Five small queries."""
        now = timezone.now()
        try:
            yield _gauge("troccas_oldest_due_seconds", "How long the oldest thing that is due has waited.", "what", {
                "computer": _late(Game.objects.filter(due_at__lte=now).aggregate(at=Min("due_at")), now),
                "deadline": _late(Game.objects.filter(deadline_at__lte=now).aggregate(at=Min("deadline_at")), now),
                "notice": _late(
                    Outbox.objects.filter(done_at=None, due_at__lte=now).aggregate(at=Min("due_at")), now
                ),
                "letter": _late(
                    Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=now).aggregate(at=Min("due_at")),
                    now,
                ),
            })  # fmt: skip
            runs = [row for row in LastRun.objects.all() if row.name != "readyz"]
        except DatabaseError:
            return
        since = {row.name: (now - row.at).total_seconds() for row in runs}
        yield _gauge("troccas_last_run_seconds", "How long ago it was last done.", "what", since)
        problems = {row.name: float(row.problems) for row in runs}
        yield _gauge("troccas_last_run_problems", "How many problems it found.", "what", problems)
        free = float(shutil.disk_usage(settings.DATA_DIR).free)
        yield _gauge("troccas_disk_free_bytes", "Room where the data lie.", "of", {"data": free})

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing, so that registering does not read the database."""
        return iter(())


def _late(earliest: dict[str, Any], now: datetime) -> float:
    return (now - earliest["at"]).total_seconds() if earliest["at"] is not None else 0.0


def _gauge(name: str, about: str, label: str, values: dict[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


_ages = CollectorRegistry()
_ages.register(Ages())


def answer(request: HttpRequest) -> HttpResponse | None:
    """The response to a probe or a collector; None for any other request, or `/metrics` without METRICS_TOKEN."""
    if request.path_info == "/readyz":
        results = readiness()
        status = 200 if set(results.values()) == {"ok"} else 503
        return JsonResponse(results, status=status, headers={"Cache-Control": "no-store"})
    if request.path_info == "/metrics" and _may_measure(request):
        return HttpResponse(generate_latest(REGISTRY) + generate_latest(_ages), content_type=CONTENT_TYPE_LATEST)
    return None


def _may_measure(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").encode()
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode())


def look_for_reports(_now: datetime) -> None:
    """Alarm the operator if reports wait that no moderator may settle."""
    waiting = reports.unattended()
    if waiting:
        alarm(
            "Reports wait that no moderator may settle",
            f"{waiting} {'report waits' if waiting == 1 else 'reports wait'}: there is no moderator, or only the one whom "
            "they are about. `manage.py grant EMAIL moderator` makes somebody a moderator.",
        )


_DAY: Final = 86400


def alarm(subject: str, text: str) -> None:
    """Log a problem and mail it to the operator; mails with the same subject are sent at most once a day.

    A mail that could not be sent does not count. `text` must not contain anything about a person or a card. Never raises, so that whatever found the problem can go
    on.
    """
    logger.error("%s: %s", subject, text)
    bucket = f"alarm: {subject}"
    try:
        if limits.take(bucket, rate=1, per=_DAY):
            try:
                mail_admins(subject, text)
            except Exception:
                limits.refill(bucket)
                raise
    except Exception:
        logger.exception("the alarm could not be sent")
