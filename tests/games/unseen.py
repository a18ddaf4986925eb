"""Which cards a viewer has never seen, worked out from the rules of the table and not from the engine's view."""

from __future__ import annotations

from domain.engine import Hand, cards_in, set_of


def unseen_by(hand: Hand, seat: int | None) -> list[int]:
    """The cards the viewer has never seen, worked out from the rules of the table and not from the view."""
    seen = set_of(card for trick in hand.tricks for card in trick.cards) | set_of(hand.trick)
    seen |= set_of(card for card in hand.face_up if card is not None)
    for event in hand.happenings:
        seen |= set_of(card for card in (event.card, event.back) if card is not None)
    if hand.pair_at >= 0:
        assert hand.ruleset.pair is not None
        seen |= 1 << hand.trick[hand.pair_at] - hand.ruleset.pair.below_king  # the king's companion: jack or cavalier
    if seat is not None:
        seen |= hand.hands[seat]
        if seat == hand.scartist:
            seen |= hand.scart
        if hand.contract == "normal" and seat == hand.tappist:
            seen |= hand.tapp
    if hand.called is not None:
        seen |= 1 << hand.called  # what was named; who holds it is another secret
    if not hand.ruleset.cut_card_shown:
        return list(cards_in(hand.ruleset.pack & ~seen))
    dealer_may_look = hand.rounds < 3 or hand.dealt >= 2
    if hand.cut and hand.pack and (dealer_may_look or seat not in (hand.dealer, None)):
        seen |= 1 << hand.pack[-1]
    return list(cards_in(hand.ruleset.pack & ~seen))
