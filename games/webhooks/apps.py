from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Telling addresses of players that something is asked of them."""

    name = "games.webhooks"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.webhooks.notifications import WEBHOOKS
        from games.webhooks.privacy import BELONGINGS
        from games.webhooks.services import note
        from games.webhooks.tasks import call_due
        from notices import delivery, outbox, registry

        accounts_registry.belongings.register(BELONGINGS)
        accounts_registry.ways_in.register(BELONGINGS.release)
        outbox.tellers.register(note)
        delivery.couriers.register(call_due)
        registry.speakers["webhooks"] = WEBHOOKS
