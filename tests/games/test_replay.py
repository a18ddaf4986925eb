"""Looking back at a hand: what every position shows, how the points come together, what the proof says."""

from __future__ import annotations

import html
import json
import random
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import sessions
from domain.bots import advice
from domain.engine import Hand, cards_in, ruleset, shuffle
from games.models import Action, Game
from games.read_models import Line, Step, TrickCard, TrickSeen
from games.selectors import replay as looking_back
from games.table.templatetags import replay as tags
from tests.games.replay_kit import stored
from tests.games.store_kit import random_hand, store
from tests.games.table_kit import laid, person, play_hand, sit, wait

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    return person(name="Ursina")


@pytest.fixture
def game(player):
    """A game with one deal, played out at random; the player sits at seat 0, other people around."""
    return store(played(1), [player, *(person() for _ in range(3))])


@pytest.fixture
def dealt(player):
    """A game through the door, its pack really shuffled, whose first deal was played out and stays open to all."""
    game = laid(player, options={"throw_in": False, "demands": False}, draws_partners=True)
    play_hand(game, player)
    return game


def played(seed: int) -> Hand:
    """A hand with talk, played out at random."""
    return next(hand for more in range(100) if (hand := random_hand(seed + 100 * more, 400)).result.status == "played")


def address(game: Game, number: int = 1) -> str:
    return reverse("games:replay", args=[game.public_id, number])


def page(game: Game, viewer=None, **query) -> str:
    client = Client()
    if viewer is not None:
        client.cookies["guest"] = sessions.issue_guest_token(viewer)
    answer = client.get(address(game), query)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


@pytest.mark.slow
def test_every_position_has_an_address_and_shows_the_cards_still_held(game):
    end = looking_back.replay(game, 1, None, None)
    for step in range(0, end.last_step + 1, 7):
        shown = page(game, step=step)
        held = sum(len(seat.cards) for seat in looking_back.replay(game, 1, step, None).seats)
        hands = re.findall(r'<div class="open-hand">(.*?)</div>', shown, re.DOTALL)
        assert len(hands) == 4
        assert sum(hand.count("<svg") for hand in hands) == held
        assert f'name="step" min="0" max="{end.last_step}" value="{step}"' in shown


@pytest.mark.parametrize(
    ("asked", "wanted"), [("4", 4), ("99999", "last"), ("", "first"), ("x", "first"), ("-3", "first"), ("²", "first")]
)
def test_without_a_step_the_first_card_is_about_to_be_led_and_too_far_is_the_end(game, asked, wanted):
    end = looking_back.replay(game, 1, None, None)
    first = next(step.number for step in end.steps if step.trick) - 1
    at = {"first": first, "last": end.last_step}.get(wanted, wanted)
    assert f'max="{end.last_step}" value="{at}"' in page(game, step=asked)
    shown = looking_back.replay(game, 1, first, None)
    assert {len(seat.cards) for seat in shown.seats} == {19}
    assert shown.trick is None
    assert len(shown.scart) == 2


def test_the_points_beside_the_board_are_those_of_the_result(game):
    end = looking_back.replay(game, 1, None, None)
    assert [side.points for side in tags.side_scores(end)] == list(end.sheet.points)
    seen = page(game, step=end.last_step)
    assert "card point" not in seen
    assert sum(row.points for row in end.tricks) + sum(side.scart for side in end.count) == 72


def test_the_line_of_the_moment_is_marked_and_none_before_the_first_action(game):
    assert re.findall(r'data-step="(\d+)" aria-current="step"', page(game, step=12)) == ["12"]
    assert "aria-current=" not in page(game, step=0).split('class="moves"')[1].split("</section>")[0]


def test_all_actions_are_listed_as_links_to_their_positions(game):
    moves = Action.objects.filter(game=game, hand_number=1, kind="move").count()
    listed = re.findall(r'<a href="\?step=(\d+)" data-step="(\d+)" aria-describedby', page(game, step=0))
    assert listed == [(str(step), str(step)) for step in range(1, moves + 1)]


def test_the_fragment_holds_the_board_and_the_steps_only(game):
    fragment = page(game, step=5, fragment=1)
    assert 'data-part="board" data-step="5"' in fragment
    assert 'data-part="now"' in fragment
    assert "<html" not in fragment
    assert 'class="moves"' not in fragment


def test_the_page_speaks_to_the_player_and_names_everybody_to_a_stranger(game, player):
    own, strange = page(game, player), page(game)
    assert "You lead" in own or "You play" in own
    assert "You play" not in strange
    assert re.search(r"Ursina (leads|plays) ", strange)


