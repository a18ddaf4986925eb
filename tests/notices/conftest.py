"""Post offices for tests of notices."""

from __future__ import annotations

import pytest

from tests.notices import post_office


@pytest.fixture
def village():
    """Somebody who speaks for games and tables."""
    with post_office.village() as wording:
        yield wording


@pytest.fixture
def mail_server(settings):
    """A real mail server that the site uses."""
    with post_office.mail_server() as server:
        post_office.use(settings, server)
        yield server


@pytest.fixture
def push_service(settings):
    """A real push service on this machine, which the site may use."""
    settings.PUSH_TO_LOOPBACK = True
    with post_office.push_service() as service:
        yield service
