"""The base of what the APIs take and give. It is compiled when it is first asked for, which few of its shapes ever are."""

from ninja import Schema

__all__ = ["Schema"]

Schema.model_config["defer_build"] = True
