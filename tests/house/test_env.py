"""Settings come from the environment, with working defaults and clear refusals."""

import json
import os
import stat
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from troccas_site import env
from troccas_site.env import Mail, mail_settings, secret_key

ROOT = Path(__file__).resolve().parents[2]
ASKED = [
    "DEBUG",
    "ALLOWED_HOSTS",
    "SESSION_COOKIE_SECURE",
    "SESSION_COOKIE_NAME",
    "CSRF_COOKIE_NAME",
    "GUEST_COOKIE_NAME",
    "SECURE_HSTS_SECONDS",
    "SECURE_SSL_REDIRECT",
    "DATABASES",
    "CACHES",
    "CHANNEL_LAYERS",
    "SOCKET_ORIGINS",
    "CSRF_TRUSTED_ORIGINS",
    "EMAIL_BACKEND",
    "ACCOUNT_EMAIL_VERIFICATION",
    "SITE_URL",
    "ALLAUTH_TRUSTED_PROXY_COUNT",
]


def site_settings(data: Path, **variables: str) -> dict[str, Any]:
    """The real settings of a new process in this environment."""
    program = (
        "import json; from troccas_site import settings as s;"
        f"print(json.dumps({{n: getattr(s, n) for n in {ASKED!r}}}, default=str))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data), **variables},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("written", "meant"), [("1", True), ("yes", True), ("0", False), ("Off", False), ("", False)])
def test_a_flag_is_read(monkeypatch, written, meant):
    monkeypatch.setenv("SOMETHING", written)
    assert env.flag("SOMETHING") is meant


def test_an_unclear_flag_is_refused(monkeypatch):
    monkeypatch.setenv("SOMETHING", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="SOMETHING"):
        env.flag("SOMETHING")


def test_a_number_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("SOMETHING", "many")
    with pytest.raises(ImproperlyConfigured, match="whole number"):
        env.number("SOMETHING", 1)


def test_a_database_address_is_taken_apart():
    assert env.postgres("postgres://anna:p%40ss@db.example:5433/games?sslmode=require") == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "games",
        "USER": "anna",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_a_socket_directory_may_be_the_host_of_a_database():
    database = env.postgres("postgres:///games?host=/var/run/postgresql")
    assert database is not None
    assert database["HOST"] == "/var/run/postgresql"


@pytest.mark.parametrize(
    "address",
    [
        "mysql://anna:geheim@host/db",
        "postgres://anna:geheim@host/",
        "postgres://anna:geheim@host:many/db",
        "postgres://anna:geheim/7@host/db",
        "postgres://anna:geheim#7@host/db",
        "postgres://anna:[geheim@host/db",
        "postgres://anna:geheim\u2100@host/db",
        "postgres://anna:geheim@host/db?sslmod=require",
    ],
)
def test_a_bad_database_address_is_refused_without_its_password(address):
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.postgres(address)
    assert "DATABASE_URL must look like" in str(refusal.value)
    assert "geheim" not in "".join(traceback.format_exception(refusal.value))


def test_a_mail_address_is_taken_apart():
    assert mail_settings("smtp+tls://anna:p%40ss@mail.example") == Mail(
        backend="django.core.mail.backends.smtp.EmailBackend",
        host="mail.example",
        port=587,
        user="anna",
        password="p@ss",
        starttls=True,
    )


def test_without_a_mail_server_mail_is_printed():
    assert mail_settings("").backend.endswith("console.EmailBackend")


@pytest.mark.parametrize("address", ["pop://anna:geheim@mail.example", "smtp://anna:geheim/7@mail.example"])
def test_a_bad_mail_address_is_refused_without_its_password(address):
    with pytest.raises(ImproperlyConfigured) as refusal:
        mail_settings(address)
    assert "geheim" not in "".join(traceback.format_exception(refusal.value))


def test_an_address_of_the_site_has_a_scheme_and_a_host(monkeypatch):
    monkeypatch.setenv("SITE_URL", "https://troccas.example.org/")
    assert env.url("SITE_URL", "", ("http", "https")) == "https://troccas.example.org"
    for wrong in ("troccas.example.org", "https://", "ftp://troccas.example.org", "https://[troccas"):
        monkeypatch.setenv("SITE_URL", wrong)
        with pytest.raises(ImproperlyConfigured, match="SITE_URL must look like"):
            env.url("SITE_URL", "", ("http", "https"))


def test_a_number_below_what_makes_sense_is_refused(monkeypatch):
    monkeypatch.setenv("SOMETHING", "-1")
    with pytest.raises(ImproperlyConfigured, match="SOMETHING must be 0 or more"):
        env.number("SOMETHING", 1)


def test_a_folder_of_data_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=r"DATA_DIR: .*file/data cannot be used: "):
        secret_key(tmp_path / "file" / "data" / "secret_key")


def test_a_folder_of_data_that_cannot_be_made_or_written_is_named_even_if_no_key_is_made_there(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "data"):
        monkeypatch.setenv("DATA_DIR", str(path))
        with pytest.raises(env.WrongSetting, match=rf"DATA_DIR: {path} cannot be used: "):
            env.folder("DATA_DIR", tmp_path)
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with pytest.raises(env.WrongSetting, match="cannot be used: Permission denied"):
        env.folder("DATA_DIR", tmp_path)


def test_mail_addresses_are_read_with_their_names(monkeypatch):
    monkeypatch.setenv("SOMETHING", "Troccas <noreply@troccas.example>, anna@localhost,")
    assert env.addresses("SOMETHING") == [("Troccas", "noreply@troccas.example"), ("", "anna@localhost")]
    monkeypatch.setenv("SOMETHING", "")
    assert env.addresses("SOMETHING") == []


