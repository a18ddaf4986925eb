"""An evening with its director signed in."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.services.kit import Night


@pytest.fixture
def night(db: None) -> Night:
    """An open evening of single persons, with nobody there yet."""
    return Night.at()


@pytest.fixture
def desk(night: Night, client: Client) -> Client:
    """The director's browser."""
    client.force_login(night.director.user)
    return client
