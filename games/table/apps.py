from django.apps import AppConfig


class TableConfig(AppConfig):
    """The page of a table: it composes the game and the features around it."""

    name = "games.table"

    def ready(self) -> None:
        from games.table.notifications import GAMES, ring_list, subject
        from notices import outbox, registry

        outbox.tellers.register(ring_list)
        registry.speakers["game"] = GAMES
        registry.finders.register(subject)
