"""All that is kept about a person, put together for that person."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts import protocols, rhythms
from accounts.models import Absence, Block, Grant, Player, Profile, Report, User
from accounts.suspension_models import Suspension
from accounts.token_models import PersonalToken

FORMAT: Final = "troccas-person"
VERSION: Final = 1
LARGE: Final = 1024 * 1024
"""From so many bytes on the file is packed."""

PREFERENCES: Final = (
    "hand_order", "one_tap", "confirm_plays", "bot_pause", "plays_forced", "next_game", "language", "time_zone",
)  # fmt: skip


def export_of(player: Player) -> dict[str, object]:
    """What is kept about `player`, as plain data: their own room first, then each app under its name.

    Secrets by which others could sign in (passwords, keys, codes) are left out, and what others said about the player:
    reports are for the moderators.
    """
    whole: dict[str, object] = {"format": FORMAT, "version": VERSION, "made_at": timezone.now(), **_own(player)}
    for belongings in protocols.registered():
        app = type(belongings).__module__.partition(".")[0]
        part = whole.setdefault(app, {})
        assert isinstance(part, dict)
        part.update(belongings.export(player))
    return whole


def as_file(export: Mapping[str, object]) -> tuple[str, str, bytes]:
    """The export as a file: its name, its type, its bytes. JSON, packed in a ZIP where it is large."""
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
            "public_id": player.public_id,
            "created_at": player.created_at,
            "last_seen_at": player.last_seen_at,
            "guests": list(player.merged.values_list("public_id", flat=True)),
        },
        "account": _account(player.user) if player.user else None,
        "roles": list(Grant.objects.filter(player=player).values("role", "language", "given_at")),
        "profile": profile.first(),
        "preferences": {name: getattr(player, name) for name in PREFERENCES},
        "waking_hours": [list(span) if span else None for span in rhythms.of(player).waking],
        "absences": list(Absence.objects.filter(player=player).values("first_day", "last_day", "automatic")),
        "blocked": [
            {"public_id": block.blocked.public_id, "name": block.blocked.display_name, "since": block.created_at}
            for block in Block.objects.filter(player=player).select_related("blocked__merged_into")
        ],
        "programs": list(
            PersonalToken.objects.filter(player=player).values(
                "name", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"
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
