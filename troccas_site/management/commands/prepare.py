"""`manage.py prepare`: bring the data up to date with the program before serving."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from core.files import make_private


class Command(BaseCommand):
    """Updates whatever is outdated: permissions, migrations, the cache table, articles and words, static files."""

    help = "Bring tables, articles, words and collected files up to date. Safe to run at every start."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it. An error is raised, so that nothing is served then."""
        refuse_data_of_another_program()
        make_private(settings.DATA_DIR)
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("content", verbosity=0)
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        fingerprint = static_fingerprint()
        if not stamp.exists() or stamp.read_text(encoding="ascii") != fingerprint:
            stamp.unlink(missing_ok=True)
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)
            stamp.write_text(fingerprint, encoding="ascii")


def refuse_data_of_another_program() -> None:
    """Raise CommandError if the database was made with migrations that this program does not have. Nothing is changed.

    Before the first release the migrations were started afresh: older databases cannot be brought up to date.
    """
    loader = MigrationLoader(connection)
    unknown = sorted(
        f"{app}.{name}" for app, name in loader.applied_migrations if (app, name) not in loader.disk_migrations
    )
    if unknown:
        raise CommandError(
            "These data were made by another version of this program, which it cannot read "
            f"({', '.join(unknown[:3])}): move the folder {settings.DATA_DIR} away (with PostgreSQL, name another database "
            "in DATABASE_URL) and start again, or run the version that made them."
        )


def static_fingerprint() -> str:
    """A hash of the names, sizes and times of all static files: it changes when one is added, changed or removed."""
    digest = sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list([".*"]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
