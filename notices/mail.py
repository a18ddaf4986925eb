"""Notices as mail: text first, the same as simple HTML; one mail for each event, or one for a whole day.

Each has a signed token by which such mail can be stopped without logging in (RFC 8058).
"""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, formataddr
from typing import Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from accounts.models import Player
from notices.leases import Never, NotNow, Unreachable
from notices.models import TOPIC_LENGTH, Delivery, GamePreference, Preference
from notices.registry import TurnMail, Words

_SALT: Final = "notices.unsubscribe"
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Subscription:
    """Whose mail it is and about which game; `topic` is empty for a daily mail."""

    player: Player
    topic: str


def token_for(player: Player, topic: str) -> str:
    """A token for a mail to `player` about `topic`. It does not expire: old mails must be able to stop new ones."""
    return signing.dumps([player.public_id, topic], salt=_SALT)


def read_token(token: str) -> Subscription | None:
    """What a token names; None for one that was not made here, or whose player is gone."""
    if len(token) > _LONGEST:
        return None
    try:
        public_id, topic = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    return Subscription(player.current, str(topic)[:TOPIC_LENGTH]) if player is not None else None


def stop_all(player: Player, *, stopped: bool = True) -> None:
    """No notices by mail any more (or again, with `stopped=False`). What waits to be sent is dropped when its turn comes."""
    Preference.objects.update_or_create(player=player, defaults={"mail_off": stopped})


def stop_game(player: Player, topic: str) -> None:
    with transaction.atomic():
        GamePreference.objects.update_or_create(player=player, topic=topic, defaults={"mail": TurnMail.NOTHING})
        Delivery.objects.filter(
            player=player,
            outbox__topic=topic,
            channel__in=(Delivery.Channel.MAIL, Delivery.Channel.DIGEST),
            state=Delivery.State.WAITING,
            lease_until__isnull=True,
        ).update(state=Delivery.State.DROPPED, reason="not wanted")


_SUBJECT_LENGTH: Final = 180


def host() -> str:
    """The name of this site in Message-IDs and list names."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def address_of(player: Player) -> str:
    """Where the player reads mail; empty if nowhere.

    Once there is a mail server, only an address that was confirmed counts: else anybody could have strangers written to.
    """
    if player.user is None or not player.user.is_active:
        return ""
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        return player.user.email
    confirmed = EmailAddress.objects.filter(user=player.user, verified=True).order_by("-primary").first()
    return confirmed.email if confirmed else ""


def message_id(name: str) -> str:
    """The Message-ID of the letter `name`: always the same, so that a second copy can be told from a second letter."""
    return f"<{name}.{salted_hmac('notices.message_id', name).hexdigest()[:16]}@{host()}>"


def letter(name: str, player: Player, to: str, topic: str, words: Words, sent_at: datetime) -> EmailMultiAlternatives:
    """One event as a letter, in the language that is active. `name` makes its Message-ID."""
    context = {"words": words, "link": settings.SITE_URL + words.url}
    made = _letter(name, player, to, topic, words.subject, "notice", context, sent_at)
    # Mail programs show all letters about one game as one conversation.
    if topic.isalnum():
        made.extra_headers["References"] = message_id(f"about-{topic}")
    return made


def digest(
    name: str, player: Player, to: str, new: Sequence[Words], old: Sequence[Words], sent_at: datetime
) -> EmailMultiAlternatives:
    """A day's events as one letter, most urgent first; `old` were told before and still wait."""
    subject = new[0].subject
    if len(new) > 1:
        several = ngettext(
            "%(number)d thing since yesterday: %(first)s", "%(number)d things since yesterday: %(first)s", len(new)
        )
        subject = several % {"number": len(new), "first": subject}
    linked = [[(words, settings.SITE_URL + words.url) for words in part] for part in (new, old)]
    context: dict[str, object] = {"new": linked[0], "old": linked[1]}
    return _letter(name, player, to, "", subject, "digest", context, sent_at)


def _letter(
    name: str,
    player: Player,
    to: str,
    topic: str,
    subject: str,
    template: str,
    context: dict[str, object],
    sent_at: datetime,
) -> EmailMultiAlternatives:
    stop = settings.SITE_URL + reverse("notices:unsubscribe", args=[token_for(player, topic)])
    context |= {
        "stop": stop,
        "preferences": settings.SITE_URL + reverse("notices:preferences"),
        "name": player.name,
        "site": host(),
    }
    made = EmailMultiAlternatives(
        " ".join(subject.split())[:_SUBJECT_LENGTH],
        render_to_string(f"notices/mail/{template}.txt", context).strip() + "\n",
        to=[formataddr((player.name, to)) if player.name.isascii() else to],
        headers={
            "Message-ID": message_id(name),
            "Date": format_datetime(sent_at),
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"<notices.{host()}>",
            "Auto-Submitted": "auto-generated",
        },
    )
    made.attach_alternative(render_to_string(f"notices/mail/{template}.html", context), "text/html")
    return made


def send(made: EmailMultiAlternatives, connection: BaseEmailBackend) -> None:
    """Hand a letter to the mail server. Returns once the server has taken responsibility for it.

    Raises Never if the server refuses this letter or its reader for good, NotNow if for now, Unreachable if it does not
    answer or refuses us.
    """
    made.connection = connection
    try:
        connection.open()  # once for all letters; sending alone would open a connection for each
        made.send()
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
