"""`manage.py prepare` does what is to be done, and nothing twice."""

import os
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from rules.models import Article
from tests.rules import content_kit
from troccas_site.management.commands.prepare import static_fingerprint


@pytest.fixture
def loaded(db: None) -> None:
    """The articles and words are there already, so that `prepare` has nothing to do with them."""
    content_kit.lay()


@pytest.fixture
def files(settings, tmp_path) -> Path:
    """A site with one static file."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "page.css").write_text("body { margin: 0 }")
    settings.STATICFILES_DIRS = [source]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "troccas_site.storage.StaticStorage"}}
    return source


def collected(settings) -> list[str]:
    return sorted(path.name for path in Path(settings.STATIC_ROOT).iterdir() if path.suffix in {".css", ".js"})


@pytest.mark.django_db
@pytest.mark.slow
def test_files_are_collected_under_names_of_their_content(files, settings):
    call_command("prepare")
    names = collected(settings)
    assert len(names) == 2
    assert names[1] == "page.css"
    assert Article.objects.exists()
    cache.set("works", 1)
    assert cache.get("works") == 1


def test_unchanged_files_are_left_alone(loaded, files, settings):
    call_command("prepare")
    gone = Path(settings.STATIC_ROOT) / "page.css"
    gone.unlink()
    call_command("prepare")
    assert not gone.exists(), "nothing had changed, so nothing was collected"


def test_a_new_and_a_removed_file_are_noticed(loaded, files, settings):
    call_command("prepare")
    (files / "page.css").rename(files / "other.css")
    call_command("prepare")
    assert [name for name in collected(settings) if name.count(".") == 1] == ["other.css"]


def test_imports_between_our_scripts_follow_the_names(loaded, files, settings):
    (files / "a.js").write_text('import { b } from "./b.js";\nb();\n')
    (files / "b.js").write_text("export function b() {}\n")
    call_command("prepare")
    hashed = next(path for path in Path(settings.STATIC_ROOT).glob("a.*.js"))
    target = next(path for path in Path(settings.STATIC_ROOT).glob("b.*.js"))
    assert f'"./{target.name}"' in hashed.read_text()


def test_the_fingerprint_sees_a_change_of_the_same_length(files):
    before = static_fingerprint()
    assert static_fingerprint() == before
    (files / "page.css").write_text("body { margin: 1 }")
    os.utime(files / "page.css", ns=(1, 1))
    assert static_fingerprint() != before


def test_every_file_that_a_page_names_is_there():
    """A missing one shows only where names carry their content: as an error instead of the page."""
    named = {
        name
        for template in sorted((settings.BASE_DIR / "templates").rglob("*.html"))
        for name in re.findall(r"""{%\s*static\s+['"]([^'"]+)['"]""", template.read_text(encoding="utf-8"))
    }
    assert named
    assert not {name for name in named | {"deck/deck.svg"} if find(name) is None}


@pytest.mark.django_db
def test_data_of_another_version_are_refused_and_left_as_they_are(files, settings):
    MigrationRecorder(connection).record_applied("accounts", "0006_suspensions")
    with pytest.raises(
        CommandError, match=r"another version of this program.*accounts\.0006_suspensions.*move the folder"
    ):
        call_command("prepare")
    assert not Path(settings.STATIC_ROOT).exists()
