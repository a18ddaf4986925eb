"""The guided hand: what is taught when, that every word of it exists, and that following it ends well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from accounts import tokens
from domain.bots.advice import advise
from domain.bots.facts import Reason
from domain.engine import Action, Hand, View, card_of, cards_in, ruleset
from domain.engine.cards import FULL_PACK
from domain.engine.legal import LegalPlays
from games.lessons import lesson
from games.lessons import text as lessons_text
from games.lessons.lesson import OF_PLAY, OWN, topics
from games.lessons.moments import moments
from games.models import Game
from games.selectors import replay
from games.selectors import table as table_selector
from games.services import play
from games.table import services, tasks
from rules.text import names
from tests.domain.bots.table import composed
from tests.domain.bots.table import play as played
from tests.games.table_kit import person, seat_of, sit, submit, wait

LEARNER = 0
CORE = {
    "cut",
    "talk",
    "follow",
    "trump",
    "smear",
    "excuse",
    "pair",
    "take",
    "jack-came",
    "fool-debt",
    "values",
    "lead",
    "last",
}
"""What the composed hand has to show to whoever follows the advice."""


def opened(seed: int = 0, cut: int = lesson.LIFTED) -> Hand:
    rules = ruleset("troccas")
    options = rules.settled_options(lesson.FIRST.options)
    hand = Hand(rules, lesson.FIRST.dealer, [card_of(code) for code in lesson.FIRST.pack], options=options)
    hand.push(Action("cut", number=cut))
    return hand


def views(hand: Hand, luck: Random, whims: float = 0.0) -> Iterator[View]:
    """What the learner sees at each question; the learner follows the advice, or with the chance `whims` a whim."""
    while not hand.over:
        view = hand.view(hand.turn)
        action = advise(view, seed=b"%d" % luck.getrandbits(32)).action
        if hand.turn == LEARNER:
            yield view
            if isinstance(view.legal, LegalPlays) and luck.random() < whims:
                action = luck.choice(list(view.legal))
        hand.push(action)


# the composed hand


def test_the_pack_holds_every_card_once():
    assert len(lesson.FIRST.pack) == 78
    assert {card_of(code) for code in lesson.FIRST.pack} == set(cards_in(FULL_PACK))


def test_the_learner_cuts_and_the_form_proposes_the_lessons_cut():
    rules = ruleset("troccas")
    hand = Hand(rules, lesson.FIRST.dealer, [card_of(code) for code in lesson.FIRST.pack])
    assert (hand.asked, hand.turn) == ("cut", LEARNER)
    from games.table.templatetags.table import middle

    assert middle(hand.view(LEARNER).legal.most) == lesson.LIFTED


def test_following_the_advice_shows_every_core_moment_whatever_the_computer_players_say():
    complete = 0
    for seed in range(20):
        hand = opened()
        told: tuple[str, ...] = ()
        for view in views(hand, Random(seed)):
            told = topics(moments(view))
        assert hand.result is not None
        complete += set(told) >= CORE and hand.result.status == "played" and hand.result.scores[LEARNER] > 0
    assert complete == 20


def test_a_learner_of_own_mind_still_sees_most_of_it():
    seen = []
    for seed in range(12):
        told: tuple[str, ...] = ()
        for view in views(opened(), Random(seed), whims=0.2):
            told = topics(moments(view))
        seen.append(len(set(told) & CORE) / len(CORE))
    assert sum(seen) / len(seen) > 0.8


def test_another_cut_gives_a_hand_too():
    ends: Counter[str] = Counter()
    for cut in (1, 20, 50, 77):
        hand = opened(cut=cut)
        for view in views(hand, Random(cut)):
            assert topics(moments(view))[-1] in lessons_text.TOPICS
        ends[hand.result.status] += 1
    assert ends["played"] + ends["thrown-in"] == 4


# what is explained when


def test_a_topic_comes_up_once_and_only_where_it_fits():
    for view in views(opened(), Random(3), whims=0.3):
        told = moments(view)
        found = topics(told)
        assert len(found) == len(told)
        new = [topic for topic in found if topic != OWN and not topic.endswith("-again") and topic != "take"]
        assert len(new) == len(set(new))
        fits = dict(OF_PLAY)
        assert all(fits[topic](moment) for topic, moment in zip(found, told, strict=True) if topic in fits)


def test_moments_tell_what_was_held_then():
    hand = opened()
    held = []
    for view in views(hand, Random(1), whims=0.2):
        if view.asked == "play":
            held.append(view.held)
        assert [moment.held for moment in moments(view) if moment.asked == "play"] == held
    assert len(held) == 19


def test_the_fool_is_spoken_of_when_a_trick_is_being_lost():
    hand = composed({0: "CK C5", 1: "F C10 CQ", 2: "C9", 3: "C8 C7"}, dealer=3)
    view = played(hand, "CK")
    assert moments(view)[-1].winner == 0
    assert not moments(view)[-1].partner_wins


def test_points_to_give_do_not_count_a_card_that_would_take_the_trick():
    hand = composed({0: "CQ C5", 1: "C10", 2: "CK C2", 3: "C8 C7"}, dealer=3)
    view = played(hand, "CQ", "C10")
    moment = moments(view)[-1]
    assert moment.partner_wins
    assert moment.best_to_give == 1


def test_a_watcher_has_no_moments():
    assert moments(opened().view(None)) == ()


# words


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence(reason):
    assert lesson.because(reason).endswith(".")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("play CK", "Play the king of cups."),
        ("play CK CJ", "Play the king of cups and the jack of cups together."),
        ("scart C5 B1", "Lay away the 5 of cups and the 1 of batons."),
        ("take C7", "Take back the 7 of cups."),
        ("cut 39", "Lift 39 cards."),
        ("deal 2", "Ask for 2 rounds."),
        ("arrange", "Leave the cards as they lie."),
        ("veto", "Say veto."),
        ("liber", "Say liber."),
        ("allow in-fluretg", "Say allow, with “in fluretg”."),
        ("buob", "Say buob."),
        ("buob-sche", "Say buob, sche."),
        ("quiet", "Say nothing."),
        ("go", "Go on with these cards."),
        ("throw-in", "Throw the cards in."),
        ("give", "Put the jack into the trick and take the Fool back."),
        ("keep", "Leave the Fool where it is."),
    ],
)
def test_a_suggestion_is_said_in_words(action, text):
    from domain.engine import parse_action

    assert lesson.doing(parse_action(action)) == text


@pytest.fixture
def table(db):
    player = person()
    return services.new_table(player, Game.Kind.GUIDED), player


def told(game: Game, player) -> lesson.Advice | None:
    game.refresh_from_db()
    return services.lesson_of(game, table_selector.sight_of(game, player))


def test_every_topic_has_a_title_and_a_text_that_is_filled_in(table):
    game, player = table
    sit(game, player)
    seen, view = table_selector.sight_of(game, player), table_selector.view_for(game, 0)
    scenes = [lessons_text.Scene(seen, None, None), lessons_text.Scene(seen, view, None)]
    scenes += [lessons_text.Scene(seen, view, moments(view)[-1]) for view in views(opened(), Random(1))]
    for topic in lessons_text.TOPICS:
        for scene in scenes:
            lines = lessons_text.lesson_lines(topic, scene)
            assert lines.title
            assert re.search(r"[.:!?]$", lines.text), (topic, lines.text)
            assert "%" not in lines.text
            assert len(lines.text) < 330, "it has to fit on a phone"


@pytest.mark.parametrize("language", ["de", "rm-sursilv"])
def test_cards_in_a_text_are_named_in_the_readers_language(language, table):
    from django.utils import translation

    with translation.override(language):
        text = lesson.doing(Action("play", (card_of("CK"),)))
        assert names.card_object("CK") in text
    assert names.card_object("CK") not in text


# the lesson at the table


def test_the_lesson_followed_to_its_end_counts_the_points(table):
    game, player = table
    assert told(game, player).topic == "welcome"
    sit(game, player)
    said = []
    while game.status == Game.Status.PLAYING:
        wait(game, player)
        if game.status != Game.Status.PLAYING:
            break
        advice = told(game, player)
        assert advice.suggestion
        assert advice.doing
        assert advice.because
        said.append(advice.topic)
        submit(game, player, advice.suggestion)
        game.refresh_from_db()
    assert set(said) >= CORE
    end = told(game, player)
    assert end.topic == "count"
    numbers = [int(line.number.replace("−", "-").replace("+", "")) for line in end.count]
    totals = [at for at, line in enumerate(end.count) if line.total]
    assert sum(numbers[: totals[0]]) == numbers[totals[0]] == game.hands.get().points[0]
    assert sum(numbers[totals[0] : totals[1]]) == numbers[totals[1]] == game.totals[0]


def test_the_two_cards_of_the_scart_are_counted_for_the_dealers_side(table):
    game, player = table
    sit(game, player)
    while game.status == Game.Status.PLAYING:
        wait(game, player)
        if game.status == Game.Status.PLAYING:
            submit(game, player, told(game, player).suggestion)
            game.refresh_from_db()
    stranger = game.seats.get(number=1).player
    seen = table_selector.sight_of(game, stranger)
    lines = lesson.closing(seen, replay.replay(game, 1, None, None)).count
    assert any("scart" in line.label and line.number == "−1" for line in lines)
    assert len(lines) == 6


def test_a_finished_lesson_is_not_offered_again(table):
    game, player = table
    sit(game, player)
    while game.status == Game.Status.PLAYING:
        wait(game, player)
        if game.status == Game.Status.PLAYING:
            submit(game, player, told(game, player).suggestion)
            game.refresh_from_db()
    player.refresh_from_db()
    assert player.guided_done_at is not None


def test_a_lesson_given_up_may_be_begun_again(table):
    import uuid

    game, player = table
    play.resign(game.pk, seat_of(game, player), request_id=uuid.uuid4(), by=player)
    player.refresh_from_db()
    assert player.guided_done_at is None
    assert told(game, player) is None


def test_the_teacher_keeps_a_text_while_others_act(table):
    game, player = table
    sit(game, player)
    submit(game, player, "cut 39")
    assert told(game, player).topic == "dealing"
    assert not told(game, player).suggestion
    wait(game, player)
    before = told(game, player)
    submit(game, player, before.suggestion)
    game.refresh_from_db()
    if game.to_act != 0:
        assert told(game, player).topic in ("dealing", "scart-watch", "watch")


def test_nobody_is_taught_at_another_table_or_by_watching(table):
    game, _player = table
    assert told(game, None) is None
    assert told(game, person()) is None


def test_a_page_asked_for_while_others_act_shows_one_moment(table):
    """The number a page carries is that of the table it shows, though its game was read before others acted."""
    game, player = table
    sit(game, player)
    submit(game, player, "cut 39")
    stale = Game.objects.get(pk=game.pk)
    assert tasks.do_due() > 0
    seen = table_selector.sight_of(stale, player)
    game.refresh_from_db()
    assert seen.number == game.number > stale.number
    assert seen.question.seat == game.to_act


def test_the_page_shows_the_lesson_and_hides_the_suggestion_until_it_is_asked_for(table):
    game, player = table
    sit(game, player)
    client = Client()
    client.cookies["guest"] = tokens.issue_guest_token(player)
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "You cut the pack" in page
    assert re.search(r'<details class="lesson-hint"(?! open)', page)
    assert 'value="cut 39"' in page
