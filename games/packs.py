"""Making the pack of a deal: from its secret, the players' entropy, and the cards of the previous hand."""

from __future__ import annotations

from django.db.models import QuerySet

from core.prepared_queries import prepared
from domain.engine import shuffle
from domain.engine.cards import CODES, card_of, codes
from domain.engine.hand import Hand
from domain.engine.match import Draw, draw_partners
from domain.engine.ruleset import Ruleset
from domain.engine.view import unshuffled
from games.models import Deal, Game


def sealed_deal(table: str, ordinal: int, origin: Deal.Origin = Deal.Origin.SHUFFLED) -> Deal:
    """A new deal of a table, with a random secret and its commitment, but without a pack. Not saved."""
    secret = shuffle.new_secret()
    promise = shuffle.commitment(secret, table=table, hand=ordinal)
    return Deal(origin=origin, table=table, ordinal=ordinal, secret=secret, commitment=promise)


def make_pack(deal: Deal, rules: Ruleset, hand: Hand) -> None:
    """Make the pack of `hand`, shuffled or gathered for the one-round deal, and put it into `deal` and into the
    engine."""
    if deal.pack is None:
        seed = seed_of(deal, rules)
        if unshuffled(hand) and hand.gathered is not None:
            groups = hand.gathered.groups(hand.sides[hand.demander], hand.after(hand.dealer), hand.arranged)
            pack = shuffle.gathered(groups, seed)
            deal.origin = Deal.Origin.ARRANGED
            deal.pack = " ".join(CODES[card] for card in pack)
        else:
            deal.pack = " ".join(pack_of(deal, rules))
        deal.save(update_fields=["origin", "pack"])
    hand.lay([card_of(code) for code in deal.pack.split()])


def pack_of(deal: Deal, rules: Ruleset) -> tuple[str, ...]:
    """The codes of a shuffled pack, top first, made from the deal's secret and the added entropy."""
    return shuffle.shuffled(_canonical(rules), seed_of(deal, rules))


def drawn_partners(deal: Deal, rules: Ruleset) -> Draw:
    """The draw for partners, from the same seed as the first deal, with a label of its own."""
    return draw_partners([card_of(code) for code in _draw_order(deal, rules)])


def proof_of_draw(deal: Deal, rules: Ruleset) -> dict[str, object]:
    """The proof of the draw for partners. It may be shown once the first deal is over, whose secret it shares."""
    return {"pack": " ".join(_draw_order(deal, rules)), "proof": _proof(deal, rules, shuffle.DRAW, []).to_json()}


def _draw_order(deal: Deal, rules: Ruleset) -> tuple[str, ...]:
    return shuffle.shuffled(_canonical(rules), seed_of(deal, rules), label=shuffle.DRAW)


def seed_of(deal: Deal, rules: Ruleset) -> bytes:
    """The seed of a deal that was shuffled here."""
    return _proof(deal, rules, shuffle.PACK, []).seed()


def cut_of(game: Game, number: int, rules: Ruleset) -> int:
    """How many cards are lifted in a deal in which the player leaves the cut to the site.

    It follows from the seed, which is fixed before, so that the site has no choice. Half of the pack for a deal
    without a secret.
    """
    deal = game.hands.select_related("deal").get(number=number).deal
    size = rules.pack.bit_count()
    return size // 2 if deal.secret is None else shuffle.cut(seed_of(deal, rules), size)


def proof_of(deal: Deal, rules: Ruleset, hand: Hand) -> dict[str, object] | None:
    """The proof of the pack of a deal that is over; None for a composed one."""
    if deal.secret is None:
        return None
    piles: list[list[str]] = []
    if unshuffled(hand) and hand.gathered is not None:
        groups = hand.gathered.groups(hand.sides[hand.demander], hand.after(hand.dealer), hand.arranged)
        piles = [[CODES[card] for card in group] for group in groups]
    return dict(_proof(deal, rules, shuffle.TRICKS if piles else shuffle.PACK, piles).to_json())


def _proof(deal: Deal, rules: Ruleset, label: str, piles: list[list[str]]) -> shuffle.Proof:
    assert deal.secret is not None
    return shuffle.Proof.of(
        bytes(deal.secret),
        table=deal.table,
        hand=deal.ordinal,
        ruleset=rules.id,
        ruleset_version=rules.version,
        entropy={int(seat): bytes.fromhex(given) for seat, given in deal.entropy.items()},
        label=label,
        piles=piles,
        cut=deal.cut if label == shuffle.PACK else None,
    )


def _canonical(rules: Ruleset) -> tuple[str, ...]:
    pack = set(codes(rules.pack))
    return tuple(code for code in shuffle.CANONICAL_78 if code in pack)


def promised(game: Game, number: int) -> Deal | None:
    """The deal with this number, if it is promised and its pack is not made yet; else None. One query."""
    return next(iter(_promised(game.public_id, number)), None)


@prepared
def _promised(table: str, ordinal: int) -> QuerySet[Deal]:
    return Deal.objects.filter(table=table, ordinal=ordinal, pack=None).order_by()
