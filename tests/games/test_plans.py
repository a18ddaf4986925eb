"""Plans: the first line that fits and is legal is played, by the worker; nobody else learns that there was one."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from itertools import chain

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import registry
from accounts.models import Player
from domain.engine import CODES, cards_in
from domain.engine.cards import FOOL, FOOL_BIT, KING, LANE_SIZE, LANES
from domain.engine.legal import LegalPlays
from domain.engine.tricks import winning_place
from games.exceptions import NotNow
from games.plans import language as plans
from games.plans import privacy, selectors, services, tasks
from games.plans.language import LED, NoPlan, Plan, chosen, read_plan
from games.plans.models import Plans, Scheduled
from games.selectors import log
from notices.models import Outbox
from tests.domain.engine.kit import do, position
from tests.domain.engine.tables import at_each_table, walk_table
from tests.games.pace_kit import act, asked, fresh, people, turned, until
from tests.games.plans_kit import at_position, client_of, noted, outputs, view_of
from tests.games.store_kit import pack_of, replayed
from tests.games.table_kit import seat_of, submit


@pytest.fixture
def players():
    return people()


def plan(*lines, lasts=False, at_once=False):
    return read_plan({"lines": list(lines), "lasts": lasts, "at_once": at_once})


def played(hand, *lines):
    """What a plan plays for the player on turn; None if no line fits."""
    action = chosen(plan(*lines), hand.view(hand.turn))
    return None if action is None else str(action)


def later():
    return timezone.now() + timedelta(days=30)


# the language


def led(*texts, **how):
    """Seats 0 and 2 against 1 and 3; seat 0 leads."""
    hand = position("C1 CK S1 T9", "C2 C9 S2 T3", "C3 C8 S3 T21", "C4 CQ S4 F", leader=0, **how)
    return do(hand, *texts)


def test_the_lowest_and_the_highest_of_the_suit_led():
    hand = led("play C1")
    assert played(hand, {"play": "lowest"}) == "play C9", "in cups the 9 is lower than the 2"
    assert played(hand, {"play": "highest"}) == "play C2"


def test_what_hardly_matters_is_the_lowest_where_none_takes_the_trick_and_all_are_alike():
    spare = {"play": "spare"}
    assert played(led("play CK"), spare) == "play C9"
    assert played(led("play C1"), spare) == "play C9", "in cups neither the 9 nor the 2 takes the 1"
    assert played(led(), spare) is None, "nothing is led yet"
    assert played(led("play S1"), spare) is None, "the 2 takes it"
    assert played(led("play CK", "play C2", "play C3"), spare) is None, "the queen is worth more than the 4"
    fool = position("C1 CK", "C2 F", "C3 C8", "C4 CQ", leader=0)
    assert played(do(fool, "play CK"), spare) is None, "the Fool is a choice that matters"


def test_a_condition_on_what_is_led():
    hand = led("play C1")
    assert played(hand, {"led": "S", "play": "lowest"}, {"led": "C", "play": "highest"}) == "play C2"
    assert played(hand, {"led": "me", "play": "C2"}) is None
    assert played(led(), {"led": "me", "play": "CK"}) == "play CK"
    assert played(led(), {"led": "C", "play": "CK"}) is None
    assert played(led(), {"play": "lowest"}) is None, "nothing is led yet"


def test_a_condition_on_who_is_winning():
    hand = led("play CK", "play C2")
    assert played(hand, {"winning": "partner", "play": "lowest"}, {"play": "highest"}) == "play C8"
    assert played(hand, {"winning": "opponent", "play": "lowest"}) is None
    against = led("play C1")
    assert (
        played(against, {"winning": "partner", "play": "lowest"}, {"winning": "opponent", "play": "highest"})
        == "play C2"
    )


def test_a_condition_on_a_card_that_has_been_played_and_on_playing_last():
    hand = led("play CK", "play C2")
    assert played(hand, {"fallen": "CK", "play": "lowest"}) == "play C8"
    assert played(hand, {"fallen": "CQ", "play": "lowest"}) is None
    assert played(hand, {"last": True, "play": "lowest"}) is None
    last = do(hand, "play C8")
    assert played(last, {"last": True, "winning": "opponent", "play": "fool"}) == "play F"


def test_the_lowest_card_that_takes_the_trick():
    hand = position("C8 S1 O1", "C2 C9 CK", "C3 S3 O3", "C4 S4 O4", leader=0)
    assert played(do(hand, "play C8"), {"play": "winner"}) == "play C2", (
        "the 9 of cups is below the 8, the king above the 2"
    )
    assert played(led("play CK"), {"play": "winner"}) is None, (
        "nothing takes the king of the suit that must be followed"
    )
    assert played(led(), {"play": "winner"}) is None, "nothing lies there"
    ruffing = position("C1 S1", "T3 T9 S2", "C3 S3", "C4 S4", leader=0)
    assert played(do(ruffing, "play C1"), {"play": "winner"}) == "play T3"


def test_the_card_worth_most_for_a_partner_who_wins_and_worth_least_for_another():
    hand = position("C1 CK S1 T9", "C2 C9 S2 T3", "C3 C8 CQ S3", "C4 CN S4 F", leader=0)
    do(hand, "play CK", "play C2")
    fat = ({"winning": "partner", "play": "dearest"}, {"play": "cheapest"})
    assert played(hand, *fat) == "play CQ"
    do(hand, "play CQ")
    assert played(hand, *fat) == "play C4"


def test_the_plan_of_the_issue_if_cups_are_led_my_lowest_else_the_fool():
    lines = ({"led": "C", "play": "lowest"}, {"play": "fool"})
    cups = do(position("C1 S1", "C2 S2", "C3 S3", "C9 C4 F", leader=0), "play C1", "play C2", "play C3")
    assert played(cups, *lines) == "play C9"
    swords = do(position("C1 S1", "C2 S2", "C3 S3", "C9 C4 F", leader=0), "play S1", "play S2", "play S3")
    assert played(swords, *lines) == "play F"


def test_a_card_that_may_not_be_played_does_not_fit():
    hand = led("play C1")
    assert played(hand, {"play": "T3"}) is None
    assert played(hand, {"play": "lowest-trump"}, {"play": "S2"}, {"play": "C2"}) == "play C2"
    assert played(led("play S1", "play S2"), {"play": "fool"}) is None, "no Fool there"


def test_the_lowest_trump_is_played_where_trumps_may():
    hand = position("C1 S1", "T3 T9 S2", "C3 S3", "C4 S4", leader=0)
    assert played(do(hand, "play C1"), {"play": "lowest"}, {"play": "lowest-trump"}) == "play T3"


@pytest.mark.parametrize(
    "data",
    [
        {"lines": [{"play": "lowest"}] * 9}, {"lines": [{}]}, {"lines": [{"play": "C77"}]}, {"lines": "x"},
        {"lines": [{"play": "lowest", "led": "Z"}]}, {"lines": [{"play": "lowest", "winning": "me"}]},
        {"lines": [{"play": "lowest", "fallen": "lowest"}]}, {"lines": [{"play": "lowest", "last": "yes"}]},
        {"lines": [], "lasts": 1}, {"other": 1}, {"lines": [{"play": ["C1"]}]}, {"lines": [7]},
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused(data):
    with pytest.raises(NoPlan):
        read_plan(data)


def a_plan(rng):
    """Any plan."""
    cards = list(CODES)
    return Plan(
        tuple(
            plans.Line(
                rng.choice([*plans.CHOICES, rng.choice(cards)]),
                rng.choice(["", "me", "C", "O", "S", "B", "T"]),
                rng.choice(["", "", "partner", "opponent"]),
                rng.choice(["", "", rng.choice(cards)]),
                rng.random() < 0.2,
            )
            for _ in range(rng.randint(0, 8))
        ),
        rng.random() < 0.5,
        rng.random() < 0.5,
    )


@at_each_table
def test_whatever_the_plan_what_it_plays_is_legal_and_it_is_read_as_it_was_written(rules):
    rng = random.Random(4)
    fitted = 0
    for _match, hand in chain.from_iterable(
        walk_table(rules, rng) for _game in range(4)
    ):  # all may pass in one of them
        if hand.over:
            continue
        made = a_plan(rng)
        assert read_plan(made.to_json()) == made
        for seat in range(hand.seats):
            action = chosen(made, hand.view(seat))
            if seat != hand.turn or not isinstance(hand.legal, LegalPlays):
                assert action is None
            elif action is not None:
                assert hand.why_illegal(action) is None
                fitted += 1
    assert fitted > 5


# at a table


def planning(players):
    """A table where player 0 is asked to follow, with several cards, before the player has said anything."""
    return at_position(
        players, lambda hand: hand.turn == 0 and hand.asked == "play" and len(hand.trick) > 0 and len(hand.legal) > 3
    )


def leading(players):
    """A table where player 3 leads and may lead cups; player 0, who is next, has cups and coins."""

    def wanted(hand):
        suited = [hand.hands[0] & LANES[LED[suit]] for suit in "CO"]
        return (
            hand.turn == 3
            and hand.asked == "play"
            and not hand.trick
            and all(suited)
            and bool(hand.hands[3] & LANES[0])
        )

    return at_position(players, wanted)


def say(game, player, *lines, lasts=False, at_once=False):
    wanted = plan(*lines, lasts=lasts, at_once=at_once)
    services.save_plan(game.pk, seat_of(game, player), wanted, by=player)


EVERYTHING = ({"play": "winner"}, {"play": "cheapest"})


@pytest.mark.django_db
def test_a_plan_for_the_next_card_is_carried_out_once(players):
    game = planning(players)
    only = view_of(game, players[0]).legal
    card = str(next(iter(only))).split()[1]
    say(game, players[0], {"play": card})
    assert noted(game) is not None
    tasks.do_due(later(), 50)
    assert game.actions.get(number=game.number + 1).text == f"play {card}"
    row = selectors.plans_of(game, players[0])
    assert not selectors.plan_of(row, 1, view_of(game, players[0]).held.bit_count())
    if fresh(game).to_act is not None and fresh(game).hand_number == 1:
        until(game, players[0])
        assert noted(game) is None or noted(game).after != len(view_of(game, players[0]).history)


@pytest.mark.django_db
@pytest.mark.slow
def test_a_plan_for_the_hand_goes_on(players):
    game = planning(players)
    lines = [{"play": "lowest"}, {"play": "highest"}, {"play": "lowest-trump"}]
    say(game, players[0], *lines, lasts=True)
    done = 0
    while fresh(game).to_act is not None and fresh(game).hand_number == 1:
        if asked(game) == players[0] and tasks.do_due(later(), 50):
            done += 1
        else:
            act(game)
    assert done > 3


@pytest.mark.django_db
def test_a_plan_that_does_not_fit_is_gone_its_owner_is_asked_and_told(players):
    game = fresh(leading(players))
    cups, coins = (LANES[LED[suit]] for suit in "CO")
    assert view_of(game, players[0]).held & coins
    say(game, players[0], {"led": "O", "play": "lowest"})
    Outbox.objects.all().delete()
    card = next(code for card, code in enumerate(CODES) if view_of(game, players[3]).held & cups & 1 << card)
    submit(game, players[3], f"play {card}")
    assert noted(game) is None
    assert Outbox.objects.filter(player=players[0], event="game.turn").exists()
    page = client_of(players[0]).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "None of the lines of your plan fitted" in page


@pytest.mark.django_db
def test_a_line_goes_with_its_card(players):
    game = planning(players)
    view = view_of(game, players[0])
    one, other = [str(action).split()[1] for action in list(view.legal)[:2]]
    say(game, players[0], {"led": "me", "play": one}, {"led": "me", "play": other}, lasts=True)
    submit(game, players[0], f"play {one}")
    until(game, players[0])
    row = selectors.plans_of(game, players[0])
    left = selectors.plan_of(row, 1, view_of(game, players[0]).held.bit_count())
    assert one not in [line.play for line in left.lines]


@pytest.mark.django_db
def test_who_plays_themselves_has_used_up_a_plan_for_the_next_card(players):
    game = planning(players)
    say(game, players[0], *EVERYTHING)
    submit(game, players[0], str(next(iter(view_of(game, players[0]).legal))))
    until(game, players[0])
    view = view_of(game, players[0])
    assert not selectors.plan_of(selectors.plans_of(game, players[0]), 1, view.held.bit_count())


@pytest.mark.django_db
def test_a_plan_taken_back_is_not_carried_out(players):
    game = planning(players)
    say(game, players[0], {"play": str(next(iter(view_of(game, players[0]).legal))).split()[1]})
    assert noted(game) is not None
    say(game, players[0])
    assert noted(game) is None
    assert tasks.do_due(later(), 50) == 0


@pytest.mark.django_db
def test_before_the_cards_are_played_there_is_nothing_to_plan(players):
    game = at_position(players, lambda hand: hand.asked == "scart")
    with pytest.raises(NotNow):
        say(game, players[0], {"play": "lowest"})


@pytest.mark.django_db
def test_whoever_takes_the_seat_does_not_take_the_plan(players):
    game = planning(players)
    say(game, players[0], *EVERYTHING)
    other = people(1)[0]
    game.seats.filter(number=0).update(player=other)
    row = noted(game)
    if row is not None:
        assert not tasks.carry_out(row)
    assert selectors.plans_of(game, other) is None
    assert fresh(game).number == game.number


@pytest.mark.django_db
@pytest.mark.slow
def test_a_plan_is_shown_in_words_to_its_owner_and_changes_nothing_for_others(players, monkeypatch):
    game = planning(players)
    others = players[1:]
    address = reverse("games:plans", args=[game.public_id])
    own = client_of(players[0])
    held = view_of(game, players[0]).held
    led = next(suit for suit, lane in LED.items() if lane == view_of(game, players[0]).lane)
    code = str(next(iter(view_of(game, players[0]).legal))).split()[1]
    assert held
    with turned(monkeypatch, timezone.now()):
        for player in others:
            outputs(game, player)
        before = [outputs(game, player) for player in others]
        sent = {
            "do": "plan", "led-0": led, "winning-0": "partner", "play-0": "winner", "led-2": "", "play-2": code,
        }  # fmt: skip
        assert own.post(address, sent).status_code == 303
        page = own.get(reverse("games:table", args=[game.public_id])).content.decode()
        assert "are led and your side is winning the trick: your lowest card that takes the trick." in page
        assert [outputs(game, player) for player in others] == before
    assert read_plan(Plans.objects.get(player=players[0]).plan).lines[1].play == code
    assert own.get(address).content.decode().count("plan-line") == 8
    assert own.post(address, {"do": "plan", "play-0": "C77"}).status_code == 400
    assert own.post(address, {"do": "no-plan"}).status_code == 303
    assert Plans.objects.get(player=players[0]).plan == {}


@pytest.mark.django_db
def test_it_goes_with_its_owner_and_is_theirs_to_take_along(players):
    assert privacy in registry.belongings
    game = planning(players)
    say(game, players[0], *EVERYTHING)
    member = people(1)[0]
    privacy.merge(players[0], member)
    assert Plans.objects.get().player == member
    assert "cheapest" in str(privacy.export(member)["plans"])
    assert privacy.export(players[0]) == {"plans": []}
    assert privacy.release(member) is False
    assert not Plans.objects.exists()
    assert not Scheduled.objects.filter(player=member).exists()


@pytest.mark.django_db
def test_one_press_at_the_table_lets_small_cards_go_by_themselves_for_the_game(players):
    def before_a_spare_card(hand):
        if hand.asked != "play" or len(hand.trick) != 1 or hand.turn != 3:
            return False
        after = hand.copy()
        after.push(next(iter(after.legal)))
        return after.asked == "play" and after.turn == 0 and played(after, {"play": "spare"}) is not None

    game = at_position(players, before_a_spare_card)
    own = client_of(players[0])
    page = own.get(reverse("games:table", args=[game.public_id])).content.decode()
    form = page.split("Small cards at once", 1)[0].rsplit("<form", 1)[1]
    sent = dict(re.findall(r'name="(play-0|lasts|at_once|every)" value="(\w+)"', form)) | {"do": "plan"}
    assert own.post(reverse("games:plans", args=[game.public_id]), sent).status_code == 303
    submit(game, players[3], str(next(iter(view_of(game, players[3]).legal))))
    row = noted(game)
    assert row is not None
    assert row.player == players[0]
    assert row.due_at - timezone.now() < timedelta(seconds=5)
    assert tasks.carry_out(row)
    after = own.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Small cards at once" not in after
    assert "none of your cards takes the trick and all are worth the same" in after, "the plan holds on"
    assert "For every card of this game" in after
    kept = selectors.plans_of(game, players[0])
    assert selectors.plan_of(kept, fresh(game).hand_number + 1, 19).lasts


def at_a_small_card(players):
    """Seat 0 is asked for a card and has a choice that hardly matters."""

    def wanted(hand):
        return (
            hand.asked == "play"
            and hand.turn == 0
            and len(hand.legal) > 1
            and played(hand, {"play": "spare"}) is not None
        )

    return at_position(players, wanted)


SAID = "After about as long as you usually take, the lowest goes by itself"


def by_default(player):
    """Somebody who has chosen nothing about what goes by itself."""
    player.forced_cards = Player._meta.get_field("forced_cards").default
    player.small_cards = Player._meta.get_field("small_cards").default
    player.save()


@pytest.mark.django_db
def test_by_default_a_small_card_goes_by_itself_timed_like_a_forced_one_and_the_table_says_so(players):
    by_default(players[0])
    game = at_a_small_card(players)
    address = reverse("games:table", args=[game.public_id])
    assert SAID in client_of(players[0]).get(address).content.decode()
    assert SAID not in client_of(players[1]).get(address).content.decode()
    view = view_of(game, players[0])
    assert services.schedule(game, players[0], view, random.Random(5))
    row = noted(game)
    assert row is not None
    small = row.due_at
    assert small - timezone.now() > timedelta(minutes=1), "not at once: that would tell that there was nothing better"
    only = str(chosen(selectors.SMALL, view)).split()[1]
    services.set_plan(game, players[0], read_plan({"lines": [{"play": only}]}), view.held.bit_count())
    assert services.schedule(game, players[0], view, random.Random(5))
    assert abs(noted(game).due_at - small) < timedelta(minutes=1), "as any other answer that is given for somebody"
    assert tasks.carry_out(noted(game))
    assert game.actions.get(number=game.number + 1).text.split()[1] == only


@pytest.mark.django_db
def test_who_wants_to_be_asked_for_forced_cards_is_asked_for_small_ones_too(players):
    by_default(players[0])
    players[0].forced_cards = "ask"
    players[0].save()
    game = at_a_small_card(players)
    assert not services.schedule(game, players[0], view_of(game, players[0]))
    assert SAID not in client_of(players[0]).get(reverse("games:table", args=[game.public_id])).content.decode()


@pytest.mark.django_db
def test_at_the_table_small_cards_may_go_at_once_from_then_on(players):
    by_default(players[0])
    game = at_a_small_card(players)
    own = client_of(players[0])
    address = reverse("games:table", args=[game.public_id])
    sent = {"do": "small", "small": "self"}
    assert own.post(reverse("games:plans", args=[game.public_id]), sent).status_code == 303
    row = noted(game)
    assert row is not None
    assert row.due_at - timezone.now() < timedelta(seconds=5)
    assert tasks.carry_out(row)
    page = own.get(address).content.decode()
    assert SAID not in page
    assert "Small cards at once<" not in page, "they do already, in every game"
    players[0].refresh_from_db()
    assert players[0].small_cards == "self"
    assert not Plans.objects.exists()


@pytest.mark.django_db
def test_who_wants_to_be_asked_each_time_is_left_in_peace(players):
    by_default(players[0])
    game = at_a_small_card(players)
    services.schedule(game, players[0], view_of(game, players[0]))
    own = client_of(players[0])
    assert own.post(reverse("games:plans", args=[game.public_id]), {"do": "small", "small": "ask"}).status_code == 303
    assert noted(game) is None
    assert SAID not in own.get(reverse("games:table", args=[game.public_id])).content.decode()
    wrong = own.post(reverse("games:plans", args=[game.public_id]), {"do": "small", "small": "never"})
    assert wrong.status_code == 400


@pytest.mark.django_db
def test_a_plan_of_a_game_goes_before_the_wish_for_small_cards(players):
    game = at_a_small_card(players)
    players[0].small_cards = "self"
    players[0].save()
    view = view_of(game, players[0])
    small = str(chosen(selectors.SMALL, view))
    other = next(str(action) for action in view.legal if str(action) != small)
    say(game, players[0], {"play": other.split()[1]})
    row = noted(game)
    assert row is not None
    assert tasks.carry_out(row)
    assert game.actions.get(number=game.number + 1).text == other


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", [{"play-0": "lowest"}, {"play-0": "lowest", "lasts": "1", "fallen-0": "T21"}])
def test_a_plan_for_every_hand_names_no_card(players, wanted):
    game = planning(players)
    own = client_of(players[0])
    sent = wanted | {"do": "plan", "every": "1"}
    assert own.post(reverse("games:plans", args=[game.public_id]), sent).status_code == 400
    assert not Plans.objects.exclude(plan={}).exists()


# what to lead after the trick that one is about to win


def ending(hand, *, taken):
    """A card with which the player on turn ends the trick that seat 0 holds so far, so that it takes it or does not."""
    view = hand.view(hand.turn)
    if hand.asked != "play" or hand.turn == 0 or len(hand.trick) != 3 or view.seat_of(view.best) != 0:
        return None
    if hand.hands[0].bit_count() < 3:
        return None
    cards = [card for card in cards_in(view.legal.cards) if card != FOOL]
    lies = {card: view.seat_of(winning_place([*view.trick, card], view.lane)) == 0 for card in cards}
    return next((CODES[card] for card in cards if lies[card] == taken), None)


def told_at(game, player):
    return client_of(player).get(reverse("games:table", args=[game.public_id])).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("taken", [True, False])
def test_what_to_lead_is_said_beside_the_trick_and_led_at_once_if_it_is_taken(players, taken):
    game = at_position(players, lambda hand: ending(hand, taken=taken) is not None)
    fold = 'id="lead-fold"'
    assert fold in told_at(game, players[0])
    assert [fold in told_at(game, other) for other in players[1:]] == [False] * 3
    card = CODES[next(cards_in(view_of(game, players[0]).held & ~FOOL_BIT))]
    sent = {"led-0": "me", "at_once": "1", "card": card}
    assert client_of(players[0]).post(reverse("games:plans", args=[game.public_id]), sent).status_code == 303
    page = told_at(game, players[0])
    assert fold not in page
    assert "If you lead: " in page
    Outbox.objects.all().delete()
    last = players[fresh(game).to_act]
    submit(game, last, f"play {ending(log.open_table(fresh(game)).hand, taken=taken)}")
    if taken:
        assert noted(game).due_at - timezone.now() < timedelta(seconds=5)
        tasks.do_due(later(), 50)
        assert game.actions.filter(seat=0, text=f"play {card}").exists()
    else:
        assert noted(game) is None
        until(game, players[0])
        assert Outbox.objects.filter(player=players[0], event="game.turn").exists()
        assert not selectors.plans_of(game, players[0]).plan


@pytest.mark.django_db
def test_who_takes_the_trick_with_the_king_is_asked_for_the_call_first_and_then_the_card_is_led(players):
    def with_the_king(hand):
        king = hand.trick and hand.lane < 4 and hand.lane * LANE_SIZE + KING in hand.trick
        last = ending(hand, taken=True) if king else None
        if last is None:
            return False
        after = replayed(hand, pack_of(hand), [str(move) for _seat, move in hand.history] + [f"play {last}"])
        return after.asked == "call" and after.turn == 0

    game = at_position(players, with_the_king)
    page = told_at(game, players[0])
    assert "If you may call for the jack then, you are asked that first." in page
    card = CODES[next(cards_in(view_of(game, players[0]).held & ~FOOL_BIT))]
    sent = {"led-0": "me", "at_once": "1", "card": card}
    client_of(players[0]).post(reverse("games:plans", args=[game.public_id]), sent)
    last = players[fresh(game).to_act]
    submit(game, last, f"play {ending(log.open_table(fresh(game)).hand, taken=True)}")
    assert (fresh(game).asked, noted(game)) == ("call", None)
    submit(game, players[0], "quiet")
    tasks.do_due(later(), 50)
    assert game.actions.filter(seat=0, text=f"play {card}").exists()
