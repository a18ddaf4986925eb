"""Who is shown: everybody decides for themselves, and can take it back at any time."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import names, suspending
from accounts.models import Player, new_public_id
from clubs.rating_models import PlayerRating, RatedPerson


def of(player: Player | None) -> RatedPerson | None:
    """The player's choice, if they want to be shown."""
    return RatedPerson.objects.filter(player=player.current).first() if player is not None else None


def checked(player: Player, pseudonym: str) -> str:
    """The pseudonym as it may be stored; empty: the name is shown.

    Raises ValidationError, in the reader's language, for what is no name, and for what looks like another's.
    """
    if not pseudonym.strip():
        return ""
    name = names.clean_name(pseudonym)
    key = names.key_of(name)
    players = Player.objects.filter(name_key=key, retired_at__isnull=True, merged_into__isnull=True)
    if (
        players.exclude(pk=player.pk).exists()
        or RatedPerson.objects.filter(pseudonym_key=key).exclude(player=player).exists()
    ):
        raise ValidationError(_("Somebody else is called so, or nearly so: please choose another."), code="taken")
    return name


def show(player: Player, pseudonym: str = "") -> RatedPerson:
    """Show the player's ratings from the next computation on, under a `checked` pseudonym or the name.

    Raises ValidationError for somebody without an account, and Suspended for a new pseudonym of somebody who may not write.
    """
    if not player.is_member:
        raise ValidationError(_("Only who has an account can be shown in the ratings."), code="guest")
    with transaction.atomic():
        row = RatedPerson.objects.select_for_update().filter(player=player).first()
        if row is not None and row.pseudonym == pseudonym:
            return row
        if pseudonym:
            suspending.check(player)
        row = row or RatedPerson(player=player)
        row.pseudonym, row.pseudonym_key = pseudonym, names.key_of(pseudonym)
        # Under a pseudonym the address must not tell who it is, nor an old address the new pseudonym.
        row.public_id = new_public_id() if pseudonym else player.public_id
        row.changed_at = timezone.now()
        row.save()
    return row


def hide(player: Player) -> bool:
    """Show nothing of the player any more, at once, and delete the ratings that are stored; whether there was anything."""
    with transaction.atomic():
        row = RatedPerson.objects.select_for_update().filter(player=player).first()
        if row is None:
            return False
        mine = PlayerRating.objects.filter(person=row).values("pool")
        for rating in PlayerRating.objects.filter(pool__in=mine).exclude(person=row):
            always = rating.inseparable
            if row.pk in always.get("people", ()):
                rest = [key for key in always["people"] if key != row.pk]
                rating.inseparable = {"people": rest, "others": always["others"] + 1}
                rating.save(update_fields=["inseparable"])
        row.delete()
    return True
