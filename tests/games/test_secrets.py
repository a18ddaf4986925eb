"""Nobody gets a card they may not know: exchange the cards a viewer cannot see, and every output stays the same."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import sessions
from accounts.models import Player
from domain.engine import CODES, Action, Hand, cards_in, ruleset, set_of
from domain.engine.cards import TRUMP_CARDS
from domain.engine.legal import LegalPlays
from domain.engine.view import cards_in_sight
from games.models import Game
from games.selectors import rulesets, table
from games.selectors.lines import happened_of
from games.table import notifications
from notices.push import payload
from tests.games.pace_kit import turned
from tests.games.store_kit import exchange_stored, pack_of, random_action, random_hand, replayed, store, texts_of
from tests.games.test_happened import KINDS
from tests.games.unseen import unseen_by
from tests.long import LONG

pytestmark = pytest.mark.django_db
FEWER = settings(
    max_examples=settings.default.max_examples // (1 if LONG else 6)
)  # of these, each asks for every page four times
MANY = 10 if LONG else 3


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time stands still: "today" must not become "yesterday" between the two looks that are compared."""
    with turned(monkeypatch, timezone.now()) as wall_clock:
        yield wall_clock


CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]+"|"X-CSRFToken": *"[^"]+"|X-CSRFToken&quot;: *&quot;[^&]+'
    r"|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
)


def exchanged(hand: Hand, seat: int | None, chance: random.Random) -> tuple[Hand, int]:
    """The hand with hidden cards exchanged so that everything that was done stays legal, and how many pairs were."""
    unseen = unseen_by(hand, seat)
    done = 0
    for _ in range(40):
        if len(unseen) < 2 or done == 8:
            break
        one, other = chance.sample(unseen, 2)
        swap = {one: other, other: one}
        pack = [swap.get(card, card) for card in pack_of(hand)]
        words = {CODES[one]: CODES[other], CODES[other]: CODES[one]}
        texts = [
            " ".join(words.get(word, word) for word in text.split()) if text.startswith(("scart", "discard")) else text
            for text in texts_of(hand)
        ]
        twin = replayed(hand, pack, texts)
        if twin is not None and twin.happenings == hand.happenings:
            hand, done = twin, done + 1
    return hand, done


def outputs(game: Game, viewer: Player | None, raw: str) -> dict[str, object]:
    """Everything the site gives this viewer of this game."""
    game.refresh_from_db()
    client = Client()
    if raw:
        client.cookies["guest"] = raw
    pages = {
        name: client.get(reverse(f"games:{name}", args=[game.public_id, *more]))
        for name, more in (("table", ()), ("state", ()), ("since", (0,)), ("why", ()), ("record", ()))
    }
    found: dict[str, object] = {"sight": table.sight_of(game, viewer)}
    for name, page in pages.items():
        found[name] = CHANGING.sub("", page.content.decode())
        found[name + " headers"] = {
            key: value for key, value in page.headers.items() if key not in ("X-Request-Id", "X-Request-ID")
        }
        assert page.status_code == 200
    sheet = client.get(reverse("games:settings", args=[game.public_id]))
    found["settings"] = sheet.status_code, CHANGING.sub("", sheet.content.decode())
    if viewer is not None:
        params = {"game": game.public_id, "number": game.number, "status": game.status}
        for event in ("game.turn", "game.deadline", "game.finished", "game.timeout", "game.remark"):
            told = notifications.words(event, params, viewer, "en")
            letter = tuple(told.more()) if told and told.more else ()
            found[event] = (told, notifications.still_true(event, params, viewer), told and payload(told, "en"), letter)
    for name in ("mine:list", "my-waiting"):
        found[name] = CHANGING.sub("", client.get(reverse(name)).content.decode())
    for name in ("replay", "hand_record", "from_here"):
        found[name] = client.get(reverse(f"games:{name}", args=[game.public_id, 1])).status_code
    found["picture"] = client.get(reverse("games:picture", args=[game.public_id, 1, "svg"])).status_code
    found["hands"] = CHANGING.sub("", client.get(reverse("games:hands", args=[game.public_id])).content.decode())
    played_on = client.post(reverse("games:from_here", args=[game.public_id, 1]), {"step": 0, "seat": 0})
    found["played on"] = played_on.status_code
    return found


@settings(
    parent=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(
    seed=st.integers(0, 2**32), steps=st.integers(0, 110), seat=st.sampled_from([0, 1, 2, 3, None]), knock=st.booleans()
)
def test_hidden_cards_change_nothing_a_viewer_gets(seed, steps, seat, knock):
    hand = random_hand(seed, steps, {"knock": knock})
    if hand.over:
        return
    twin, pairs = exchanged(hand, seat, random.Random(seed))
    if not pairs:
        return
    same_for(hand, twin, seat)


TROGGU_7 = ruleset("troggu", None, 7)


@settings(
    parent=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 110),
    seat=st.sampled_from([0, 1, 2, 3, 4, None]),
    rules=st.sampled_from(
        [
            TROGGU_7,
            ruleset("troccas-5"),
            ruleset("troggu-graechen", None, 5),
            ruleset("troccas-oinkers"),
            ruleset("troccas-online"),
        ]
    ),
)
def test_hidden_cards_change_nothing_at_tables_of_other_games(seed, steps, seat, rules):
    seat = seat if seat is None or seat < rules.seats else None
    hand = random_hand(seed, steps, rules=rules)
    if hand.over:
        return
    twin, pairs = exchanged(hand, seat, random.Random(seed))
    if pairs:
        same_for(hand, twin, seat)


