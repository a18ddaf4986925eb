"""The site's own settings for the servers that tests start, with a cheap way to keep passwords."""

from troccas_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Compiling takes half a minute of work, for each server of the tests anew.
COMPILED_DIR = ""
# Those take a millisecond for a decision.
COMPUTERS_LEVEL = "beginner"
