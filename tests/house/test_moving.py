"""From SQLite to PostgreSQL by one command, which shows that both hold the same."""

from __future__ import annotations

import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import Player
from tests.games.table_kit import person
from tests.live import LiveSite, Sites, copy_template
from troccas_site import monitoring
from troccas_site.management.commands import move

PLAY = """
from tests.games.table_kit import laid, person, play_hand, sit
anna = person(name="Anna")
game = laid(anna)
sit(game, anna)
play_hand(game, anna)
"""


@pytest.mark.services
@pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="there is no PostgreSQL to move to")
def test_a_site_is_moved_with_all_it_holds_and_goes_on(sites: Sites, tmp_path: Path):
    copy_template("prepared", tmp_path)
    before = LiveSite(tmp_path, {"DATABASE_URL": ""})
    before.manage("shell", "-c", PLAY)
    target = sites.empty_database()
    assert before.manage("move", target["DATABASE_URL"]).startswith("The same in both: ")
    after = LiveSite(tmp_path, target)
    assert after.manage("verify") == "0 differences.\n"
    told = "from games.models import Action; print(list(Action.objects.order_by('pk').values_list('pk', 'text', 'at')))"
    assert after.manage("shell", "-c", told) == before.manage("shell", "-c", told)
    after.manage("shell", "-c", PLAY)  # numbers of new rows begin after those that came along
    with pytest.raises(subprocess.CalledProcessError) as refused:
        before.manage("move", target["DATABASE_URL"])
    assert "There are tables in that database already" in refused.value.stderr


def test_the_number_of_a_table_notices_a_row_that_is_another_a_millionth_of_a_second_and_a_row_too_few(db):
    anna, _beat = person(name="Anna"), person(name="Beat")
    seen = [move.digest(Player, "default")]
    assert move.digest(Player, "default") == seen[0]
    for change in ({"name": "Anne"}, {"last_seen_at": anna.last_seen_at + timedelta(microseconds=1)}):
        Player.objects.filter(pk=anna.pk).update(**change)
        seen.append(move.digest(Player, "default"))
    anna.delete()
    seen.append(move.digest(Player, "default"))
    assert len(set(seen)) == 4
    assert [count for count, _number in seen] == [2, 2, 2, 1]


@pytest.mark.django_db
def test_data_of_an_older_version_are_to_be_brought_up_to_date_first(monkeypatch):
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setattr(monitoring, "_migrated", False)
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_arguments: ["one"])
    with pytest.raises(move.MoveError, match="older version"):
        move.move("postgres://root@127.0.0.1:1/nowhere")


@pytest.mark.parametrize(
    "address", ["", "mysql://root@localhost/x", "postgres://localhost", "postgres://root@host:many/x"]
)
def test_an_address_that_is_none_is_said_in_words(address):
    with pytest.raises(move.MoveError):
        move.open_target(address)