def test_who_holds_the_called_card_is_known_to_nobody_else():
    """Give the called trump to another: for all but the two of them, everything stays the same."""
    compared = 0
    for seed in range(400):
        if compared > MANY:
            break
        hand = random_hand(seed, 14, rules=TROGGU_7)
        if hand.over or hand.partner < 0 or hand.partner_known:
            continue
        seats = [seat for seat in range(7) if seat not in (hand.partner, hand.tappist)]
        heir = next((seat for seat in seats if hand.hands[seat] & TRUMP_CARDS), None)
        if heir is None:
            continue
        swapped = next(cards_in(hand.hands[heir] & TRUMP_CARDS))
        swap = {hand.called: swapped, swapped: hand.called}
        pack = [swap.get(card, card) for card in pack_of(hand)]
        twin = replayed(hand, pack, texts_of(hand))
        if twin is None or twin.happenings != hand.happenings or twin.partner == hand.partner:
            continue
        for seat in [*[other for other in seats if other != heir][:1], None, hand.tappist]:
            if seat != hand.tappist or not hand.tapp & (1 << swapped):
                same_for(hand, twin, seat)
                compared += 1
    assert compared > MANY


def same_for(hand: Hand, twin: Hand, seat: int | None) -> None:
    """Everything a viewer gets of `hand` is what they would get of `twin`."""
    players = [Player.objects.create(name=f"P{number}") for number in range(hand.seats)]
    viewer = players[seat] if seat is not None else None
    raw = sessions.issue_guest_token(viewer) if viewer is not None else ""
    game = store(hand, players)
    before = outputs(game, viewer, raw)
    exchange_stored(game, pack_of(twin), texts_of(twin))
    assert outputs(game, viewer, raw) == before


def test_the_exchange_really_exchanges_cards():
    moved = 0
    for seed in range(40):
        hand = random_hand(seed, 30)
        if not hand.over:
            twin, pairs = exchanged(hand, 0, random.Random(seed))
            moved += pairs
            assert not pairs or pack_of(twin) != pack_of(hand)
    assert moved > 100


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_only_ones_own_cards_lie_open_while_a_hand_runs(seat):
    """The other way round: no code of an unseen card occurs anywhere in what a viewer gets."""
    for seed in range(12):
        hand = random_hand(seed, 40)
        if hand.over:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(4)]
        game = store(hand, players)
        hidden = {CODES[card] for card in unseen_by(hand, seat)}
        seen = table.sight_of(game, players[seat] if seat is not None else None).as_json()
        assert not hidden & set(codes_in(seen))


@pytest.mark.parametrize("known", rulesets.ORDER)
def test_in_no_game_a_view_holds_a_card_that_its_viewer_has_not_seen(known):
    """At every step of many hands, with all that rarely happens: pairs, calls, what is taken back."""
    for size in ruleset(known).sizes:
        rules = ruleset(known, None, size)
        for seed in range(6 if LONG else 1):
            chance = random.Random(seed)
            hand = random_hand(seed, 0, rules=rules)
            while not hand.over:
                for seat in (None, *range(rules.seats)):
                    in_sight = cards_in_sight(hand.view(seat))
                    if hand.pair_at >= 0:
                        in_sight |= 1 << hand.trick[hand.pair_at] - rules.pair.below_king
                    assert not in_sight & set_of(unseen_by(hand, seat)), (seed, seat, texts_of(hand))
                    told = [one for at_seat in happened_of(hand.view(seat)) for one in at_seat]
                    assert {one.kind for one in told} <= KINDS
                    named = {code for one in told if one.kind != "partner-called" for code in one.cards}
                    assert not named & {CODES[card] for card in unseen_by(hand, seat)}, (seed, seat, texts_of(hand))
                hand.push(rare_action(hand, chance))


def rare_action(hand: Hand, chance: random.Random) -> Action:
    """A legal action, rather one that is rarely possible."""
    if isinstance(hand.legal, LegalPlays):
        rare = [action for action in hand.legal if len(action.cards) > 1 or action.signal == "buob"]
        if rare and chance.random() < 0.8:
            return chance.choice(rare)
    if hand.asked == "talk":
        return next(action for action in hand.legal if action.verb in ("veto", "go"))
    return random_action(hand, chance)


def codes_in(data: object) -> list[str]:
    """Every text in nested data that is a card's code."""
    if isinstance(data, dict):
        return [code for value in data.values() for code in codes_in(value)]
    if isinstance(data, (list, tuple)):
        return [code for value in data for code in codes_in(value)]
    return [data] if isinstance(data, str) and data in CODES else []
