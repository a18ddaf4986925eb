from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Tables that wait for players, until they begin as a game."""

    name = "games.lobby"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.lobby.notifications import TABLES
        from games.lobby.privacy import WAITING, subject
        from games.lobby.selectors.drawn import among_friends
        from games.lobby.tasks import send_letters
        from notices import delivery, registry

        accounts_registry.belongings.register(WAITING)
        delivery.couriers.register(send_letters)
        hooks.among_friends.register(among_friends)
        registry.finders.register(subject)
        registry.speakers["table"] = TABLES
