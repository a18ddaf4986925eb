"""Nothing of a deal that is not open is told to who has not played it: cards and results at other tables are exchanged, and
every page stays the same byte for byte."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.daily import services, tasks
from games.daily.models import DailyDay, DailyEntry, DailyWishes
from games.models import Deal, Game, GameHand
from tests.games.daily import kit
from tests.games.table_kit import person
from tests.games.test_secrets import CHANGING
from tests.long import LONG

pytestmark = pytest.mark.django_db


def outputs(viewers, day) -> dict[str, object]:
    """All that the daily deal, the front page and the own lists give out, for each viewer."""
    paths = [
        "/en/", "/en/daily/", f"/en/daily/{day.date}/", "/en/daily/archive/", "/daily/days.json", "/en/my-games/",
        "/my-games/waiting.json", "/en/watch/", "/en/tables/",
    ]  # fmt: skip
    found: dict[str, object] = {}
    for name, viewer in viewers.items():
        client = kit.browser(viewer)
        for path in paths:
            answer = client.get(path)
            body = CHANGING.sub("", answer.content.decode())
            body = re.sub(
                r'name="csrfmiddlewaretoken" value="[^"]+"|X-CSRFToken&quot;: &quot;\w+|"X-CSRFToken": "\w+"', "", body
            )
            found[f"{name} {path}"] = answer.status_code, body, answer.headers.get("ETag")
    return found


def exchange(day: DailyDay, others: list[DailyEntry], *, way: int) -> None:
    """Other cards, other results, games over or not: as if it had gone otherwise at the tables of others."""
    deal = Deal.objects.get(table=day.board_set.public_id)
    pack = deal.pack.split()
    Deal.objects.filter(pk=deal.pk).update(
        pack=" ".join(pack[way:] + pack[:way]), secret=bytes([way]) * 32, cut=way + 1
    )
    for number, entry in enumerate(others):
        points = (-1) ** way * (31 * way + number)
        scores = [points, -points, *([0] * (entry.game.table_size - 2))]
        over = (number + way) % 2 == 0
        status = GameHand.Status.PLAYED if over else GameHand.Status.OPEN
        GameHand.objects.filter(game=entry.game).update(status=status, scores=scores if over else [])
        Game.objects.filter(pk=entry.game_id).update(
            status=Game.Status.FINISHED if over else Game.Status.PLAYING,
            totals=scores if over else [0] * entry.game.table_size,
            ended_at=timezone.now() if over else None,
        )


@pytest.mark.parametrize("when", ["today", "after midnight"])
@pytest.mark.slow(but="after midnight")
def test_cards_and_results_of_other_tables_change_no_page(when):
    now = timezone.now() - (timedelta(days=0) if when == "today" else timedelta(days=2))
    others = [kit.begun(kit.member(f"Other{number}"), now) for number in range(5)]
    for entry in others:
        DailyWishes.objects.create(player=entry.player, shows_name=True, shows_play=True)
    day = DailyDay.objects.get()
    playing, over = person(), person()
    kit.begun(playing, now)
    kit.played(over, now, 11)
    viewers = {"stranger": None, "guest": person(), "member": kit.member("Reader"), "playing": playing, "over": over}
    if when == "after midnight":
        tasks.do_due(services.ends(day.date))
        day.refresh_from_db()
        assert day.computer is not None
    seen = []
    for way in (1, 2, 5) if LONG else (1, 2):
        exchange(day, others, way=way)
        seen.append(outputs(viewers, day))
    assert all(each == seen[0] for each in seen)
    # The comparison is not blind: what everybody may know does change it.
    kit.begun(person(), timezone.now())
    assert outputs(viewers, day)["stranger /en/daily/"] != seen[0]["stranger /en/daily/"]


def test_the_number_of_those_who_begun_is_all_that_is_told_of_others():
    now = timezone.now()
    kit.played(kit.member("Other"), now, 37)
    page = kit.text_of(kit.browser(person()), "/en/daily/")
    assert "1 person has begun it" in page
    assert "+37" not in page
    assert "Other" not in re.sub(r"<(header|footer).*?</\1>", "", page, flags=re.DOTALL).replace("Others", "")
