"""Who is shown: everybody decides for themselves, and can take it back at any time. And what is kept about them."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import names
from accounts import permissions as account_permissions
from accounts.models import Player, new_public_id
from ratings.models import PairRating, PlayerRating, RatedPerson


def consent_of(player: Player | None) -> RatedPerson | None:
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
        raise ValidationError(
            _("Somebody else has that name, or nearly that name. Please choose another."), code="taken"
        )
    return name


def show_player(player: Player, pseudonym: str = "") -> RatedPerson:
    """Show the player's ratings from the next computation on, under a `checked` pseudonym or the name.

    Raises ValidationError for somebody without an account, and Suspended for a new pseudonym of somebody who may not write.
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


class Rated:
    """Whether somebody wants to be shown, and the ratings that follow. What they played belongs to tournaments and games."""

    def merge(self, guest: Player, member: Player) -> None:
        """A guest is never shown, so nothing moves; what they played counts for the member with the next computation."""

    def release(self, player: Player) -> bool:
        """Somebody who leaves is no longer shown, and their ratings are deleted. What others played with them stays in the logs."""
        hide(player)
        return False

    def export(self, player: Player) -> Mapping[str, object]:
        """What was chosen, and all ratings that are stored: alone, and with partners who are shown too."""
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


RATED = Rated()