def test_whoever_is_sent_a_hand_reads_of_which_game_it_is(game):
    assert "<title>Troccas, hand 1" in page(game)
    assert re.search("<h1[^>]*>Hand 1<span[^>]*> · Troccas</span></h1>", page(game))


def test_what_is_said_stands_at_the_speakers_seat_until_the_talk_of_its_round_is_over(game):
    steps = looking_back.replay(game, 1, None, None).steps
    talked = next(step for step in steps if any(line.verb in ("allow", "veto") for line in step.lines))
    speaker = next(line.seat for line in talked.lines if line.seat is not None)
    during = looking_back.replay(game, 1, talked.number, None)
    assert tags.spoken(during.seats[speaker], during) is not None
    played = next(step for step in steps if step.lines[0].kind == "trick-led")
    later = looking_back.replay(game, 1, played.number, None)
    assert not any(tags.spoken(seat, later) for seat in later.seats)


def test_words_of_an_earlier_round_are_gone_in_the_next(game):
    end = looking_back.replay(game, 1, None, None)
    said = [
        Step(1, (Line(1, "spoke", 1, verb="veto"),), 0),
        Step(2, (Line(2, "spoke", 1, verb="allow"),), 0),
        Step(3, (Line(3, "spoke", 2, verb="veto"),), 0),
    ]
    then = replace(end, steps=tuple(said), step=3)
    words = [shown.word if (shown := tags.spoken(seat, then)) else "" for seat in then.seats]
    assert words == ["", "throw-in allowed", "veto", ""]
    assert tags.spoken(then.seats[1], replace(then, step=1)).word == "veto"
    assert tags.spoken(then.seats[2], replace(then, step=2)) is None


def test_king_and_jack_of_one_player_lie_together_wherever_the_jack_was_put(game):
    cards = (
        TrickCard(1, 1, "B4", led=True, winning=False),
        TrickCard(2, 2, "BK", led=False, winning=True),
        TrickCard(3, 3, "B3", led=False, winning=False),
        TrickCard(2, 2, "BJ", led=False, winning=False),
    )
    end = looking_back.replay(game, 1, None, None)
    shown = tags.middle(replace(end, trick=None, last_trick=TrickSeen(2, "B", cards, 2)))
    assert shown is not None
    assert [[card.code for card in laid.cards] for laid in shown.laid] == [["B4"], ["BK", "BJ"], ["B3"]]
    assert [laid.winning for laid in shown.laid] == [False, True, False]


@pytest.mark.parametrize("seed", range(8))
def test_the_count_of_every_side_adds_up_to_its_points(seed):
    replay = looking_back.replay(store(played(seed), [person() for _ in range(4)]), 1, None, None)
    assert sum(side.points for side in replay.count) == 72
    for at, side in enumerate(replay.count):
        assert side.tricks + side.scart + side.fool + side.rest == side.points == replay.sheet.points[at]
        tricks = [row.points for row in replay.tricks if row.winner in replay.parties[at]]
        assert sum(tricks) == side.tricks
    assert sum(side.fool for side in replay.count) == 0
    assert sum(side.cards for side in replay.count) == 78


def test_the_table_of_points_ends_in_the_points_and_scores_of_the_hand(game):
    sheet = looking_back.replay(game, 1, None, None).sheet
    table = page(game).split('class="data points"')[1].split("</table>")[0]
    for at, row in ((0, "Points"), (1, "Score of this hand")):
        cells = re.search(rf">{row}</th>(.*?)</tr>", table, re.DOTALL)
        assert cells is not None
        numbers = [int(cell.replace("−", "-")) for cell in re.findall(r">([+−]?\d+)<", cells[1])]
        assert numbers == list(sheet.points if at == 0 else (sheet.scores[0], sheet.scores[1]))


def test_a_card_is_seen_at_the_cut_only_where_the_game_shows_it(game):
    assert "Seen at the cut" in page(game)
    assert "Seen at the cut" not in page(stored("troggu"))


def test_the_tapp_of_a_solo_is_counted_as_what_it_is_and_in_a_misere_nothing_is(player):
    rules = ruleset("troggu", None, 4)
    pack = list(cards_in(rules.pack))
    random.Random(1).shuffle(pack)
    for bid, rows in (("solo", ["Tapp"]), ("pass", [])):
        hand = Hand(rules, 0, pack, options=rules.settled_options({}))
        while not hand.over:
            hand.push(next((one for one in hand.legal if str(one) == bid), None) or advice.choose(hand.view(hand.turn)))
        shown = page(store(hand, [player, *(person() for _ in range(3))]), step=0)
        table = shown.split('class="sums"')[1].split("</tbody>")[0]
        heads = [re.sub("<[^>]*>", "", head) for head in re.findall(r'colspan="2">(.*?)</th>', table)]
        assert [head for head in heads if "Tapp" in head or "laid away" in head] == rows


