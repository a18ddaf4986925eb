#!/usr/bin/env python
"""Command line of the site: `python manage.py <command>`."""

import gc
import os
import signal
import sys

from django.core.management import execute_from_command_line
from django.db import DatabaseError

from troccas_site.env import WrongSetting

if __name__ == "__main__":
    gc.set_threshold(10_000, 20, 20)  # a start makes hundreds of thousands of objects that stay
    os.umask(0o077)  # packs of running hands, sessions, keys: what is written is for the site's own account only
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except WrongSetting as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except DatabaseError as error:
        from core.http import database_is_away  # it needs the settings

        if not database_is_away(error):
            raise
        sys.exit(f"The database cannot be used: {str(error).strip()}")
