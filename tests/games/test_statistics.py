"""The pages of statistics: who may see whose, what figures rest on, what is left out, and how much the database is asked."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from statistics import stdev
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import privacy as accounts_privacy
from accounts import registry, sessions
from accounts.models import Player
from games import charts
from games.analysis.models import Analysis, JudgedAction
from games.charts import FEW, Column, Interval, Mean, Share, Words
from games.models import Deal, Game, GameHand, PlayedSeat, Seat
from games.services import computers
from games.statistics import permissions as statistics_permissions
from games.statistics import privacy, selectors
from games.statistics.models import Audience, StatisticsAudience
from games.statistics.selectors import Scope
from rules.text import names
from tests.games.lobby_kit import guest, member
from tests.games.plans_kit import CHANGING
from tests.games.store_kit import store
from tests.games.test_counting import played

pytestmark = pytest.mark.django_db

TROCCAS = ("troccas", 4)


def laid(
    players: list[Player], scores: list[int], *, kind: str = "play", ago: int = 0, ruleset: str = "troccas"
) -> Game:
    """A finished game of two sides with the rows of its hands, as the door leaves them; `scores` are the first side's."""
    game = Game.objects.create(
        kind=kind, ruleset=ruleset, ruleset_version=1, options={}, table_size=len(players), status=Game.Status.FINISHED
    )
    deal = Deal.objects.create(table=game.public_id, ordinal=1)
    at = timezone.now() - timedelta(days=ago)
    for seat, player in enumerate(players):
        Seat.objects.create(game=game, number=seat, player=player)
    for number, score in enumerate(scores, 1):
        hand = GameHand.objects.create(game=game, number=number, deal=deal, dealer=number % 4, status="played")
        for seat, player in enumerate(players):
            own = score if seat % 2 == 0 else -score
            PlayedSeat.objects.create(
                hand=hand, seat=seat, player=player, at=at, month=at.year * 100 + at.month, ruleset=ruleset,
                table_size=len(players), people_only=not any(each.is_computer for each in players), party=seat % 2,
                dealer=seat == hand.dealer, score=own, points=36 + own, outcome=(own > 0) - (own < 0), tricks=4,
                honours=2, calls=1, calls_met=number % 2, jacks_called=0, fool="saved" if seat == 0 else "", bagat="",
            )  # fmt: skip
    return game


def table() -> list[Player]:
    return [member(name) for name in ("Anna", "Beat", "Clau", "Duri")]


def browser_of(player: Player | None) -> Client:
    client = Client()
    if player is not None and player.user is not None:
        client.force_login(player.user)
    elif player is not None:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def page(shown: Player, viewer: Player | None, **query: str) -> Any:
    return browser_of(viewer).get(reverse("statistics:person", args=[shown.public_id]), query)


def words_of(shown: Player, viewer: Player | None, **query: str) -> str:
    """What the page says, without the tokens of its forms: they are made by chance, and may spell a name of four letters."""
    return CHANGING.sub("", page(shown, viewer, **query).content.decode())


def choose(player: Player, audience: Audience) -> None:
    StatisticsAudience.objects.update_or_create(player=player, defaults={"audience": audience})


# arithmetic


def test_the_standard_error_is_that_of_the_sample():
    scores = [3, -5, 8, 0, 12, -4, 7, 1, 2, -6]
    figure = Mean(len(scores), sum(scores), sum(score * score for score in scores))
    assert figure.mean == pytest.approx(1.8)
    assert figure.error == pytest.approx(stdev(scores) / len(scores) ** 0.5)
    assert Mean(1, 5, 25).error == 0
    assert not Mean(FEW - 1, 0, 0).enough
    assert Share(3, 12).percent == 25


def test_no_span_of_scores_holds_losses_and_gains_and_none_is_left_out():
    spans = charts.bins([(-31, 1), (-1, 2), (0, 3), (24, 4)])
    assert sum(count for _first, _last, count in spans) == 10
    assert all(last < 0 or first >= 0 for first, last, _count in spans)
    assert [first for first, _last, _count in spans] == list(
        range(spans[0][0], spans[-1][1], spans[0][1] - spans[0][0] + 1)
    )
    assert charts.bins([]) == []


