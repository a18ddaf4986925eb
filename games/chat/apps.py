from django.apps import AppConfig


class ChatConfig(AppConfig):
    """What is written beside the game: chats, private notes, moderation."""

    name = "games.chat"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.chat import moderation
        from games.chat.notifications import TALK
        from games.chat.permissions import check_not_banned
        from games.chat.privacy import WRITTEN
        from games.chat.services import hand_over
        from games.services import boards
        from notices import registry
        from people import registry as people_registry

        accounts_registry.belongings.register(WRITTEN)
        hooks.deal_over.register(hand_over)
        accounts_registry.evidence[moderation.SUBJECT] = moderation.evidence
        boards.knowing.register(moderation.may_have_read)
        people_registry.may_write.register(check_not_banned)
        registry.speakers["talk"] = TALK