@pytest.mark.parametrize(
    "written", ["nobody", "Troccas noreply@troccas.example", "anna@troccas.example, beat", "@x", "x@"]
)
def test_what_is_no_mail_address_is_refused(monkeypatch, written):
    monkeypatch.setenv("SOMETHING", written)
    with pytest.raises(env.WrongSetting, match=r"^SOMETHING must be a mail address such as"):
        env.addresses("SOMETHING")


def test_a_key_that_is_none_is_refused_without_repeating_it(monkeypatch):
    for written in ("", "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"):
        monkeypatch.setenv("SOMETHING", written)
        assert env.key("SOMETHING") == written
    for wrong in ("geheim", "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-o"):
        monkeypatch.setenv("SOMETHING", wrong)
        with pytest.raises(env.WrongSetting, match=r"^SOMETHING must be 32 bytes in base64url$"):
            env.key("SOMETHING")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("database_url", "DATABASE_URL"),
        ("EMAIL_FORM", "EMAIL_FROM"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
    ],
)
def test_a_name_that_looks_like_that_of_a_setting_is_said_with_the_right_one(monkeypatch, written, meant):
    monkeypatch.delenv(meant, raising=False)
    monkeypatch.setenv(written, "something")
    assert env.misspelt()[written] == meant
    monkeypatch.setenv(meant, "something")
    assert written not in env.misspelt()  # the setting is there, so this is something else


def test_usual_names_of_an_environment_are_not_taken_for_misspelt(monkeypatch):
    for name in ("HOSTNAME", "LOGNAME", "EMAIL", "MAIL", "XDG_DATA_DIRS", "PGDATABASE", "TMPDIR", "SHELL"):
        monkeypatch.setenv(name, "something")
    monkeypatch.setenv("DATABSE_URL", "")
    assert env.misspelt() == {}


@pytest.mark.slow
def test_a_setting_that_cannot_be_is_said_in_one_sentence(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "serve"],
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgres://anna:geheim/7@host/db"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("DATABASE_URL must look like postgres://")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "geheim" not in done.stderr


@pytest.mark.parametrize("name", ["EMAIL_FROM", "ALARM_EMAIL", "VAPID_PRIVATE_KEY"])
def test_an_address_and_a_key_are_looked_at_when_the_site_starts(tmp_path, name):
    with pytest.raises(subprocess.CalledProcessError) as refusal:
        site_settings(tmp_path, **{name: "nonsense"})
    assert f"WrongSetting: {name} must be " in refusal.value.stderr


def test_a_command_that_is_stopped_by_control_c_ends_without_a_traceback():
    stopped = (
        "import runpy; import django.core.management as m\n"
        "def stop(_arguments): raise KeyboardInterrupt\n"
        "m.execute_from_command_line = stop; runpy.run_path('manage.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", stopped], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "new" / "secret_key"
    key = secret_key(path)
    assert len(key) >= 50
    assert secret_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [left.name for left in path.parent.iterdir()] == ["secret_key"]


def test_processes_that_start_together_agree_on_the_secret_key(tmp_path):
    program = (
        "import sys; from pathlib import Path; from troccas_site.env import secret_key;"
        "print(secret_key(Path(sys.argv[1])))"
    )

    def start(_number: int) -> str:
        command = [sys.executable, "-c", program, str(tmp_path / "secret_key")]
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(start, range(4)))) == 1


def test_the_defaults_need_nothing_and_show_nothing(tmp_path):
    found = site_settings(tmp_path)
    assert found["DEBUG"] is False
    assert found["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert found["DATABASES"]["default"]["ENGINE"] == "core.sqlite3"
    assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "site.sqlite3")
    assert found["DATABASES"]["default"]["ATOMIC_REQUESTS"] is False
    assert found["CHANNEL_LAYERS"]["default"]["BACKEND"] == "core.channel_layers.Layer"
    assert found["CACHES"]["default"]["BACKEND"].endswith("DatabaseCache")
    assert found["SESSION_COOKIE_SECURE"] is False
    assert found["ACCOUNT_EMAIL_VERIFICATION"] == "none"
    assert found["SOCKET_ORIGINS"] == []


def test_addresses_of_services_switch_to_them(tmp_path):
    found = site_settings(tmp_path, DATABASE_URL="postgres://u@h/d", REDIS_URL="redis://h:6379/1")
    assert found["DATABASES"]["default"]["ENGINE"] == "django.db.backends.postgresql"
    assert found["CHANNEL_LAYERS"]["default"]["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer"
    assert found["CHANNEL_LAYERS"]["default"]["CONFIG"]["hosts"] == ["redis://h:6379/1"]
    assert found["CACHES"]["default"]["BACKEND"].endswith("RedisCache")


def test_an_https_address_makes_everything_strict(tmp_path):
    found = site_settings(tmp_path, SITE_URL="https://troccas.example/")
    assert found["SITE_URL"] == "https://troccas.example"
    assert found["ALLOWED_HOSTS"] == ["troccas.example"]
    assert found["SESSION_COOKIE_SECURE"] is True
    names = [found[f"{each}_COOKIE_NAME"] for each in ("SESSION", "CSRF", "GUEST")]
    assert all(name.startswith("__Host-") for name in names)
    assert found["SECURE_SSL_REDIRECT"] is True
    assert found["SECURE_HSTS_SECONDS"] >= 31536000
    assert found["SOCKET_ORIGINS"] == ["https://troccas.example"]
    assert found["ALLAUTH_TRUSTED_PROXY_COUNT"] == 1