def test_a_drawing_is_named_and_escapes_what_people_are_called():
    words = Words("drawn", "Title", "Text")
    drawn = charts.rows(words, [Interval("<b>& Co", 1.5, 0.5), Interval("Beat", -40.0, 2.0, sure=False)])
    assert '<title id="drawn-title">Title</title>' in drawn
    assert "&lt;b&gt;&amp; Co" in drawn
    assert "unsure" in drawn
    for one in (drawn, charts.course(words, [Interval("1/26", 0.0, 0.0)]), charts.columns(words, [Column("0", 0)])):
        assert one.startswith("<svg")
        assert "nan" not in one
        assert "style=" not in one


# what is counted


def test_points_are_told_apart_by_game_dealer_partner_and_time():
    anna, beat, clau, duri = people = table()
    laid(people, [10] * 12)
    laid([anna, clau, beat, duri], [-4] * 12, ago=200)
    laid([anna, beat, clau], [5] * 3, ruleset="troccas-3")
    found = selectors.variants(anna, Scope())
    assert {variant: result.points.hands for variant, result in found.items()} == {TROCCAS: 24, ("troccas-3", 3): 3}
    assert found[TROCCAS].points.mean == 3
    assert found[TROCCAS].above.percent == 50
    recent = Scope(TROCCAS, timezone.now() - timedelta(days=90))
    assert [(met.player, met.together.points.total, met.against.points.total) for met in selectors.company(anna, recent)] == [
        (beat.pk, 0, 120), (clau.pk, 120, 0), (duri.pk, 0, 120),
    ]  # fmt: skip
    detail = selectors.detail(anna, Scope(TROCCAS))
    assert detail.by_dealer[True].points.hands == 6
    assert detail.by_dealer[False].points.hands == 18
    assert detail.happened.per_hand["calls"] == 24
    assert detail.happened.per_hand["calls_met"] == 12
    assert detail.happened.fates["fool"] == Share(24, 24)
    months, scores = selectors.course(anna, Scope(TROCCAS))
    assert sum(mean.hands for mean in months.values()) == 24
    assert scores == {10: 12, -4: 12}
    between = selectors.pair(anna, beat, Scope())[TROCCAS]
    assert (between.together.points.total, between.against.points.total) == (-48, 120)
    assert between.against_other.points.total == -120


def test_hands_with_computer_players_can_be_left_out_and_those_stand_apart():
    anna, beat = member("Anna"), member("Beat")
    laid([anna, beat, *computers.computer_players(2)], [3] * 11)
    assert selectors.variants(anna, Scope(people_only=True)) == {}
    text = words_of(anna, anna)
    assert "computer players" in text
    assert computers.NAMES[0] not in text
    assert "No hand is over that would count here" in page(anna, anna, company="people").content.decode()


def test_under_ten_hands_nothing_is_said():
    people = table()
    laid(people, [7] * (FEW - 1))
    text = page(people[0], people[0]).content.decode()
    assert "too few hands" in text
    assert "+7.0" not in text
    laid(people, [7])
    assert "+7.0 ± 0.0" in page(people[0], people[0]).content.decode()


def test_what_is_not_offered_is_refused_with_a_word():
    anna = member("Anna")
    answer = page(anna, anna, period="yesterday")
    assert answer.status_code == 422
    assert "Choose one of the options offered" in answer.content.decode()


# who may see it


@pytest.mark.parametrize(
    ("audience", "seen"),
    [
        (None, {"self", "mate"}),
        (Audience.COMPANY, {"self", "mate"}),
        (Audience.EVERYBODY, {"self", "mate", "member", "stranger"}),
        (Audience.ONLY_ME, {"self"}),
    ],
)
def test_a_player_decides_who_may_see_it(audience: Audience | None, seen: set[str]):
    people = table()
    laid(people, [1] * 12)
    if audience is not None:
        choose(people[0], audience)
    viewers = {"self": people[0], "mate": people[2], "member": member("Emil"), "stranger": None}
    codes = {name: page(people[0], viewer).status_code for name, viewer in viewers.items()}
    assert codes == {name: 200 if name in seen else 403 for name in viewers}


def test_who_is_blocked_never_sees_it_and_is_told_no_more_than_others():
    people = table()
    laid(people, [1] * 12)
    choose(people[0], Audience.EVERYBODY)
    assert page(people[0], people[1]).status_code == 200
    account_permissions.block(people[0], people[1])
    refused = page(people[0], people[1])
    choose(people[0], Audience.ONLY_ME)
    account_permissions.unblock(people[0], people[1])
    assert refused.status_code == 403
    said = "These statistics are not shown to you."
    assert said in refused.content.decode()
    assert said in page(people[0], people[1]).content.decode()


