from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """What a finished hand's decisions cost, judged by the site's computer players."""

    name = "games.analysis"

    def ready(self) -> None:
        from games import hooks
        from games.analysis import tasks

        hooks.due.register(tasks.do_due)
