"""The guided hands: what is taught when, that no text says otherwise than the advice, that every word of it exists, and that
following it ends well."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from core.exceptions import Refusal
from domain.bots.advice import advise
from domain.bots.common import Reason
from domain.engine import Action, Hand, card_of, cards_in, ruleset
from domain.engine.cards import FOOL, FOOL_BIT, KINGS, LANES, TRUMP_CARDS, set_of, value_of
from domain.engine.legal import LegalPlays
from games.lessons import lesson
from games.lessons import services as learning
from games.lessons import text as lessons_text
from games.lessons.lesson import LESSONS, TROCCAS, TROGGU, Lesson
from games.lessons.topics import OWN, Course, Moment, shown, stop_of
from games.models import Action as Entry
from games.models import Game
from games.selectors import replay
from games.selectors import table as table_selector
from games.services import computers, play, rebuilding
from games.table import services, tasks
from games.text import advice as advice_text
from rules.text import names
from tests.domain.bots.table import composed
from tests.domain.bots.table import play as played
from tests.games.table_kit import person, seat_of, sit, submit
from tests.long import LONG

LEARNER = 0
CORE = {
    "troccas": {
        *("cut", "dealing", "talk", "second-round", "third-round", "scart-watch", "trick-won", "follow", "trump"),
        *("smear", "excuse", "pair", "take", "jack-came", "lead", "last"),
    },
    "troggu": {
        *("cut", "bidding", "bid", "discard", "partner", "lead-first", "follow", "trump", "high-fool"),
        *("partner-shown", "trick-won", "half", "last"),
    },
}
"""What the composed hands have to show to whoever follows the advice."""
BOTH = pytest.mark.parametrize("of", [TROCCAS, TROGGU], ids=["troccas", "troggu"])


def opened(of: Lesson, cut: int = 0) -> Hand:
    rules = ruleset(of.ruleset, None, of.seats)
    hand = Hand(rules, of.dealer, [card_of(code) for code in of.pack], options=rules.settled_options(of.options))
    hand.push(Action("cut", number=cut or of.lifted))
    return hand


def courses(hand: Hand, luck: Random, whims: float = 0.0) -> Iterator[Course]:
    """The lesson at each question and at each stop; the learner follows the advice, or with the chance `whims` a whim."""
    asked: list[Moment] = []
    read: list[str] = []
    while not hand.over:
        view = hand.view(LEARNER)
        if hand.turn != LEARNER:
            while stop := stop_of(Course(view, asked, read)):
                yield Course(view, asked, tuple(read))
                read.append(stop)
            hand.push(advise(hand.view(hand.turn), seed=b"%d" % luck.getrandbits(32)).action)
            continue
        asked.append(Moment(view))
        yield Course(view, asked, tuple(read))
        action = asked[-1].advice.action
        if isinstance(view.legal, LegalPlays) and luck.random() < whims:
            action = luck.choice(list(view.legal))
        hand.push(action)


def told_in(of: Lesson, seed: int, whims: float = 0.0) -> tuple[list[str], Hand]:
    """The topics of a played hand, in their order, and the hand."""
    hand = opened(of)
    return ["cut", *(shown(course) for course in courses(hand, Random(seed), whims))], hand


# the composed hands


@BOTH
def test_the_pack_holds_every_card_once(of):
    rules = ruleset(of.ruleset, None, of.seats)
    assert len(of.pack) == rules.pack.bit_count()
    assert {card_of(code) for code in of.pack} == set(cards_in(rules.pack))


@BOTH
def test_the_learner_cuts_and_the_form_proposes_the_lessons_cut(of):
    from games.table.templatetags.table import middle

    hand = Hand(ruleset(of.ruleset, None, of.seats), of.dealer, [card_of(code) for code in of.pack])
    assert (hand.asked, hand.turn) == ("cut", LEARNER)
    assert middle(hand.view(LEARNER).legal.most) == of.lifted


@BOTH
def test_following_the_advice_shows_every_core_moment_whatever_the_computer_players_say(of):
    for seed in range(20 if LONG else 8):
        told, hand = told_in(of, seed)
        assert CORE[of.ruleset] <= set(told)
        assert hand.result.status == "played"
        assert hand.result.scores[LEARNER] > 0


@BOTH
def test_a_learner_of_own_mind_still_sees_most_of_it(of):
    core = CORE[of.ruleset]
    seen = [len(core & set(told_in(of, seed, whims=0.2)[0])) / len(core) for seed in range(12 if LONG else 6)]
    assert sum(seen) / len(seen) > 0.8


@BOTH
def test_another_cut_gives_a_hand_too(of):
    for cut in (1, 20, 50, 61):
        hand = opened(of, cut)
        for course in courses(hand, Random(cut)):
            assert shown(course) in getattr(lessons_text, of.ruleset.upper())
        assert hand.result.status in ("played", "thrown-in")


def test_in_troggu_the_learner_takes_the_game_and_calls_somebody_who_has_the_card():
    _told, hand = told_in(TROGGU, 1)
    assert (hand.tappist, hand.contract) == (LEARNER, "normal")
    assert hand.partner not in (-1, LEARNER)


# what is explained when


def test_while_others_talk_the_round_that_was_dealt_is_told_even_when_it_was_read():
    hand = opened(TROCCAS)
    told: dict[int, set[str]] = {}
    while hand.asked in ("talk", "free", "decide"):
        view = hand.view(LEARNER)
        if hand.turn != LEARNER:
            asked, read = [Moment(opened(TROCCAS).view(LEARNER))], ("dealing", "second-round", "third-round")
            told.setdefault(view.dealt, set()).add(shown(Course(view, asked, read)))
        words = {str(action): action for action in hand.legal}
        hand.push(next(words[word] for word in ("allow", "liber", "go") if word in words))
    assert told == {1: {"dealing"}, 2: {"second-round"}, 3: {"third-round"}}


@BOTH
def test_a_topic_comes_up_once(of):
    for seed in range(4):
        told, _hand = told_in(of, seed, whims=0.3)
        new = [topic for topic in told if topic != OWN and not topic.endswith("-again") and topic != "take"]
        assert len(new) == len(set(new))


def plays(moment: Moment, card: int) -> bool:
    return moment.advised == 1 << card


def low(moment: Moment) -> bool:
    return all(value_of(card) == 1 for card in cards_in(moment.advised))


SAYS = {
    "follow": lambda moment: moment.advised & LANES[moment.view.lane],
    "trump": lambda moment: moment.advised & moment.trumps,
    "trumps-led": lambda moment: moment.advised & moment.trumps,
    "pair": lambda moment: moment.advised.bit_count() == 2,
    "smear": lambda moment: not low(moment) and moment.advice.reason == Reason.PARTNER_WINS_SMEAR,
    "excuse": lambda moment: plays(moment, FOOL),
    "fool-alone": lambda moment: not plays(moment, FOOL),
    "lead-king": lambda moment: moment.advised & KINGS,
    "lead-trump": lambda moment: moment.advised & moment.trumps,
    "lead": lambda moment: low(moment) and not moment.advised & TRUMP_CARDS,
    "last": lambda moment: moment.advice.reason == Reason.ONLY_CARD,
}
"""What a text tells the reader to do; the other topics of the play say only what the rules are, or what has happened."""


@BOTH
@pytest.mark.parametrize("whims", [0.0, 0.3, 1.0])
def test_no_text_says_otherwise_than_the_advice_shown_with_it(of, whims):
    checked = 0
    for seed in range(30 if LONG else 6):
        hand = opened(of, 0 if seed % 2 else 1 + seed)
        for course in courses(hand, Random(seed), whims):
            topic = shown(course)
            if course.mine and topic in SAYS:
                checked += 1
                assert SAYS[topic](course.asked[-1]), (topic, str(course.asked[-1].advice))
    assert checked > 20


def test_only_topics_that_say_what_to_do_have_to_agree():
    """Whoever writes a text that tells the reader what to play says so here, too."""
    from games.lessons import topics as plans

    asking = {
        topic.name for plan in (plans.TROCCAS, plans.TROGGU) for topic in plan.play if topic.agrees is not plans.always
    }
    assert asking | {"last"} == set(SAYS)


# stops


@BOTH
def test_the_aim_and_what_the_cards_count_are_told_before_the_first_decision(of, db):
    player = person()
    game = services.new_table(player, Game.Kind.GUIDED, of.ruleset)
    welcome = told(game, player)
    assert welcome.topic == "welcome"
    assert {"troccas": "36", "troggu": "58"}[of.ruleset] in welcome.lines.text
    assert {points for _, points in welcome.lines.values} == {5, 4, 3, 2, 1}


def test_the_others_wait_until_what_stands_there_was_read(table):
    game, player = table
    sit(game, player)
    submit(game, player, f"cut {TROCCAS.lifted}")
    assert (told(game, player).topic, told(game, player).waits) == ("dealing", True)
    assert game.waits_for == 1 << LEARNER
    assert rebuilding.rebuild(game.pk) == []
    before = game.number
    tasks.do_due(timezone.now() + timedelta(seconds=10))
    game.refresh_from_db()
    assert (game.number, game.due_at) == (before, None)
    go_on(game, player)
    assert not told(game, player).waits
    assert told(game, player).topic == "dealing"
    assert tasks.do_due(timezone.now()) > 0
    game.refresh_from_db()
    assert game.number == before + 2


def test_what_was_read_is_not_read_again(table):
    game, player = table
    sit(game, player)
    submit(game, player, f"cut {TROCCAS.lifted}")
    request = uuid.uuid4()
    game.refresh_from_db()
    number = game.number
    for _ in range(2):
        learning.mark_read(game.pk, LEARNER, expected=number, request_id=request, by=player)
    assert game.actions.filter(kind=Entry.Kind.EVENT, text=learning.READ).count() == 1
    with pytest.raises(Refusal):
        go_on(game, player)


def test_there_is_nothing_to_read_at_another_table(db):
    player = person()
    game = services.new_table(player, Game.Kind.PLAY)
    sit(game, player)
    with pytest.raises(Refusal):
        go_on(game, player)


def test_a_page_without_script_goes_on_by_a_form(table):
    game, player = table
    sit(game, player)
    submit(game, player, f"cut {TROCCAS.lifted}")
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    form = re.search(r'<form action="([^"]*/go-on/)".*?</form>', page, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="(expected|request_id)" value="([^"]*)"', form[0]))
    assert client.post(form[1], fields).status_code == 303
    assert not told(game, player).waits


# moments


def test_moments_tell_what_was_held_then():
    held = []
    for course in courses(opened(TROCCAS), Random(1), whims=0.2):
        if course.mine and course.view.asked == "play":
            held.append(course.view.held)
    last = [moment.view.held for moment in course.asked if moment.asked == "play"]
    assert last == held
    assert len(held) == 19


def test_the_winner_so_far_is_told():
    hand = composed({0: "CK C5", 1: "F C10 CQ", 2: "C9", 3: "C8 C7"}, dealer=3)
    moment = Moment(played(hand, "CK"))
    assert moment.winner == 0
    assert not moment.partner_wins


@BOTH
def test_what_is_said_to_be_a_must_is_what_the_rules_leave(of):
    """The Fool aside: in Troccas it may always go instead, in Troggu one's last trump may be kept back."""
    for seed in range(2):
        for course in courses(opened(of, 1 + seed), Random(seed), whims=1.0):
            if not course.mine or course.view.asked != "play" or course.asked[-1].leads:
                continue
            moment, left = course.asked[-1], course.asked[-1].playable & ~FOOL_BIT
            if moment.in_suit:
                assert left & ~LANES[course.view.lane] == 0
            elif moment.must_trump or moment.trumps_led:
                assert 0 != left == left & TRUMP_CARDS
            else:
                assert left == course.view.held & ~FOOL_BIT


