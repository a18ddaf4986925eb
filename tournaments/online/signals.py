"""What online rounds tell the rooms below, once the site begins. Called from `AppConfig.ready`."""

from __future__ import annotations

from accounts import registry
from games import hooks
from notices import registry as notices_registry
from tournaments import privacy, signals
from tournaments.online import notifications, substitutes, tasks
from tournaments.online.projections import FOLLOWING


def connect() -> None:
    """Register with tournaments, the worker, the seats of games, notices and accounts."""
    registry.belongings.register(privacy.INVITED)
    signals.listeners.register(FOLLOWING)
    hooks.may_sit.register(substitutes.check_may_sit)
    hooks.due.register(tasks.do_due)
    notices_registry.speakers["tournament"] = notifications.ONLINE
    notices_registry.finders.register(notifications.subject)
