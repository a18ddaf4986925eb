from django.apps import AppConfig


class MeetingConfig(AppConfig):
    """Finding people to play with: standing wishes, appointments, alerts."""

    name = "games.meeting"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.lobby.services import common as lobby
        from games.meeting import tasks
        from games.meeting.notifications import MEETING, subject
        from games.meeting.privacy import BELONGINGS
        from games.meeting.services import alerts, appointments, wishes
        from notices import registry

        accounts_registry.belongings.register(BELONGINGS)
        hooks.due.register(wishes.do_due, appointments.do_due)
        hooks.chores.register(tasks.look_again)
        lobby.opened.register(alerts.tell)
        lobby.begun.register(wishes.fulfil)
        registry.finders.register(subject)
        registry.speakers["meeting"] = MEETING