def test_in_troggu_the_fool_as_the_last_trump_may_be_kept_back_and_once_it_is_one_has_no_trump():
    hand = opened(TROGGU)
    while hand.asked != "play":
        hand.push(advise(hand.view(hand.turn)).action)
    hand.leader, hand.turn, hand._playable = 1, 1, -1
    trumps = iter(cards_in(TRUMP_CARDS))
    for seat in range(TROGGU.seats):
        hand.hands[seat] = set_of([next(trumps) for _ in range(3)])
    hand.hands[LEARNER] = set_of(card_of(code) for code in ("F", "C1", "C2"))
    for kept in (False, True):
        while hand.turn != LEARNER:
            hand.push(Action("play", (next(cards_in(hand.hands[hand.turn])),)))
        moment = Moment(hand.view(LEARNER))
        assert (moment.fool_alone, moment.trumps_led, moment.is_free) == (not kept, False, kept)
        hand.push(Action("play", (card_of("C2" if kept else "C1"),)))


@pytest.mark.parametrize("topic", ["follow", "trump", "trumps-led"])
def test_who_holds_the_fool_in_troccas_is_told_that_it_may_go_instead(table, topic):
    seen = table_selector.sight_of(*table)
    for card in ("F", "C2"):
        view = played(composed({0: f"{card} C5", 3: "C9"}, dealer=2), "C9")
        lines = lessons_text.lesson_lines(topic, lessons_text.Scene(seen, view, Moment(view)))
        assert ("You hold the Fool" in lines.text) == (card == "F")


