"""Who is shown in the ratings, which everybody decides for themselves and can change at any time.

Also, for `accounts`, this choice and the player's ratings. Their results belong to tournaments and games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import names
from accounts import permissions as account_permissions
from accounts.models import Player, new_public_id
from notices import outbox
from ratings.models import PairRating, PlayerRating, RatedPerson

TAKEN_DOWN: Final = "ratings.taken-down"


def consent_of(player: Player | None) -> RatedPerson | None:
    """The row by which the player is shown; None if they do not want to be."""
    return RatedPerson.objects.filter(player=player.current).first() if player is not None else None


def clean_pseudonym(player: Player, pseudonym: str) -> str:
    """The pseudonym in the form to store; "" if the name is to be shown.

    Raises ValidationError, in the reader's language, if it is not a valid name or looks like somebody else's.
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
        raise ValidationError(
            _("Somebody else has that name, or nearly that name. Please choose another."), code="taken"
        )
    return name


def show_player(player: Player, pseudonym: str = "") -> RatedPerson:
    """Show the player's ratings from the next computation on, under a `clean_pseudonym` pseudonym or, without one, their name.

    Raises ValidationError for players without an account, and Suspended for a new pseudonym of a player who may not
    write.
    """
    if not player.is_member:
        raise ValidationError(_("Only people with an account can be shown in the ratings."), code="guest")
    with transaction.atomic():
        row = RatedPerson.objects.select_for_update().filter(player=player).first()
        if row is not None and row.pseudonym == pseudonym:
            return row
        if pseudonym:
            account_permissions.check_not_suspended(player)
        row = row or RatedPerson(player=player)
        row.pseudonym, row.pseudonym_key = pseudonym, names.key_of(pseudonym)
        # The address must not give away who is behind a pseudonym, and an old address must not lead to a new pseudonym.
        row.public_id = new_public_id() if pseudonym else player.public_id
        row.changed_at = timezone.now()
        row.save()
    return row


def hide(player: Player) -> bool:
    """Stop showing the player and delete the stored ratings. Returns whether the player was shown."""
    with transaction.atomic():
        person = RatedPerson.objects.select_for_update().filter(player=player).first()
        if person is None:
            return False
        _forget_as_partner(person)
        person.delete()
    return True


def take_down(person: RatedPerson) -> None:
    """Stop showing somebody because of their pseudonym, and tell them."""
    with transaction.atomic():
        if hide(person.player):
            outbox.put(TAKEN_DOWN, person.player, {"pseudonym": person.pseudonym})


def _forget_as_partner(person: RatedPerson) -> None:
    """In the ratings of others, count the person among the inseparable partners who are not shown."""
    pools = PlayerRating.objects.filter(person=person).values("pool")
    for rating in PlayerRating.objects.filter(pool__in=pools).exclude(person=person):
        partners = rating.inseparable
        if person.pk in partners.get("people", ()):
            still_shown = [key for key in partners["people"] if key != person.pk]
            rating.inseparable = {"people": still_shown, "others": partners["others"] + 1}
            rating.save(update_fields=["inseparable"])


def merge(guest: Player, member: Player) -> None:
    """Move nothing: guests are never shown. Their results count for the member from the next computation on."""


def release(player: Player) -> bool:
    """Hide a player who leaves and delete their ratings. What others played with them stays in the logs."""
    hide(player)
    return False


def export(player: Player) -> Mapping[str, object]:
    """The player's choice and all their stored ratings: alone, and with partners who are shown too."""
    row = consent_of(player)
    if row is None:
        return {"ratings": {"shown": False}}
    ratings = PlayerRating.objects.filter(person=row).select_related("pool").order_by("pool__ruleset")
    pairs = PairRating.objects.filter(one=row) | PairRating.objects.filter(other=row)
    return {
        "ratings": {
            "shown": True,
            "since": row.since,
            "pseudonym": row.pseudonym,
            "public_id": row.public_id,
            "games": [
                {
                    "ruleset": each.pool.ruleset,
                    "points_per_deal": each.mean,
                    "variance": each.variance,
                    "deals": each.deals,
                    "provisional": each.provisional,
                    "computed_at": each.pool.computed_at,
                }
                for each in ratings
            ],
            "pairs": [
                {
                    "ruleset": each.pool.ruleset,
                    "with": (each.other if each.one_id == row.pk else each.one).public_id,
                    "points_per_deal": each.mean,
                    "variance": each.variance,
                    "deals": each.deals,
                }
                for each in pairs.select_related("pool", "one", "other").order_by("pool__ruleset", "pk")
            ],
        }
    }