def test_a_persons_page_leads_to_the_statistics_whoever_may_see_them():
    people = table()
    laid(people, [1] * 12)
    emil = member("Emil")
    address = reverse("statistics:person", args=[people[0].public_id])

    def offered_to(viewer: Player | None) -> bool:
        page = browser_of(viewer).get(reverse("accounts:person", args=[people[0].public_id])).content.decode()
        assert (address in page) == (">12 hands<" in page)
        return address in page

    assert [offered_to(viewer) for viewer in (people[0], people[2], emil, None)] == [True, True, False, False]
    choose(people[0], Audience.EVERYBODY)
    assert [offered_to(viewer) for viewer in (emil, None)] == [True, True]
    account_permissions.block(people[0], people[2])
    assert not offered_to(people[2])
    assert not registry.facts_about(emil, emil)  # there is nothing to count yet


def test_practice_makes_no_company():
    anna, beat = member("Anna"), member("Beat")
    laid([anna, beat, *computers.computer_players(2)], [], kind="practice")
    assert not statistics_permissions.may_see(anna, beat)


def test_others_are_named_only_where_they_show_theirs_to_the_reader():
    people = table()
    laid(people, [1] * 12)
    for player in people[:2]:
        choose(player, Audience.EVERYBODY)
    text = words_of(people[0], member("Emil"))
    assert "Beat" in text
    assert "Clau" not in text
    assert "other people" in text
    assert "Clau" in words_of(people[0], people[0])


def test_a_pair_is_for_the_two_and_for_whom_both_let_see():
    people = table()
    laid(people, [1] * 12)
    address = reverse("statistics:pair", args=[people[0].public_id, people[2].public_id])
    emil = member("Emil")
    choose(people[0], Audience.EVERYBODY)
    assert browser_of(emil).get(address).status_code == 403
    choose(people[2], Audience.EVERYBODY)
    answer = browser_of(emil).get(address)
    assert "Anna and Clau on one side" in answer.content.decode()
    choose(people[2], Audience.ONLY_ME)
    assert browser_of(people[0]).get(address).status_code == 200
    assert browser_of(people[0]).get(reverse("statistics:pair", args=[people[0].public_id] * 2)).status_code == 404


def test_the_choice_is_made_in_the_preferences():
    anna = member("Anna")
    client = browser_of(anna)
    address = reverse("accounts:preferences")
    assert "Who may see your statistics" in client.get(address).content.decode()
    assert client.post(address, {"section": "statistics", "audience": "only-me"}).status_code == 302
    assert anna.statistics_audience.audience == "only-me"
    assert client.post(address, {"section": "statistics", "audience": "nobody"}).status_code == 422
    anna.refresh_from_db()
    assert anna.statistics_audience.audience == "only-me"


def test_pages_are_kept_by_nobody_and_listed_nowhere():
    people = table()
    laid(people, [1])
    for viewer in (people[0], None):
        answer = page(people[0], viewer)
        assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
        assert answer["X-Robots-Tag"] == "noindex, nofollow"


# what is one's own


def test_ones_own_hands_can_be_taken_along_and_nobody_elses():
    people = table()
    game = laid(people, [6, -3])
    address = reverse("statistics:hands", args=[people[1].public_id])
    rows = list(csv.DictReader(io.StringIO(browser_of(people[1]).get(address).content.decode())))
    assert [(row["game"], row["hand"], row["score"]) for row in rows] == [
        (game.public_id, "1", "-6"),
        (game.public_id, "2", "3"),
    ]
    assert browser_of(people[0]).get(address).status_code == 404
    assert browser_of(None).get(address).status_code == 404


def test_the_export_has_the_hands_and_an_erased_person_leaves_a_number():
    people = table()
    laid(people, [6] * 12)
    choose(people[0], Audience.EVERYBODY)
    assert privacy in registry.belongings
    part = privacy.export(people[0])
    assert part["statistics_audience"] == "everybody"
    hands = part["hands"]
    assert isinstance(hands, list)
    assert [row["score"] for row in hands] == [6] * 12
    user = people[0].user
    assert user is not None
    accounts_privacy.erase(user)
    assert not StatisticsAudience.objects.exists()
    assert PlayedSeat.objects.filter(player=people[0]).count() == 12
    assert page(people[0], people[1]).status_code == 404
    text = words_of(people[2], people[2])
    assert f"Former player {people[0].number}" in text
    assert "Anna" not in text


