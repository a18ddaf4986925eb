"""Notices as mails: plain text, and the same as simple HTML; one mail for each event, or one for several.

Each contains a signed token with which such mails can be stopped without logging in (RFC 8058).
"""

from __future__ import annotations

import smtplib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, formataddr
from functools import cached_property
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from accounts.models import Player, User
from core.http import own_host
from notices.leases import Never, NotNow, Unreachable
from notices.models import TOPIC_LENGTH, GamePreference, Preference, StoppedAddress
from notices.preferences import ROWS, row_of, wishes
from notices.registry import Kind, TurnMail, Wish, Words

_SALT: Final = "notices.unsubscribe"
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Subscription:
    """The reader of a mail, its game (`topic`; empty for several), and the kinds of notices in it.

    The tokens of old mails do not contain the kinds; for them `kinds` is empty.
    """

    player: Player
    topic: str
    kinds: tuple[Kind, ...]


def token_for(player: Player, topic: str, kinds: Iterable[Kind] = ()) -> str:
    """A token for a mail to `player` about `topic`. It does not expire: old mails must be able to stop new ones."""
    named = sorted({str(kind) for kind in kinds})
    return signing.dumps([player.public_id, topic, *([named] if named else [])], salt=_SALT)


def read_token(token: str) -> Subscription | None:
    """The contents of a token; None if it was not made here or its player is gone."""
    if len(token) > _LONGEST:
        return None
    try:
        public_id, topic, *kinds = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    if player is None:
        return None
    named = tuple(Kind(kind) for kind in (kinds[0] if kinds else ()) if kind in Kind)
    return Subscription(player.current, str(topic)[:TOPIC_LENGTH], named)


def stop_all(player: Player, *, stopped: bool = True) -> None:
    """Stop all notices by mail, or with `stopped=False` allow them again.

    Waiting mails are dropped when they are due.
    """
    Preference.objects.update_or_create(player=player, defaults={"mail_off": stopped})


def stop_game(player: Player, topic: str, *, stopped: bool = True) -> None:
    """Stop mails about one game, or with `stopped=False` send them as for all games."""
    mail = TurnMail.NOTHING if stopped else ""
    GamePreference.objects.update_or_create(player=player, topic=topic, defaults={"mail": mail})


def stop_kinds(player: Player, kinds: Collection[Kind], *, stopped: bool = True) -> None:
    """Stop mails of these kinds, or with `stopped=False` send them again by default preferences.

    Players who stop mails about their turns are still reminded when time runs short, until they stop that too.
    """
    values: dict[str, str] = {f"{row_of(kind)}_mail": Wish.NEVER for kind in kinds}
    if "turn_mail" in values:
        values["turn_mail"] = TurnMail.NOTHING if Kind.DEADLINE in kinds else TurnMail.DEADLINE
    if not stopped:
        defaults = Preference()
        values = {name: getattr(defaults, name) for name in values}
        # By default nobody gets the letters of their clubs. Taking the stop back is a request for them.
        values |= {name: Wish.DIGEST for name, wish in values.items() if wish == Wish.NEVER}
    Preference.objects.update_or_create(player=player, defaults=values)


def stopped_rows(general: Preference) -> list[str]:
    """The rows of the preferences that are mailed by default, but not to this player; in the order of the page."""
    never, defaults = (TurnMail.NOTHING, Wish.NEVER), Preference()
    rows = [row for row in ROWS if getattr(defaults, f"{row}_mail") not in never]
    return [row for row in rows if general.mail_off or getattr(general, f"{row}_mail") in never]


def is_stopped(general: Preference, kinds: Iterable[Kind]) -> bool:
    """Whether none of these kinds is mailed."""
    by_mail = [wishes(kind, general, GamePreference()).mail for kind in kinds]
    return bool(by_mail) and all(wish is Wish.NEVER for wish in by_mail)


_SUBJECT_LENGTH: Final = 180


def address_of(player: Player) -> str:
    """The player's mail address; empty if there is none.

    With a mail server, only a confirmed address counts: otherwise anybody could make the site write to strangers.
    """
    if player.user is None or not player.user.is_active:
        return ""
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        return player.user.email
    confirmed = EmailAddress.objects.filter(user=player.user, verified=True).order_by("-primary").first()
    return confirmed.email if confirmed else ""


def reader_of(address: str) -> Player | None:
    """The member with this mail address, in the sense of `address_of`; None if nobody here has it."""
    email = address.strip().lower()
    confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
    users = User.objects.filter(pk__in=confirmed.values("user"))
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        users = User.objects.filter(email=email, is_active=True)
    return Player.objects.filter(user__in=users, retired_at__isnull=True).first()


_ADDRESS_SALT: Final = "notices.address"


def digest_of(address: str) -> str:
    """A keyed hash of an address that must not be stored: without the site's key nobody can guess addresses."""
    return salted_hmac(_ADDRESS_SALT, address.strip().lower(), algorithm="sha256").hexdigest()


