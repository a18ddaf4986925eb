"""What the APIs share: the base class of their schemas, pages of lists, and how they write JSON.

Each schema is compiled on first use; most are never used. It reads plain data and attributes of objects with pydantic's
compiled core only. Ninja's own schema also handles managers, callables and resolvers, which takes as long as everything
else in the response to an action.
"""

import ninja
from ninja.renderers import JSONRenderer
from pydantic import BaseModel, ConfigDict

ninja.Schema.model_config["defer_build"] = True  # for ninja's classes around ours


class Schema(BaseModel):  # type: ignore[explicit-any]  # its base takes anything
    model_config = ConfigDict(from_attributes=True, defer_build=True)


class Paged(Schema):  # type: ignore[explicit-any]  # as above
    """A page of a list; `count` is the total number."""

    count: int
    page: int
    pages: int


class Renderer(JSONRenderer):
    """JSON with letters outside ASCII as they are, not escaped."""

    json_dumps_params = {"ensure_ascii": False}
