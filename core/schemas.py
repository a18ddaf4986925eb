"""The base of what the APIs take and give. It is compiled when it is first asked for, which few of its shapes ever are.

It reads names of plain data and of objects, in the compiled core of pydantic: what ninja's own does for each of them besides
(managers, callables, resolvers) takes as long as all else in the answer to an action.
"""

import ninja
from pydantic import BaseModel, ConfigDict

ninja.Schema.model_config["defer_build"] = True  # what wraps ours


class Schema(BaseModel):  # type: ignore[explicit-any]  # what its base takes
    model_config = ConfigDict(from_attributes=True, defer_build=True)
