"""What a player wants to be told, on which channel and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils.translation import get_language

from accounts.models import Player
from notices.kinds import Kind, TurnMail, TurnPush, Wish
from notices.models import GamePreference, Preference


@dataclass(frozen=True, slots=True)
class Wishes:
    """For one kind of event: when by mail, when by message to a device (never a digest)."""

    mail: Wish
    push: Wish


_TURN_MAIL: Final = {
    TurnMail.EACH: (Wish.NOW, Wish.NOW),
    TurnMail.DIGEST: (Wish.DIGEST, Wish.NOW),
    TurnMail.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnMail.NOTHING: (Wish.NEVER, Wish.NEVER),
}
"""Of each way: at a turn, when time runs short."""
_TURN_PUSH: Final = {
    TurnPush.EACH: (Wish.NOW, Wish.NOW),
    TurnPush.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnPush.NOTHING: (Wish.NEVER, Wish.NEVER),
}


def of(player: Player) -> Preference:
    """The player's preferences, asked for once for each `player` object; the defaults, unsaved, for who never chose."""
    try:
        return player.notice_preference
    except Preference.DoesNotExist:
        return Preference(player=player)


def of_game(player: Player, topic: str) -> GamePreference:
    """What the player wants otherwise in one game; empty and unsaved if nothing."""
    found = GamePreference.objects.filter(player=player, topic=topic).first() if topic else None
    return found or GamePreference(player=player, topic=topic)


def wishes(kind: Kind, general: Preference, game: GamePreference) -> Wishes:
    """When somebody with these preferences wants to be told of something of `kind` in this game.

    What was chosen for the game goes before what was chosen in general; "not at all" there silences everything about it.
    """
    if kind is Kind.TEST:
        mail, push = Wish.NOW, Wish.NOW
    elif kind in (Kind.TURN, Kind.DEADLINE):
        at = 0 if kind is Kind.TURN else 1
        mail = _TURN_MAIL[TurnMail(game.mail or general.turn_mail)][at]
        push = _TURN_PUSH[TurnPush(game.push or general.turn_push)][at]
    else:
        row = kind if kind in (Kind.GAME, Kind.TABLE, Kind.TALK) else Kind.OTHER
        mail = Wish(getattr(general, f"{row}_mail"))
        push = Wish.NOW if getattr(general, f"{row}_push") else Wish.NEVER
        if game.mail == TurnMail.NOTHING:
            mail = Wish.NEVER
        if game.push == TurnPush.NOTHING:
            push = Wish.NEVER
    return Wishes(Wish.NEVER if general.mail_off else mail, push)


def zone_of(player: Player) -> ZoneInfo:
    """The player's time zone, the site's if they have none or one that is not known here."""
    try:
        return ZoneInfo(player.time_zone or settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(settings.TIME_ZONE)


def language_of(player: Player, general: Preference | None = None) -> str:
    """The language to write to the player in: chosen in their account, else last used, else the site's."""
    chosen = player.language or (general or of(player)).language
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def note_language(player: Player) -> None:
    """Remember the language of this request as the one the player reads; writes only when it has changed."""
    language = get_language() or settings.LANGUAGE_CODE
    general = of(player)
    if general.language == language or language not in dict(settings.LANGUAGES):
        return
    if general._state.adding:
        kept, _made = Preference.objects.get_or_create(player=player, defaults={"language": language})
        player.notice_preference = kept
    else:
        Preference.objects.filter(pk=general.pk).update(language=language)
        general.language = language
