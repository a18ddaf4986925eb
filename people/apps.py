from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Contacts between people: following, finding somebody by name, and writing to each other."""

    name = "people"

    def ready(self) -> None:
        from django.utils.translation import gettext_lazy

        from accounts import registry as accounts_registry
        from notices import registry
        from people import moderation, notifications, privacy, services
        from people.forms import PreferenceForm

        accounts_registry.belongings.register(privacy)
        accounts_registry.blocked.register(services.end_follows_between)
        accounts_registry.suspended.register(services.tell_suspended)
        accounts_registry.taken_down.register(services.tell_taken_down)
        accounts_registry.sections.register(
            accounts_registry.Section("people", gettext_lazy("Other people"), PreferenceForm)
        )
        accounts_registry.evidence[moderation.SUBJECT] = moderation.evidence
        accounts_registry.answers[moderation.SUBJECT] = moderation.tell_answer
        registry.subject_finders.register(notifications.find_subject)
        registry.wordings["people"] = notifications
