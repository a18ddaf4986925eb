"""Commands: what changes something happens whole or not at all, and once, however often the same request comes.

A command locks the row of what it changes before it reads anything else of it, then looks whether the request was
accepted before (`Answered`), checks, writes with an entry in the log that keeps the request's id, and returns a receipt.
What it refuses it raises, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from django.db import transaction

Asked = ParamSpec("Asked")
Receipt = TypeVar("Receipt")


class Answered(Exception):
    """The request was accepted before; `receipt` is its answer. Raised by a command before it writes anything."""

    def __init__(self, receipt: object) -> None:
        super().__init__(receipt)
        self.receipt = receipt


def command(do: Callable[Asked, Receipt]) -> Callable[Asked, Receipt]:
    """`do` in one transaction. Where it finds that it was `Answered`, it returns that receipt."""

    @wraps(do)
    def once(*args: Asked.args, **kwargs: Asked.kwargs) -> Receipt:
        try:
            with transaction.atomic():
                return do(*args, **kwargs)
        except Answered as before:
            return cast(Receipt, before.receipt)

    return once
