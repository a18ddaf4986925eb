"""Notices as mail: text first, the same as simple HTML; one mail for each event, or one for a whole day.

Each has a signed token by which such mail can be stopped without logging in (RFC 8058).
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
    """Whose mail it is, about which game (`topic`; empty where about several), and which kinds of notices stood in it.

    Letters of former days do not say their kinds: theirs are empty.
    """

    player: Player
    topic: str
    kinds: tuple[Kind, ...]


def token_for(player: Player, topic: str, kinds: Iterable[Kind] = ()) -> str:
    """A token for a mail to `player` about `topic`. It does not expire: old mails must be able to stop new ones."""
    named = sorted({str(kind) for kind in kinds})
    return signing.dumps([player.public_id, topic, *([named] if named else [])], salt=_SALT)


def read_token(token: str) -> Subscription | None:
    """What a token names; None for one that was not made here, or whose player is gone."""
    if len(token) > _LONGEST:
        return None
    try:
        public_id, topic, *kinds = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    named = tuple(Kind(kind) for kind in (kinds[0] if kinds else ()) if kind in Kind)
    return Subscription(player.current, str(topic)[:TOPIC_LENGTH], named) if player is not None else None


def stop_all(player: Player, *, stopped: bool = True) -> None:
    """No notices by mail any more (or again, with `stopped=False`). What waits to be sent is dropped when its turn comes."""
    Preference.objects.update_or_create(player=player, defaults={"mail_off": stopped})


def stop_game(player: Player, topic: str, *, stopped: bool = True) -> None:
    """No mail about one game any more, or again as in all games."""
    mail = TurnMail.NOTHING if stopped else ""
    GamePreference.objects.update_or_create(player=player, topic=topic, defaults={"mail": mail})


def stop_kinds(player: Player, kinds: Collection[Kind], *, stopped: bool = True) -> None:
    """No mail of these kinds any more; or again, as who never chose gets it.

    Who wants no letter at each turn is still reminded when time runs short, until they stop that, too.
    """
    wanted: dict[str, str] = {f"{row_of(kind)}_mail": Wish.NEVER for kind in kinds}
    if "turn_mail" in wanted:
        wanted["turn_mail"] = TurnMail.NOTHING if Kind.DEADLINE in kinds else TurnMail.DEADLINE
    if not stopped:
        usual = Preference()
        wanted = {name: getattr(usual, name) for name in wanted}
        # Letters of clubs come to nobody who has not asked; taking the stop back is asking.
        wanted |= {name: Wish.DIGEST for name, wish in wanted.items() if wish == Wish.NEVER}
    Preference.objects.update_or_create(player=player, defaults=wanted)


def stopped_rows(general: Preference) -> list[str]:
    """The kinds of notices that usually come by mail and do not, in the order of the preferences."""
    never, usual = (TurnMail.NOTHING, Wish.NEVER), Preference()
    rows = [row for row in ROWS if getattr(usual, f"{row}_mail") not in never]
    return [row for row in rows if general.mail_off or getattr(general, f"{row}_mail") in never]


def is_stopped(general: Preference, kinds: Iterable[Kind]) -> bool:
    """Whether no letter comes of any of these kinds."""
    wanted = [wishes(kind, general, GamePreference()).mail for kind in kinds]
    return bool(wanted) and all(wish is Wish.NEVER for wish in wanted)


_SUBJECT_LENGTH: Final = 180


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


def reader_of(address: str) -> Player | None:
    """The member who reads mail at this address, as `address_of` tells it; None for an address of nobody here."""
    wanted = address.strip().lower()
    found = EmailAddress.objects.filter(email__iexact=wanted, verified=True, user__is_active=True)
    users = User.objects.filter(pk__in=found.values("user"))
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        users = User.objects.filter(email=wanted, is_active=True)
    return Player.objects.filter(user__in=users, retired_at__isnull=True).first()


_ADDRESS_SALT: Final = "notices.address"


def digest_of(address: str) -> str:
    """What stands for an address where the address itself is not kept: without the key of the site nobody can try addresses out."""
    return salted_hmac(_ADDRESS_SALT, address.strip().lower(), algorithm="sha256").hexdigest()


def stop_link(address: str) -> str:
    """The link in a letter to somebody without an account by which they never get one again. It does not expire."""
    token = signing.dumps(digest_of(address), salt=_ADDRESS_SALT)
    return settings.SITE_URL + reverse("notices:no-letters", args=[token])


def read_stop_token(token: str) -> str | None:
    """The digest of the address that a link names; None for one that was not made here."""
    try:
        return str(signing.loads(token, salt=_ADDRESS_SALT)) if len(token) <= _LONGEST else None
    except signing.BadSignature:
        return None


def stop_address(digest: str, *, stopped: bool = True) -> None:
    """No letters to this address any more; or again."""
    if stopped:
        StoppedAddress.objects.get_or_create(digest=digest)
    else:
        StoppedAddress.objects.filter(digest=digest).delete()


def is_stopped_address(digest: str) -> bool:
    return StoppedAddress.objects.filter(digest=digest).exists()


def message_id(name: str) -> str:
    """The Message-ID of the letter `name`: always the same, so that a second copy can be told from a second letter."""
    return f"<{name}.{salted_hmac('notices.message_id', name).hexdigest()[:16]}@{own_host()}>"


@dataclass(frozen=True)
class Item:
    """One event in a letter."""

    words: Words
    kind: Kind
    topic: str

    @cached_property
    def more(self) -> Sequence[str]:
        """The sentences for letters, in the language that is active when they are asked for first."""
        return self.words.more() if self.words.more is not None else ()

    @property
    def link(self) -> str:
        return settings.SITE_URL + self.words.url


def letter(name: str, player: Player, to: str, item: Item, written_at: datetime | None) -> EmailMultiAlternatives:
    """One event as a letter, in the language that is active. `name` makes its Message-ID; its date is now, or `written_at`."""
    topic, words = item.topic, item.words
    made = _letter(name, player, to, [item], words.subject, "notice", {"item": item}, written_at)
    # Mail programs show all letters about one game as one conversation.
    if topic.isalnum():
        made.extra_headers["References"] = message_id(f"about-{topic}")
    return made


def digest(
    name: str, player: Player, to: str, new: Sequence[Item], old: Sequence[Item], written_at: datetime | None
) -> EmailMultiAlternatives:
    """Several events as one letter, most urgent first; `old` were told before and still wait."""
    subject = new[0].words.subject
    if len(new) == 1 and not old:
        return letter(name, player, to, new[0], written_at)
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
    made = EmailMultiAlternatives(
        " ".join(subject.split())[:_SUBJECT_LENGTH],
        text.strip() + "\n",
        to=[formataddr((player.name, to)) if player.name.isascii() else to],
        headers={
            "Message-ID": message_id(name),
            "Date": format_datetime(written_at or timezone.now()),  # it says how a game stands: not before that was so
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"<notices.{own_host()}>",
            "Auto-Submitted": "auto-generated",
        },
    )
    made.attach_alternative(html, "text/html")
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
