"""What ratings keep about somebody, told to `accounts`."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from clubs.rated import consent
from clubs.rating_models import PairRating, PlayerRating


class Rated:
    """Whether somebody wants to be shown, and the ratings that follow. What they played belongs to tournaments and games."""

    def merge(self, guest: Player, member: Player) -> None:
        """A guest is never shown, so nothing moves; what they played counts for the member with the next computation."""

    def release(self, player: Player) -> bool:
        """Who goes is not shown any more, and the ratings go with them. What others played with them stays in the logs."""
        consent.hide(player)
        return False

    def export(self, player: Player) -> Mapping[str, object]:
        """What was chosen, and all ratings that are stored: alone, and with partners who are shown too."""
        row = consent.of(player)
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