def test_points_to_give_do_not_count_a_card_that_would_take_the_trick():
    hand = composed({0: "CQ C5", 1: "C10", 2: "CK C2", 3: "C8 C7"}, dealer=3)
    moment = Moment(played(hand, "CQ", "C10"))
    assert moment.partner_wins
    assert moment.best_to_give == 1


def test_after_the_last_round_a_veto_plays_the_cards(db):
    """Before, the learner read that with a veto the deal goes on, though all cards are dealt."""
    seen = table_selector.sight_of(services.new_table(person(), Game.Kind.GUIDED), Player.objects.last())
    hand, said = opened(TROCCAS), {}
    while hand.asked in ("talk", "free", "decide"):
        if hand.turn == LEARNER:
            view = hand.view(LEARNER)
            said[view.dealt] = lessons_text.lesson_lines("talk", lessons_text.Scene(seen, view, Moment(view))).text
        words = {str(action): action for action in hand.legal}
        hand.push(next(words[word] for word in ("allow", "liber", "go") if word in words))
    assert ["the deal goes on" in said[dealt] for dealt in (1, 2, 3)] == [True, True, False]
    assert "with a veto the cards are played" in said[3]


# words


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence(reason):
    assert advice_text.because(reason, "troccas").endswith(".")
    assert advice_text.because(reason, "troggu").endswith(".")


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
        ("allow in-fluretg", "Allow a throw-in, with “in fluretg”."),
        ("buob", "Say buob."),
        ("buob-sche", "Say buob, sche."),
        ("quiet", "Say nothing."),
        ("go", "Go on with these cards."),
        ("throw-in", "Throw the cards in."),
        ("give", "Put the jack into the trick and take the Fool back."),
        ("keep", "Leave the Fool where it is."),
        ("pass", "Pass."),
        ("take", "Say “ich nehm’s” and play with the Tapp."),
        ("solo", "Play a Solo."),
        ("discard C5 B1", "Lay away the 5 of cups and the 1 of batons."),
        ("call T20", "Call the XX (Judgement)."),
    ],
)
def test_a_suggestion_is_said_in_words(action, text):
    from domain.engine import parse_action

    assert advice_text.doing(parse_action(action), "troccas") == text