def test_a_thrown_in_hand_has_no_points_but_its_proof(player):
    hand = next(hand for seed in range(200) if (hand := random_hand(seed, 400)).result.status == "thrown-in")
    game = store(hand, [person() for _ in range(4)])
    shown = page(game)
    assert "The cards were thrown in" in shown
    assert "<title>Troccas, thrown in" in shown
    assert "<h1" in (analysis := Client().get(f"/g/{game.public_id}/hand/1/analysis/").content.decode())
    assert "hand 0" not in analysis
    assert "How the points came together" not in shown
    assert "data-proof=" in shown


def proof_of(shown: str) -> dict[str, object]:
    found = re.search(r'data-proof="(\{.*?\})">', shown, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_what_the_browser_checks_is_what_was_dealt(dealt):
    data = proof_of(page(dealt))
    pack = str(data["pack"]).split()
    proof = shuffle.Proof.from_json(data["proof"])
    assert shuffle.verify(proof, pack) == []
    assert shuffle.verify(proof, [pack[1], pack[0], *pack[2:]]) == ["wrong-pack"]


def test_cards_a_player_arranged_are_handed_to_the_check(game):
    end = looking_back.replay(game, 1, None, None)
    steps = (
        Step(1, (Line(1, "arranged", 1, cards=("C1", "C2")),), 0),
        Step(2, (Line(2, "arranged", 3),), 0),
    )
    assert json.loads(tags.proof_data(replace(end, steps=steps)))["arrangements"] == ["C1 C2"]


def test_who_added_chance_is_told_what_it_proves_to_them(dealt, player):
    assert "Your browser saw the promise and then added a number of its own" in page(dealt, player)
    strange = page(dealt)
    assert "To those whose browser added a number" in strange
    assert "Your browser saw the promise" not in strange
    assert "no browser added anything" not in strange


@pytest.mark.parametrize("cutter", ["computer", "person"])
def test_where_nobody_added_chance_the_page_says_what_the_site_could_have_done(player, cutter):
    # What the hand came to must not keep it closed.
    game = laid(
        player, options={"demands": False}, dealer=2 if cutter == "computer" else 1
    )  # the player at seat 0 cuts where seat 1 deals
    sit(game, player, entropy="")
    wait(game, player)
    play_hand(game, player)
    shown = page(game)
    assert "no browser added anything to this pack" in shown
    assert ("a computer player made it" in shown) == (cutter == "computer")
    assert ("the cut, which a person made" in shown) == (cutter == "person")


def test_a_composed_pack_claims_no_proof(player, game):
    pack = looking_back.replay(game, 1, None, None).pack
    composed = laid(player, options={"demands": False}, pack=pack)
    play_hand(composed, player)
    shown = page(composed)
    assert "composed for a purpose" in shown
    assert "data-proof=" not in shown


def test_a_hand_that_is_not_over_leads_to_its_table_and_one_that_is_none_says_so(dealt, player):
    sit(dealt, player)
    running = Client().get(address(dealt, 2))
    assert running.status_code == 404
    assert "This deal is still closed" in running.content.decode()
    assert f'href="{reverse("games:table", args=[dealt.public_id])}"' in running.content.decode()
    for number in (0, 99):
        for which in ("replay", "hand_record", "analysis"):
            none = Client().get(reverse(f"games:{which}", args=[dealt.public_id, number]))
            assert none.status_code == 404
            assert "This deal is still closed" not in none.content.decode()


def test_hands_lead_to_the_next_and_back_and_to_the_table_and_the_record(dealt, player):
    play_hand(dealt, player)
    first, second = page(dealt), html.unescape(Client().get(address(dealt, 2)).content.decode())
    assert f'rel="next" href="{address(dealt, 2)}"' in first
    assert 'rel="prev"' not in first
    assert f'rel="prev" href="{address(dealt, 1)}"' in second
    for shown in (first, second):
        assert f'href="{reverse("games:table", args=[dealt.public_id])}"' in shown
        assert f'href="{reverse("games:record", args=[dealt.public_id])}" download' in shown


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_fair_packs_are_explained_in_every_language(client, language):
    with translation.override(language):
        answer = client.get(reverse("fairness"))
    assert answer.status_code == 200
    assert len(re.findall(r"<li[^>]*>\n      <h3[ >]", answer.content.decode())) == 5
