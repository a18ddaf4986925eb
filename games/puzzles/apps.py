from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """What would you play, discard, call, say?"""

    name = "games.puzzles"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.puzzles.privacy import ATTEMPTS
        from games.puzzles.showing import show
        from rules import registry as rules_registry

        accounts_registry.belongings.register(ATTEMPTS)
        rules_registry.puzzles.register(show)
