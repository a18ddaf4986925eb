"""Settings that would lose something quietly are refused."""

import copy

import pytest
from django.conf import settings as site

from core.files import make_private
from troccas_site.checks import (
    check_catalogues,
    check_data_are_private,
    check_names_of_settings,
    check_shared_between_processes,
    check_sqlite_options,
)


def ids(found) -> list[str]:
    return [message.id for message in found]


def test_several_processes_may_not_share_an_in_memory_layer(settings):
    settings.WEB_PROCESSES = 2
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "core.channel_layers.Layer"}}  # as without REDIS_URL
    assert ids(check_shared_between_processes()) == ["troccas_site.E001"]


def test_several_processes_may_not_count_each_for_itself(settings):
    settings.WEB_PROCESSES = 2
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert ids(check_shared_between_processes()) == ["troccas_site.E002"]


def test_one_process_needs_nothing_shared(settings):
    settings.WEB_PROCESSES = 1
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    assert ids(check_shared_between_processes()) == []


SQLITE = {
    "ENGINE": "core.sqlite3",
    "ATOMIC_REQUESTS": False,
    "OPTIONS": site.SQLITE_OPTIONS,
}


@pytest.mark.parametrize(
    "change",
    [
        {"OPTIONS": {**site.SQLITE_OPTIONS, "transaction_mode": "DEFERRED"}},
        {"OPTIONS": {**site.SQLITE_OPTIONS, "timeout": 5}},
        {"OPTIONS": {**site.SQLITE_OPTIONS, "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"}},
        {"OPTIONS": {**site.SQLITE_OPTIONS, "init_command": ""}},
        {"ATOMIC_REQUESTS": True},
    ],
)
def test_sqlite_without_one_of_its_options_is_refused(monkeypatch, change):
    monkeypatch.setattr(site, "DATABASES", {"default": copy.deepcopy(SQLITE) | change})
    assert ids(check_sqlite_options()) == ["troccas_site.E003"]


def test_sqlite_with_its_options_is_fine(monkeypatch):
    monkeypatch.setattr(site, "DATABASES", {"default": SQLITE})
    assert ids(check_sqlite_options()) == []


def test_a_language_without_catalogue_is_refused(settings, tmp_path):
    settings.LOCALE_PATHS = [tmp_path]
    found = check_catalogues()
    assert ids(found) == ["troccas_site.E004"] * 4
    for code, found_one in zip(("de", "rm-sursilv", "fr", "it"), found, strict=True):
        assert f"The language {code} has" in found_one.msg


def test_data_that_other_accounts_can_read_are_told(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    assert ids(check_data_are_private()) == [], "there are none yet"
    settings.DATA_DIR.mkdir()
    settings.DATA_DIR.chmod(0o755)
    assert ids(check_data_are_private()) == ["troccas_site.W005"]
    make_private(settings.DATA_DIR)
    assert ids(check_data_are_private()) == []


def test_a_misspelt_setting_is_said(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("DATABSE_URL", "postgres://anna:geheim@host/games")
    (warning,) = check_names_of_settings()
    assert warning.id == "troccas_site.W006"
    assert warning.msg == "DATABSE_URL is not a setting and changes nothing."
    assert warning.hint == "Is DATABASE_URL meant? docs/settings.md lists the settings."