def stop_link(address: str) -> str:
    """The link in a mail to somebody without an account with which they never get one again. It does not expire."""
    token = signing.dumps(digest_of(address), salt=_ADDRESS_SALT)
    return settings.SITE_URL + reverse("notices:no-letters", args=[token])


def read_stop_token(token: str) -> str | None:
    """The digest of the address in the token of a link; None if it was not made here."""
    try:
        return str(signing.loads(token, salt=_ADDRESS_SALT)) if len(token) <= _LONGEST else None
    except signing.BadSignature:
        return None


def stop_address(digest: str, *, stopped: bool = True) -> None:
    """Stop mails to the address with this digest, or with `stopped=False` allow them again."""
    if stopped:
        StoppedAddress.objects.get_or_create(digest=digest)
    else:
        StoppedAddress.objects.filter(digest=digest).delete()


def is_stopped_address(digest: str) -> bool:
    return StoppedAddress.objects.filter(digest=digest).exists()


def message_id(name: str) -> str:
    """The Message-ID of the mail `name`: always the same, so that a second copy can be told from a second mail."""
    return f"<{name}.{salted_hmac('notices.message_id', name).hexdigest()[:16]}@{own_host()}>"


@dataclass(frozen=True)
class Item:
    """One event in a mail."""

    words: Words
    kind: Kind
    topic: str

    @cached_property
    def more(self) -> Sequence[str]:
        """The additional sentences for mails, in the language that is active on first access."""
        return self.words.more() if self.words.more is not None else ()

    @property
    def link(self) -> str:
        return settings.SITE_URL + self.words.url


def mail_for(name: str, player: Player, to: str, item: Item, written_at: datetime | None) -> EmailMultiAlternatives:
    """One event as a mail, in the active language.

    The Message-ID comes from `name`; the date is `written_at`, by default now.
    """
    topic, words = item.topic, item.words
    message = _letter(name, player, to, [item], words.subject, "notice", {"item": item}, written_at)
    # Mail programs show all mails about one game as one conversation.
    if topic.isalnum():
        message.extra_headers["References"] = message_id(f"about-{topic}")
    return message


def digest(
    name: str, player: Player, to: str, new: Sequence[Item], old: Sequence[Item], written_at: datetime | None
) -> EmailMultiAlternatives:
    """Several events as one mail, the most urgent first.

    `old` are those that an earlier digest has told and that still hold.
    """
    subject = new[0].words.subject
    if len(new) == 1 and not old:
        return mail_for(name, player, to, new[0], written_at)
    if len(new) > 1:
        more = ngettext("%(first)s – and %(number)d more", "%(first)s – and %(number)d more", len(new) - 1)
        subject = more % {"number": len(new) - 1, "first": subject}
    return _letter(name, player, to, [*new, *old], subject, "digest", {"new": new, "old": old}, written_at)


def _letter(
    name: str,
    player: Player,
    to: str,
    items: Sequence[Item],
    subject: str,
    template: str,
    context: dict[str, object],
    written_at: datetime | None,
) -> EmailMultiAlternatives:
    topics = {item.topic for item in items}
    token = token_for(player, topics.pop() if len(topics) == 1 else "", [item.kind for item in items])
    stop = settings.SITE_URL + reverse("notices:unsubscribe", args=[token])
    context |= {
        "stop": stop,
        "preferences": settings.SITE_URL + reverse("notices:preferences"),
        "name": player.name,
        "site": own_host(),
    }
    text, html = (render_to_string(f"notices/mail/{template}.{kind}", context) for kind in ("txt", "html"))
    message = EmailMultiAlternatives(
        " ".join(subject.split())[:_SUBJECT_LENGTH],
        text.strip() + "\n",
        to=[formataddr((player.name, to)) if player.name.isascii() else to],
        headers={
            "Message-ID": message_id(name),
            "Date": format_datetime(written_at or timezone.now()),  # not earlier than the state of the game it reports
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"<notices.{own_host()}>",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(html, "text/html")
    return message


def send(message: EmailMultiAlternatives, connection: BaseEmailBackend) -> None:
    """Hand a mail to the mail server. Returns once the server has taken responsibility for it.

    Raises Never if the server refuses this mail or its recipient for good, NotNow if only for now, Unreachable if it
    does not answer or refuses us.
    """
    message.connection = connection
    try:
        connection.open()  # once for all mails; `send` would open a connection for each
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        code = next((code for code, _text in error.recipients.values()), 0)
        raise _refused(code, "the address was refused") from None
    except (smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
        if error.smtp_code == 421:
            raise Unreachable("the mail server closes") from None
        raise _refused(error.smtp_code, "the letter was refused") from None
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable(f"no mail server ({type(error).__name__})") from None


def _refused(code: int, what: str) -> Never | NotNow:
    reason = f"{what} ({code})"
    return Never(reason) if 500 <= code < 600 else NotNow(reason)
