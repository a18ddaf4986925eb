"""The room of games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class GamesConfig(AppConfig):
    """Games as they are stored, played and seen."""

    name = "games"

    def ready(self) -> None:
        """Tell the lower rooms what they must know of this one."""
        from accounts import protocols
        from games import boards, work
        from games.belongings import SEATS
        from games.chat import moderating
        from games.chat.belongings import WRITTEN
        from games.chat.telling import TALK
        from games.daily import closing, reminding
        from games.daily.belongings import PLAYED
        from games.imported.belongings import IMPORTED
        from games.lobby import belongings as lobby
        from games.mine.belongings import REMEMBERED
        from games.standing.belongings import SAID_AHEAD
        from games.statistics.belongings import COUNTED
        from games.statistics.privacy import AudienceForm
        from games.tellers import GAMES, TABLES, ring_list, subject
        from games.watching.belongings import WATCHED
        from notices import outbox, subjects, telling

        protocols.register(SEATS)
        protocols.register(lobby.WAITING)
        protocols.register(REMEMBERED)
        protocols.register(SAID_AHEAD)
        protocols.register(WRITTEN)
        protocols.register(WATCHED)
        protocols.register_evidence(moderating.SUBJECT, moderating.evidence)
        boards.register_knowing(moderating.may_have_read)
        protocols.register(IMPORTED)
        protocols.register(COUNTED)
        protocols.register(PLAYED)
        protocols.register_section(protocols.Section("statistics", gettext_lazy("Statistics"), AudienceForm))
        outbox.register(ring_list)
        telling.register("game", GAMES)
        telling.register("table", TABLES)
        telling.register("talk", TALK)
        subjects.register(subject)
        telling.register("daily", reminding.DAILY)
        subjects.register(lobby.subject)
        subjects.register(reminding.subject)
        work.register_due(closing.do_due)
        work.register_due(reminding.do_due)