def test_a_guest_has_statistics_too_and_a_stranger_is_shown_where_to_begin():
    visitor = guest("Gast")
    laid([visitor, *table()[:3]], [2] * 10)
    own = reverse("statistics:own")
    assert "+2.0" in browser_of(visitor).get(own, follow=True).content.decode()
    assert browser_of(None).get(own)["Location"].partition("?")[0] == reverse("accounts:you")


def test_however_many_hands_and_partners_there_are_the_database_is_asked_as_often(django_assert_max_num_queries):
    people = table()
    others = [member(f"Person {letter}") for letter in "ABCDEFGH"]
    laid(people, [1] * 3)
    for other in others:
        laid([people[0], other, people[2], people[3]], [4, -2])
    for player in [people[0], *others]:
        choose(player, Audience.EVERYBODY)
    address = reverse("statistics:person", args=[people[0].public_id])
    for viewer, most in ((people[0], 14), (people[1], 19)):
        client = browser_of(viewer)
        client.get(address)  # the words of the screens are read once
        with django_assert_max_num_queries(most):
            assert client.get(address).status_code == 200


def test_troggu_tells_whose_game_it_was_in_the_words_of_the_players_and_counts_in_rappen():
    people = table()
    for seed in range(4):
        store(played("troggu", 4, seed), people)
    text = page(people[0], people[0]).content.decode()
    assert "Rappen per hand" in text
    assert "4 players" in text
    roles = set(PlayedSeat.objects.filter(player=people[0]).values_list("role", flat=True))
    words = {"tappist": names.word("tappist").text, "soloist": names.word("solo").text}
    for role, word in words.items():
        assert (f'<th scope="row">{word}</th>' in text) == (role in roles)
    assert "Calls for the" not in text
    laid(people, [3])
    assert "Calls for the jack made" in page(people[0], people[0], game="troccas_4").content.decode()


def judge(hand: GameHand, *decisions: tuple[int, float, float, bool], status: str = "done") -> None:
    """An analysis of the hand with these decisions: seat, cost, standard error, exact."""
    analysis = Analysis.objects.create(hand=hand, status=status, players="1")
    for step, (seat, cost, error, exact) in enumerate(decisions):
        JudgedAction.objects.create(
            analysis=analysis, step=step, seat=seat, asked="play", trick=1, action="play C2", cost=cost, error=error,
            exact=exact, options=[],
        )  # fmt: skip


def test_accuracy_counts_ones_own_clear_mistakes_month_by_month() -> None:
    anna, beat = member("Anna"), member("Beat")
    table = [anna, beat, member("Clau"), member("Duri")]
    now, before = laid(table, [3, 1]), laid(table, [2], ago=40)
    first, second = now.hands.order_by("number")
    doubtful, small = (0, 1.0, 0.5, False), (0, 0.4, 0.0, True)
    judge(first, (0, 2.0, 0.5, False), doubtful, small, (1, 9.0, 0.1, False))
    judge(second, (0, 0.5, 0.9, True), status="done")
    judge(before.hands.get(), (0, 3.0, 1.0, False))
    found = list(selectors.accuracy(anna, Scope(TROCCAS)).values())
    assert [(each.hands, each.decisions, each.mistakes, each.cost) for each in found] == [
        (1, 1, 1, 3.0),
        (2, 4, 2, 2.5),
    ]
    GameHand.objects.filter(pk=second.pk).get().analysis.delete()
    judge(second, (0, 7.0, 0.1, False), status="running")
    assert list(selectors.accuracy(anna, Scope(TROCCAS)).values())[-1].cost == 2.0


def test_ones_accuracy_is_shown_to_nobody_else() -> None:
    anna, beat = member("Anna"), member("Beat")
    game = laid([anna, beat, member("Clau"), member("Duri")], [3])
    judge(game.hands.get(), (0, 2.0, 0.5, False))
    for viewer, shown in ((anna, True), (beat, False)):
        answer = page(anna, viewer)
        assert answer.status_code == 200
        assert ("Points lost per hand" in answer.content.decode()) == shown
