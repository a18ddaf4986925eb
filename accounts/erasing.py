"""How an account goes: everything personal is deleted, and what others need stays under a number."""

from __future__ import annotations

from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts import protocols, tokens
from accounts.claims import PREFERENCES
from accounts.models import Absence, Block, Grant, Player, Profile, Report, User, WakingHours
from accounts.suspension_models import Suspension
from accounts.token_models import PersonalToken

_TRIES: Final = 3


def erase(user: User) -> None:
    """Delete `user` and everything personal about their player; the games of others stay whole.

    One transaction that holds the player's row. Seats of unfinished games are given up or handed on by the apps that own
    them (`protocols`); the player becomes a "former player" with a number, known to nobody. What the person reported stays
    without their name and words, what was reported about them goes. All their sessions end, on every device.
    """
    sessions = _erased(user)
    store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    for key in sessions:
        # A session holds the address by which somebody signed in.
        store().delete(key)


def _erased(user: User, tries: int = _TRIES) -> list[str]:
    """Do it in one transaction, and return the keys of the sessions that were open.

    Games and tournaments are locked room by room, and who works in a tournament locks its games after it: where the two
    meet, the database stops one of them, which changed nothing and begins again.
    """
    try:
        with transaction.atomic():
            player = Player.objects.select_for_update(no_key=True).filter(user=user).first()
            sessions = list(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
            if player is not None:
                for belongings in protocols.registered():
                    belongings.release(player)
                _forget(player)
            User.objects.filter(pk=user.pk).delete()
        return sessions
    except OperationalError:
        if tries <= 1:
            raise
        return _erased(user, tries - 1)


def _forget(player: Player) -> None:
    """Leave of the player's row, and of the guests they were, only a number and the moment they came and went."""
    selves = [player.pk, *player.merged.values_list("pk", flat=True)]
    for model in (Profile, WakingHours, Absence, Grant, PersonalToken, Suspension):
        model.objects.filter(player__in=selves).delete()
    Block.objects.filter(Q(player__in=selves) | Q(blocked__in=selves)).delete()
    Report.objects.filter(about__in=selves).delete()
    Report.objects.filter(by__in=selves).update(by=None, text="")
    Report.objects.filter(settled_by__in=selves).update(settled_by=None)
    tokens.revoke_all(player)
    blank = Player()
    untouched = {name: getattr(blank, name) for name in ("name", "name_key", *PREFERENCES)}
    now = timezone.now()
    Player.objects.filter(pk__in=selves).update(**untouched, last_seen_at=now)
    Player.objects.filter(pk=player.pk).update(user=None, was_member=True, retired_at=now)
