"""Templates ask only for what is there: in tests an attribute that an object does not have is an error."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.template import Context, Template

from accounts.models import Player
from domain.pace import Kind, Terms


@pytest.mark.parametrize("asked", ["{{ terms.knid }}", "{% if player.nmae %}{% endif %}"])
def test_an_attribute_that_is_not_there_is_an_error(asked: str) -> None:
    with pytest.raises(AssertionError, match="has no"):
        Template(asked).render(Context({"terms": Terms(Kind.LIVE, timedelta(minutes=1)), "player": Player()}))


@pytest.mark.parametrize("asked", ["{{ nothing }}", "{{ nothing.more }}", "{% if values.key %}{% endif %}"])
def test_what_may_be_missing_is_empty(asked: str) -> None:
    assert Template(asked).render(Context({"nothing": None, "values": {}})).strip("None") == ""