@pytest.fixture
def table(db):
    player = person()
    return services.new_table(player, Game.Kind.GUIDED), player


def told(game: Game, player) -> lesson.Advice | None:
    game.refresh_from_db()
    return services.lesson_advice(game, table_selector.sight_of(game, player))


def go_on(game: Game, player) -> None:
    game.refresh_from_db()
    learning.mark_read(game.pk, LEARNER, expected=game.number, request_id=uuid.uuid4(), by=player)


def wait(game: Game, player) -> list[str]:
    """Let the others act until the learner is asked, reading what has to be read; its topics."""
    read: list[str] = []
    while True:
        game.refresh_from_db()
        if game.to_act is None or game.to_act == seat_of(game, player):
            return read
        advice = told(game, player)
        if advice.waits:
            read.append(advice.topic)
            go_on(game, player)
        else:
            assert computers.act_for(game)


def follow_to_the_end(game: Game, player) -> list[str]:
    """Sit down and do what is suggested; the topics."""
    sit(game, player)
    said: list[str] = []
    while game.status == Game.Status.PLAYING:
        said += wait(game, player)
        if game.status == Game.Status.PLAYING:
            advice = told(game, player)
            assert advice.suggestion
            assert advice.doing
            assert advice.because
            said.append(advice.topic)
            submit(game, player, advice.suggestion)
            game.refresh_from_db()
    return said


@BOTH
def test_every_topic_has_a_title_and_a_text_that_is_filled_in(of, db):
    player = person()
    game = services.new_table(player, Game.Kind.GUIDED, of.ruleset)
    sit(game, player)
    seen, view = table_selector.sight_of(game, player), table_selector.view_for(game, 0)
    scenes = [lessons_text.Scene(seen, None, None), lessons_text.Scene(seen, view, None)]
    scenes += [
        lessons_text.Scene(seen, course.view, course.asked[-1] if course.asked else None)
        for course in courses(opened(of), Random(1))
    ]
    for topic in getattr(lessons_text, of.ruleset.upper()):
        for scene in scenes:
            lines = lessons_text.lesson_lines(topic, scene)
            assert lines.title
            assert re.search(r"[.:!?]$", lines.text), (topic, lines.text)
            assert "%" not in lines.text
            assert len(lines.text) < (420 if topic == "welcome" else 330), "it has to fit on a phone"


