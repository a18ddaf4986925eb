"""Backups of a running site: whole, checked, encrypted, thinned out, and restored to the same site."""

from __future__ import annotations

import errno
import io
import os
import sqlite3
import tarfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command

from games.models import Game
from games.services.rebuilding import rebuild
from tests.house.test_serving import presser
from tests.live import LiveSite, Sites
from tests.long import quick
from troccas_site import backups

KEY = "three words of ours"


def presses(fresh_site: LiveSite, stop: Event, begun: list[int]) -> None:
    """Newcomers begin games, one after another."""
    while not stop.is_set():
        begun.append(presser(fresh_site)())


def rows(data: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data / "site.sqlite3")) as database:
        return database.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall()  # noqa: S608  # a name from LOGS below


LOGS = ("games_action", "games_game", "games_deal", "tournaments_tournamentevent", "rules_revision", "accounts_player")


@pytest.mark.skipif(
    bool(site.DATABASES["default"]["ENGINE"].endswith("postgresql")),
    reason="compares the two files of SQLite; PostgreSQL has a test of its own below",
)
@pytest.mark.parametrize("key", quick({"encrypted"}, ["", KEY], ["plain", "encrypted"]))
@pytest.mark.slow
def test_a_backup_made_while_people_play_is_the_site_at_one_moment(fresh_site: LiveSite, sites: Sites, tmp_path, key):
    stop, begun = Event(), list[int]()
    playing = Thread(target=presses, args=(fresh_site, stop, begun))
    playing.start()
    fresh_site.extra |= {"BACKUP_KEY": key}
    try:
        while len(begun) < 3:
            stop.wait(0.05)
        said = fresh_site.manage("backup", str(tmp_path))
    finally:
        stop.set()
        playing.join()
    assert "checked" in said
    (made,) = tmp_path.glob("*.backup")
    assert made.stat().st_mode & 0o077 == 0
    assert (b"SQLite format 3" in made.read_bytes()) is False, "packed, and maybe encrypted"
    other = LiveSite(tmp_path / "restored", {"BACKUP_KEY": key}, fresh_site.unblocked)
    other.manage("restore", str(made))
    fresh_site.stop()
    for table in LOGS:
        restored, now = rows(other.data, table), rows(fresh_site.data, table)
        assert {row[0] for row in restored} <= {row[0] for row in now}, table
    assert len(rows(other.data, "games_game")) >= 3
    assert (other.data / "secret_key").read_text() == (fresh_site.data / "secret_key").read_text()
    other.start()
    try:
        assert other.call(differences) == []
    finally:
        other.kill()


def differences() -> list[str]:
    """What of the games on a site is not as their logs say."""
    return [change for game in Game.objects.order_by("pk") for change in rebuild(game.pk)]


@pytest.mark.services
@pytest.mark.skipif(
    not site.DATABASES["default"]["ENGINE"].endswith("postgresql"),
    reason="restores into an empty database of PostgreSQL",
)
def test_on_postgresql_it_is_restored_into_an_empty_database(fresh_site: LiveSite, sites: Sites, tmp_path):
    presses_once = presser(fresh_site)
    assert presses_once() == 303
    fresh_site.manage("backup", str(tmp_path))
    (made,) = tmp_path.glob("*.backup")
    other = LiveSite(tmp_path / "restored", sites.empty_database(owned=True))
    assert "Restored" in other.manage("restore", str(made))
    told = "from games.models import Action; print(list(Action.objects.order_by('pk').values_list('pk', 'text')))"
    assert other.manage("shell", "-c", told) == fresh_site.manage("shell", "-c", told)


@pytest.fixture
def made(transactional_db: None, tmp_path: Path) -> Path:
    return backups.make(tmp_path / "backups", key=KEY)


