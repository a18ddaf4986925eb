"""The player's preferences: about tables, and about notices.

The choices are those of the forms of the pages; fields that are left out stay as they are.
"""

from __future__ import annotations

from datetime import time
from typing import Any, Final, Literal, Union

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router
from pydantic import create_model

from accounts.forms import TableForm
from accounts.models import Player
from core.schemas import Schema
from games.api import schemas
from games.api.base import NOTICES, OWN, player_of, problem, problems
from notices import preferences as notice_services
from notices.forms import PreferenceForm

router = Router(tags=["yourself"])
FormType = type[forms.Form] | type[TableForm] | type[PreferenceForm]
_QUIET: Final = ("quiet_from", "quiet_to")
"""The preferences for which null means something: never."""
_HOURS: Final = ("digest_hour", *_QUIET)


def _types(form: FormType) -> dict[str, Any]:
    """The JSON types of the fields of a form."""
    types: dict[str, Any] = {}
    for name, field in form.base_fields.items():
        if isinstance(field, forms.BooleanField):
            types[name] = bool
        elif name in _HOURS:
            hour = Literal[tuple(range(24))]  # type: ignore[valid-type]  # every hour of the day
            types[name] = hour if field.required else Union[hour, None]  # noqa: UP007  # made here
        elif name == "suit_order":
            types[name] = str
        else:
            assert isinstance(field, forms.ChoiceField)
            types[name] = Literal[tuple(key for key, _label in _flat(field) if key or not field.required)]
    return types


def _flat(field: forms.ChoiceField) -> list[tuple[str, Any]]:
    return [(str(key), label) for key, label in field.choices]  # type: ignore[union-attr, misc]  # no groups


_DESCRIPTIONS: Final = {
    "suit_order": "the suits as they lie in your hand: the letters C, O, S, B in any order",
    "digest_hour": "when the daily mail comes",
    **dict.fromkeys(_QUIET, "an hour of your clock; null for both: never"),
}


def _out(name: str, form: FormType, doc: str) -> type[Schema]:
    fields: dict[str, Any] = {
        key: (kind, Field(description=_DESCRIPTIONS.get(key))) for key, kind in _types(form).items()
    }
    return create_model(name, __base__=Schema, __doc__=doc, __module__=__name__, **fields)


def _in(name: str, form: FormType, doc: str) -> type[schemas.Asked]:
    fields: dict[str, Any] = {
        key: (Union[kind, None], Field(None, description=_DESCRIPTIONS.get(key)))  # noqa: UP007  # made here
        for key, kind in _types(form).items()
    }
    return create_model(name, __base__=schemas.Asked, __doc__=doc, __module__=__name__, **fields)


PreferencesOut = _out("PreferencesOut", TableForm, "How tables behave for you.")
PreferencesIn = _in("PreferencesIn", TableForm, "What you wish otherwise; the rest stays.")
NoticePreferencesOut = _out("NoticePreferencesOut", PreferenceForm, "Of what you are told, and how.")
NoticePreferencesIn = _in("NoticePreferencesIn", PreferenceForm, "What you wish otherwise; the rest stays.")

_TABLE: Final = {200: PreferencesOut, **problems(401, 403, 422)}
_NOTICE: Final = {200: NoticePreferencesOut, **problems(401, 403, 422)}


@router.get("/preferences", auth=OWN, response=_TABLE, summary="Your preferences at the table")
def preferences(request: HttpRequest) -> dict[str, Any]:
    """The same as on the page of preferences. Needs `profile:write`."""
    return _at_the_table(player_of(request))


@router.patch("/preferences", auth=OWN, response=_TABLE, summary="Change your preferences at the table")
def prefer(request: HttpRequest, payload: PreferencesIn) -> Any:  # type: ignore[valid-type]  # made above
    """Only what is sent changes. Needs `profile:write`."""
    player = player_of(request)
    form = TableForm(_form_data(_at_the_table(player), payload), instance=player)
    return _at_the_table(form.write()) if form.is_valid() else _unusable(form)


def _at_the_table(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in TableForm.base_fields}


@router.get("/notices/preferences", auth=NOTICES, response=_NOTICE, summary="Of what you are told")
def notice_preferences(request: HttpRequest) -> dict[str, Any]:
    """By mail and on your devices. Needs `notices:write`."""
    kept = notice_services.preferences_of(player_of(request))
    return {name: _plain(getattr(kept, name)) for name in PreferenceForm.base_fields}


@router.patch("/notices/preferences", auth=NOTICES, response=_NOTICE, summary="Change of what you are told")
def prefer_notices(request: HttpRequest, payload: NoticePreferencesIn) -> Any:  # type: ignore[valid-type]  # made above
    """Only what is sent changes. Needs `notices:write`."""
    player = player_of(request)
    kept = notice_services.preferences_of(player)
    form = PreferenceForm(_form_data(notice_preferences(request), payload), instance=kept)
    if not form.is_valid():
        return _unusable(form)
    form.save()
    notice_services.note_answer(player)
    notice_services.replan(player, timezone.now())
    return notice_preferences(request)


def _plain(value: Any) -> Any:
    return value.hour if isinstance(value, time) else value


def _form_data(present: dict[str, Any], payload: Schema) -> dict[str, Any]:
    """The data that a page would send: the present preferences, replaced by the fields of `payload`.

    Null leaves a preference as it is, but for quiet hours.
    """
    fields = payload.model_dump(exclude_unset=True).items()
    data = present | {name: value for name, value in fields if value is not None or name in _QUIET}
    return {name: "" if value is None else value for name, value in data.items()}


def _unusable(form: forms.BaseForm) -> Any:
    errors = [{"where": name, "message": str(message)} for name, texts in form.errors.items() for message in texts]
    return problem(422, "unusable", errors[0]["message"], errors=errors)