def test_in_troggu_no_word_of_the_surselva_is_taught(db):
    player = person()
    game = services.new_table(player, Game.Kind.GUIDED, "troggu")
    seen = table_selector.sight_of(game, player)
    for course in courses(opened(TROGGU), Random(1)):
        scene = lessons_text.Scene(seen, course.view, course.asked[-1] if course.asked else None)
        assert lessons_text.lesson_lines(shown(course), scene).word_lang in ("", "gsw")


@pytest.mark.parametrize("language", ["de", "rm-sursilv"])
def test_cards_in_a_text_are_named_in_the_readers_language(language, table):
    from django.utils import translation

    with translation.override(language):
        text = advice_text.doing(Action("play", (card_of("CK"),)), "troccas")
        assert names.card_object("CK") in text
    assert names.card_object("CK") not in text


# the lesson at the table


def test_the_lesson_followed_to_its_end_counts_the_points(table):
    game, player = table
    assert told(game, player).topic == "welcome"
    assert set(follow_to_the_end(game, player)) >= CORE["troccas"]
    end = told(game, player)
    assert end.topic == "count"
    numbers = [int(line.number.replace("−", "-").replace("+", "")) for line in end.count]
    totals = [at for at, line in enumerate(end.count) if line.total]
    assert sum(numbers[: totals[0]]) == numbers[totals[0]] == game.hands.get().points[0]
    assert sum(numbers[totals[0] : totals[1]]) == numbers[totals[1]] == game.totals[0]
    # the two cards of the scart are counted for the dealer's side
    seen = table_selector.sight_of(game, game.seats.get(number=1).player)
    lines = lesson.closing(seen, replay.replay(game, 1, None, None)).count
    assert any("scart" in line.label and line.number == "−1" for line in lines)
    assert len(lines) == 6
    player.refresh_from_db()
    assert player.guided_done_at is not None, "it is not offered again"


def test_the_lesson_of_troggu_followed_to_its_end_counts_the_points_and_the_stakes(db):
    player = person()
    game = services.new_table(player, Game.Kind.GUIDED, "troggu")
    assert set(follow_to_the_end(game, player)) >= CORE["troggu"]
    end = told(game, player)
    assert end.count[0].number == str(game.hands.get().points[0])
    assert end.count[-1].number == f"+{game.totals[LEARNER]}"


def test_a_lesson_given_up_may_be_begun_again(table):
    game, player = table
    play.resign(game.pk, seat_of(game, player), request_id=uuid.uuid4(), by=player)
    player.refresh_from_db()
    assert player.guided_done_at is None
    assert told(game, player) is None


def test_each_lesson_goes_on_where_it_was_left(db):
    player = person()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    opened_at = {rules: client.post(reverse("games:guided"), {"game": rules})["Location"] for rules in LESSONS}
    assert len(set(opened_at.values())) == 2
    for rules, address in opened_at.items():
        assert client.post(reverse("games:guided"), {"game": rules})["Location"] == address
    assert client.post(reverse("games:guided"))["Location"] == opened_at["troccas"]


def test_nobody_is_taught_at_another_table_or_by_watching(table):
    game, _player = table
    assert told(game, None) is None
    assert told(game, person()) is None


def test_a_page_asked_for_while_others_act_shows_one_moment(table):
    """The number a page carries is that of the table it shows, though its game was read before others acted."""
    game, player = table
    sit(game, player)
    submit(game, player, f"cut {TROCCAS.lifted}")
    go_on(game, player)
    stale = Game.objects.get(pk=game.pk)
    assert tasks.do_due() > 0
    seen = table_selector.sight_of(stale, player)
    game.refresh_from_db()
    assert seen.number == game.number > stale.number
    assert seen.question.seat == game.to_act


def test_the_lesson_speaks_of_the_moment_that_the_page_shows(table):
    """Others may act after the table was read for a page and before its lesson is: the form to go on must not be stale."""
    game, player = table
    sit(game, player)
    submit(game, player, f"cut {TROCCAS.lifted}")
    game.refresh_from_db()
    seen = table_selector.sight_of(game, player)
    go_on(game, player)
    wait(game, player)
    assert told(game, player).topic == "talk"
    assert (services.lesson_advice(game, seen).topic, services.lesson_advice(game, seen).waits) == ("dealing", True)


def test_the_page_shows_the_lesson_and_hides_the_suggestion_until_it_is_asked_for(table):
    game, player = table
    sit(game, player)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "You cut the pack" in page
    assert re.search(r'<details class="lesson-hint"(?! open)', page)
    assert f'value="cut {TROCCAS.lifted}"' in page
