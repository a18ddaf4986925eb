"""The apps of games and their features; each registers with the apps below when the site starts."""

from __future__ import annotations

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games as they are stored, played and seen."""

    name = "games"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks, privacy
        from games.lessons import services as lessons

        accounts_registry.belongings.register(privacy)
        hooks.waits.register(lessons.waits)


class LobbyConfig(AppConfig):
    """Tables that wait for players, until they begin as a game."""

    name = "games.lobby"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.lobby import notifications, privacy
        from games.lobby.selectors.waiting_table import among_friends
        from games.lobby.tasks import send_letters
        from notices import delivery, registry

        accounts_registry.belongings.register(privacy)
        delivery.senders.register(send_letters)
        hooks.among_friends.register(among_friends)
        registry.subject_finders.register(privacy.find_subject)
        registry.wordings["table"] = notifications


class TableConfig(AppConfig):
    """The page of a table, which combines the game with the features around it."""

    name = "games.table"

    def ready(self) -> None:
        from games.table import notifications
        from notices import outbox, registry

        outbox.receivers.register(notifications.ring_list)
        registry.wordings["game"] = notifications
        registry.subject_finders.register(notifications.find_subject)


class MeetingConfig(AppConfig):
    """Finding people to play with: standing wishes, appointments and alerts."""

    name = "games.meeting"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.lobby.services import common as lobby
        from games.meeting import notifications, privacy
        from games.meeting.services import alerts, appointments, wishes
        from notices import registry

        accounts_registry.belongings.register(privacy)
        hooks.due_tasks.register(wishes.do_due, appointments.do_due)
        hooks.hourly_tasks.register(wishes.match_again, appointments.forget)
        lobby.opened.register(alerts.tell)
        lobby.begun.register(wishes.end_fulfilled_wishes)
        registry.subject_finders.register(notifications.find_subject)
        registry.wordings["meeting"] = notifications


class DailyConfig(AppConfig):
    """One deal a day, the same for everybody."""

    name = "games.daily"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.daily import notifications, privacy, tasks
        from notices import registry

        accounts_registry.belongings.register(privacy)
        registry.wordings["daily"] = notifications
        registry.subject_finders.register(notifications.find_subject)
        hooks.due_tasks.register(tasks.do_due, notifications.do_due)


class ChatConfig(AppConfig):
    """Chats, private notes and moderation."""

    name = "games.chat"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.chat import moderation, notifications, privacy
        from games.chat.permissions import check_not_banned
        from games.chat.services import hand_over
        from games.services import boards
        from notices import registry
        from people import registry as people_registry

        accounts_registry.belongings.register(privacy)
        hooks.deal_over.register(hand_over)
        accounts_registry.evidence[moderation.SUBJECT] = moderation.evidence
        accounts_registry.answers[moderation.SUBJECT] = moderation.tell_answer
        boards.knowing.register(moderation.may_have_read)
        people_registry.may_write.register(check_not_banned)
        registry.wordings["talk"] = notifications


class WatchingConfig(AppConfig):
    """Who may watch a table, and how many do."""

    name = "games.watching"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.watching import privacy
        from games.watching.computers import forget

        accounts_registry.belongings.register(privacy)
        hooks.hourly_tasks.register(forget)


class StatisticsConfig(AppConfig):
    """Statistics of the hands that a player has played."""

    name = "games.statistics"

    def ready(self) -> None:
        from django.utils.translation import gettext_lazy

        from accounts import registry as accounts_registry
        from games.statistics import privacy, text
        from games.statistics.forms import AudienceForm

        accounts_registry.belongings.register(privacy)
        accounts_registry.facts.register(text.facts)
        accounts_registry.sections.register(
            accounts_registry.Section("statistics", gettext_lazy("Statistics"), AudienceForm)
        )


class AnalysisConfig(AppConfig):
    """The cost of the decisions in a finished hand, judged by the site's computer players."""

    name = "games.analysis"

    def ready(self) -> None:
        from games import hooks
        from games.analysis import tasks

        hooks.due_tasks.register(tasks.do_due)


class PlansConfig(AppConfig):
    """Plans: what players have decided about their coming actions."""

    name = "games.plans"
    label = "conditional"  # the name of its tables in existing databases

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.plans import privacy, services

        accounts_registry.belongings.register(privacy)
        hooks.ahead.register(services)


class PuzzlesConfig(AppConfig):
    """Puzzles: what would you play, discard, call or say?"""

    name = "games.puzzles"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.puzzles import privacy
        from games.puzzles.views import show
        from rules import registry as rules_registry

        accounts_registry.belongings.register(privacy)
        rules_registry.puzzles.register(show)


class WebhooksConfig(AppConfig):
    """Webhooks: calling URLs of players when it is their turn."""

    name = "games.webhooks"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.webhooks import notifications, privacy
        from games.webhooks.services import note
        from games.webhooks.tasks import call_due
        from notices import delivery, outbox, registry

        accounts_registry.belongings.register(privacy)
        accounts_registry.ways_in.register(privacy.release)
        outbox.receivers.register(note)
        delivery.senders.register(call_due)
        registry.wordings["webhooks"] = notifications


class ImportsConfig(AppConfig):
    """Records of games that players have uploaded to look at."""

    name = "games.imports"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.imports import privacy
        from games.imports.services import forget

        accounts_registry.belongings.register(privacy)
        hooks.hourly_tasks.register(forget)


class MyGamesConfig(AppConfig):
    """The games of one player: what waits for them, and what is over."""

    name = "games.mygames"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.mygames import calendar, privacy

        accounts_registry.belongings.register(privacy)
        accounts_registry.ways_in.register(calendar.switch_off)
