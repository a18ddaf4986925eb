"""The export of everything that is stored about a person, for that person.

And the deletion of an account: everything personal is deleted, and what others need is kept under a number.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.core.serializers.json import DjangoJSONEncoder
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts import availability, registry, sessions
from accounts.models import Absence, Block, Grant, PersonalToken, Player, Profile, Report, Suspension, User, WakingHours
from accounts.services import PREFERENCES

FORMAT: Final = "troccas-person"
VERSION: Final = 1
LARGE: Final = 1024 * 1024
"""The size in bytes from which the file is compressed."""


def export_of(player: Player) -> dict[str, object]:
    """Everything that is stored about `player`, as plain data: first that of this app, then that of each other app.

    Secrets with which others could sign in (passwords, keys, codes) are left out; so are reports by others about the
    player, which are for the moderators.
    """
    data: dict[str, object] = {"format": FORMAT, "version": VERSION, "made_at": timezone.now(), **_own(player)}
    for belongings in registry.belongings:
        app = belongings.__name__.partition(".")[0]
        part = data.setdefault(app, {})
        assert isinstance(part, dict)
        part.update(belongings.export(player))
    return data


def as_file(export: Mapping[str, object]) -> tuple[str, str, bytes]:
    """The export as a file: its name, its type, its bytes. JSON, compressed as ZIP if it is large."""
    text = json.dumps(export, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()
    if len(text) < LARGE:
        return "troccas.json", "application/json", text
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("troccas.json", text)
    return "troccas.zip", "application/zip", packed.getvalue()


def _own(player: Player) -> dict[str, object]:
    profile = Profile.objects.filter(player=player).values(
        "languages", "village", "canton", "text", "shows", "audience"
    )
    return {
        "player": {
            "name": player.name,
            "number": player.number,
            "program_since": player.program_since,
            "public_id": player.public_id,
            "created_at": player.created_at,
            "last_seen_at": player.last_seen_at,
            "guided_done_at": player.guided_done_at,
            "guests": list(player.merged.values_list("public_id", flat=True)),
        },
        "account": _account(player.user) if player.user else None,
        "roles": list(Grant.objects.filter(player=player).values("role", "language", "given_at")),
        "profile": profile.first(),
        "preferences": {name: getattr(player, name) for name in PREFERENCES if name != "guided_done_at"},
        "waking_hours": [list(span) if span else None for span in availability.availability_of(player).waking],
        "absences": list(Absence.objects.filter(player=player).values("first_day", "last_day", "automatic")),
        "blocked": [
            {"public_id": block.blocked.public_id, "name": block.blocked.display_name, "since": block.created_at}
            for block in Block.objects.filter(player=player).select_related("blocked__merged_into")
        ],
        "programs": list(
            PersonalToken.objects.filter(player=player).values(
                "name", "scopes", "by_hand", "created_at", "expires_at", "last_used_at", "revoked_at"
            )
        ),
        "suspensions": list(
            Suspension.objects.filter(player=player).order_by("at").values("at", "until", "reason", "lifted_at")
        ),
        "reports_made": [
            {"about": report.about.public_id, "reason": report.reason, "text": report.text, "context": report.context}
            | {"created_at": report.created_at}
            for report in Report.objects.filter(by=player).select_related("about")
        ],
    }


def _account(user: User) -> dict[str, Any]:
    return {
        "email": user.email,
        "joined_at": user.date_joined,
        "last_login_at": user.last_login,
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": [
            {"type": each.type, "name": str(each), "created_at": each.created_at, "last_used_at": each.last_used_at}
            for each in Authenticator.objects.filter(user=user)
        ],
        "sessions": list(
            UserSession.objects.filter(user=user).values("created_at", "last_seen_at", "ip", "user_agent")
        ),
    }


_TRIES: Final = 3


def erase(user: User) -> None:
    """Delete `user` and everything personal about their player. The games of others stay complete.

    One transaction that locks the player's row. Seats in unfinished games are given up or handed on by the apps that
    own them (`accounts.registry`). The player becomes a "former player" with a number. Reports by the person are kept
    without their name and words; reports about them are deleted. All their sessions end, on every device.
    """
    sessions = _erase_in_database(user)
    store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    for key in sessions:
        # A session contains the address with which somebody signed in.
        store().delete(key)


def _erase_in_database(user: User, tries: int = _TRIES) -> list[str]:
    """Erase everything in one transaction, and return the keys of the sessions that were open.

    Games and tournaments are locked app by app, but work in a tournament locks its games after the tournament. If the
    two meet, the database aborts one of them; it has changed nothing and is tried again.
    """
    try:
        with transaction.atomic():
            player = Player.objects.select_for_update(no_key=True).filter(user=user).first()
            sessions = list(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
            if player is not None:
                for belongings in registry.belongings:
                    belongings.release(player)
                _forget(player)
            User.objects.filter(pk=user.pk).delete()
        return sessions
    except OperationalError:
        if tries <= 1:
            raise
        return _erase_in_database(user, tries - 1)


def _forget(player: Player) -> None:
    """Reduce the player's row, and those of the guests they were, to a number and the times of coming and going."""
    rows = [player.pk, *player.merged.values_list("pk", flat=True)]
    for model in (Profile, WakingHours, Absence, Grant, PersonalToken, Suspension):
        model.objects.filter(player__in=rows).delete()
    Block.objects.filter(Q(player__in=rows) | Q(blocked__in=rows)).delete()
    Report.objects.filter(about__in=rows).delete()
    Report.objects.filter(by__in=rows).update(by=None, text="")
    Report.objects.filter(settled_by__in=rows).update(settled_by=None)
    sessions.revoke_guest_tokens(player)
    blank = Player()
    defaults = {name: getattr(blank, name) for name in ("name", "name_key", *PREFERENCES)}
    now = timezone.now()
    Player.objects.filter(pk__in=rows).update(**defaults, last_seen_at=now)
    Player.objects.filter(pk=player.pk).update(user=None, was_member=True, retired_at=now)