def test_a_backup_that_is_cut_or_altered_or_whose_key_is_wrong_is_refused(made: Path):
    whole = made.read_bytes()
    assert backups.check(made, key=KEY)["games_game"] == 0
    with pytest.raises(backups.BackupError, match="encrypted"):
        backups.check(made)
    with pytest.raises(backups.BackupError, match="not that of this backup"):
        backups.check(made, key="other words")
    for broken in (whole[:-100], whole[: len(whole) // 2], whole[:-50] + bytes(50), whole[:60]):
        made.write_bytes(broken)
        with pytest.raises(backups.BackupError):
            backups.check(made, key=KEY)


def test_what_is_no_backup_is_refused_in_words(tmp_path, settings):
    path = tmp_path / "a.backup"
    for text in (b"", b"hello", b"\x1f\x8b" + bytes(100)):
        path.write_bytes(text)
        with pytest.raises(backups.BackupError, match="no whole backup"):
            backups.check(path)


@pytest.mark.django_db
def test_nothing_is_restored_over_what_is_there(made: Path, settings):
    settings.BACKUP_KEY = KEY
    with pytest.raises(CommandError, match="There is a database already"):
        call_command("restore", str(made))


@pytest.mark.parametrize("name", ["../outside", "/outside", "inside/there", "link"])
def test_what_leads_out_of_its_folder_is_laid_nowhere(tmp_path, settings, name: str):
    settings.DATA_DIR = tmp_path / "data"
    with tarfile.open(tmp_path / "hostile.backup", "w:gz") as archive:
        entry = tarfile.TarInfo(name)
        if name == "link":
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(entry, io.BytesIO())
    with pytest.raises(backups.BackupError, match="no backup of ours"):
        backups.check(tmp_path / "hostile.backup")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["data", "hostile.backup"]


def test_it_is_read_by_the_python_of_debian_12_too(made: Path, monkeypatch):
    """3.11.2, whose tarfile knows no filters."""

    def extractall(
        self: tarfile.TarFile, path: str = ".", members: object = None, *, numeric_owner: bool = False
    ) -> None:
        raise AssertionError("without a filter it would lay anything anywhere")

    monkeypatch.setattr(tarfile.TarFile, "extractall", extractall)
    assert backups.check(made, key=KEY)


def test_a_backup_without_a_folder_says_what_to_name(settings):
    settings.BACKUP_DIR = None
    with pytest.raises(CommandError, match="BACKUP_DIR"):
        call_command("backup")
    with pytest.raises(CommandError, match="BACKUP_DIR"):
        call_command("backup", "")


@pytest.mark.django_db
def test_a_folder_or_file_that_cannot_be_used_is_named_with_the_reason(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    file = tmp_path / "file"
    file.touch()
    for command, path in (("backup", file / "folder"), ("restore", tmp_path / "missing")):
        with pytest.raises(CommandError) as caught:
            call_command(command, str(path))
        assert str(path) in str(caught.value)
        assert "Errno" not in str(caught.value)


FULL = "database or disk is full"


@pytest.mark.skipif(
    bool(site.DATABASES["default"]["ENGINE"].endswith("postgresql")),
    reason="PostgreSQL is copied by a program of its own",
)
def test_a_full_disk_is_said_and_calls_the_operator(
    transactional_db: None, tmp_path, settings, monkeypatch, mailoutbox
):
    settings.BACKUP_DIR, settings.ADMINS = tmp_path, [("", "anna@example.org")]

    def full(*_arguments: object) -> None:
        raise sqlite3.OperationalError(FULL)

    monkeypatch.setattr(backups, "_counts_of", full)
    with pytest.raises(CommandError, match=FULL):
        call_command("backup", str(tmp_path))
    backups.nightly(datetime(2026, 6, 30, 12, tzinfo=UTC))
    assert [FULL in letter.body for letter in mailoutbox] == [True]
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_finds_no_room_is_not_said_to_be_broken(made: Path, tmp_path, settings, monkeypatch):
    settings.BACKUP_KEY, settings.DATA_DIR = KEY, tmp_path / "data"

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("troccas_site.backups.shutil.copyfileobj", full)
    with pytest.raises(CommandError) as caught:
        call_command("restore", str(made))
    assert str(caught.value) == f"{settings.DATA_DIR} cannot be used: No space left on device."


def test_of_old_backups_one_of_each_day_week_and_month_stays(tmp_path):
    now = datetime(2026, 11, 24, 3, tzinfo=UTC)
    for hours in range(0, 24 * 800, 12):
        (tmp_path / (now - timedelta(hours=hours)).strftime("troccas-%Y%m%dT%H%M%SZ.backup")).touch()
    backups.thin_out(tmp_path, now)
    left = sorted(path.name[8:16] for path in tmp_path.iterdir())
    days = [day for day in left if day > "20261110"]
    assert len(days) == len(set(days)) == 14
    assert len([day for day in left if "20260825" < day <= "20261110"]) in range(11, 16)
    assert len([day for day in left if day <= "20260820"]) in range(8, 11)
    assert backups.thin_out(tmp_path, now) == []


@pytest.mark.django_db(transaction=True)
def test_the_worker_makes_one_a_day_where_a_folder_is_set(settings, tmp_path):
    """Whatever else is in the folder stays there."""
    now = datetime.now(UTC)
    somebodys = tmp_path / "troccas-before-the-upgrade.backup"
    somebodys.touch()
    backups.nightly(now)
    settings.BACKUP_DIR, settings.BACKUP_KEY = tmp_path, ""
    backups.nightly(now)
    backups.nightly(now + timedelta(hours=2))
    assert len(list(tmp_path.glob("*.backup"))) == 2
    backups.nightly(now + timedelta(hours=25))
    assert len(list(tmp_path.glob("*.backup"))) == 3
    backups.thin_out(tmp_path, now + timedelta(days=800))
    assert list(tmp_path.glob("*.backup")) == [somebodys]
