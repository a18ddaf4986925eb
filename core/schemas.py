"""The base class of the schemas of the APIs. Each schema is compiled on first use; most are never used.

It reads plain data and attributes of objects with pydantic's compiled core only. Ninja's own schema also handles
managers, callables and resolvers, which takes as long as everything else in the response to an action.
"""

import ninja
from pydantic import BaseModel, ConfigDict

ninja.Schema.model_config["defer_build"] = True  # for ninja's classes around ours


class Schema(BaseModel):  # type: ignore[explicit-any]  # its base takes anything
    model_config = ConfigDict(from_attributes=True, defer_build=True)
