"""Fixtures of the club's room."""

import pytest

from tests.clubs import kit


@pytest.fixture
def people() -> kit.People:
    """A club with somebody in every role."""
    return kit.staffed()
