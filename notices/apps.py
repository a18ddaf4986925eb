"""The room of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """What people are told, from rows written with the event itself."""

    name = "notices"
