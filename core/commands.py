"""Commands: a change happens as a whole or not at all, and only once, however often the same request comes.

A command first locks the row of what it changes, then looks whether the request was accepted before (`Answered`),
checks, writes, adds an entry with the request's id to the log, and returns a receipt. If it refuses, it raises, and
nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from django.db import transaction

Arguments = ParamSpec("Arguments")
Receipt = TypeVar("Receipt")


class Answered(Exception):
    """The request was accepted before, with this receipt. Raised by a command before it writes anything."""

    def __init__(self, receipt: object) -> None:
        super().__init__(receipt)
        self.receipt = receipt


def command(do: Callable[Arguments, Receipt]) -> Callable[Arguments, Receipt]:
    """Run `do` in one transaction. If it raises `Answered`, return that receipt."""

    @wraps(do)
    def once(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Receipt:
        try:
            with transaction.atomic():
                return do(*args, **kwargs)
        except Answered as before:
            return cast(Receipt, before.receipt)

    return once
