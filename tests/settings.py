"""The site's settings, with what only tests differ in: their own data folder, cheap passwords, plain file names."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

# Each test process has its own folder, so that several runs at once do not meet.
_folder = tempfile.mkdtemp(prefix="troccas-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
for _name in (
    "SITE_URL",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "EMAIL_URL",
    "DEBUG",
    "SECRET_KEY",
    "BACKUP_DIR",
    "BACKUP_KEY",
):
    os.environ.pop(_name, None)
os.environ["DATA_DIR"] = _folder
if os.environ.get("REDIS_URL"):
    # A Redis database for each test process, so that one may empty its cache while the other counts.
    _worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{_worker + 1}").geturl()
    os.environ["REDIS_PREFIX"] = f"test-{os.getpid()}"
(Path(_folder) / "static").mkdir()

from troccas_site.settings import *  # noqa: E402, F403
from troccas_site.settings import DATABASES, SQLITE_OPTIONS, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in real life: in memory, SQLite locks whole tables and knows no WAL.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_folder) / "test.sqlite3")}
    # Nothing needs to outlive a power cut.
    _fast = str(SQLITE_OPTIONS["init_command"]).replace("synchronous=FULL", "synchronous=OFF")
    DATABASES["default"]["OPTIONS"] = {**SQLITE_OPTIONS, "init_command": _fast}
else:
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"
DATABASES["default"]["CONN_MAX_AGE"] = 0  # a test's thread leaves nothing open
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

COMPUTERS_APART = False

# They take a millisecond for a decision.
COMPUTERS_LEVEL = "beginner"
