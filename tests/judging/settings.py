"""The site's own settings, with the judge's clock (the file JUDGING_CLOCK names) and a cheap way to keep passwords.

Nothing in the product refers to this module: a site follows the clock only if it is started with these settings.
"""

import os
from pathlib import Path

from tests.judging import clock

clock.install(Path(os.environ["JUDGING_CLOCK"]))

from troccas_site.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
