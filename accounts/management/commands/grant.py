"""`manage.py grant EMAIL ROLE`: give somebody a role, or take it away."""

from __future__ import annotations

from typing import Any

from django.core.mail import mail_admins
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import permissions as account_permissions
from accounts import security
from accounts.models import Grant, Player


class Command(BaseCommand):
    """`grant onna@example.org editor --language de`.

    `--revoke` takes the role away; without a role, it lists their roles.
    """

    help = "Give a member the role of editor, moderator or administrator, or take it away."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address the member logs in with")
        parser.add_argument("role", nargs="?", choices=Grant.Role.values, help="without it, say what they have")
        parser.add_argument("--language", default="", help="an editor’s language, as de or rm-sursilv; all if left out")
        parser.add_argument("--revoke", action="store_true", help="take the role away")

    def handle(self, *args: Any, email: str, role: str | None, language: str, revoke: bool, **options: Any) -> None:
        """Give, take away or list roles.

        Raises CommandError if nobody has the address, or the language is unknown or not for an editor.
        """
        player = Player.objects.filter(user__email=email.strip().lower()).first()
        if player is None:
            raise CommandError(f"No player logs in with {email}. They must have signed up, and opened a page, first.")
        if role is None:
            for held in player.grants.order_by("role", "language"):
                self.stdout.write(f"{held.role} {held.language or 'of all languages'}")
            return
        if language and role != account_permissions.EDITOR:
            raise CommandError("Only editors have a language: leave --language out.")
        if language and language not in KNOWN_LANGUAGES:
            raise CommandError(f"No such language: {language}. Name one of {', '.join(KNOWN_LANGUAGES)}.")
        if revoke:
            done = account_permissions.revoke(player, role, language)
            self.stdout.write(f"{email} is no longer {role}." if done else f"{email} was not {role}: nothing to take.")
        else:
            done = account_permissions.grant(player, role, language)
            self.stdout.write(f"{email} is now {role}." if done else f"{email} was {role} already.")
        if done:
            what = "taken" if revoke else "given"
            security.note(f"role {what}", None, player, role=role, language=language or "all")
            try:
                mail_admins(f"A role was {what}", f"{player.public_id}: {role} ({language or 'all languages'})")
            except OSError as error:  # every error of SMTP is one
                self.stderr.write(f"The letter about it to ALARM_EMAIL could not be sent: {error}")
        if not revoke and account_permissions.role_rests(player):
            self.stdout.write("It rests until they have set up a passkey or an app under “Signing in”.")


KNOWN_LANGUAGES = ("en", "de", "rm-sursilv", "rm-rumgr", "gsw", "fr", "it")
"""The languages of articles and words, from `rules.documents`, which this app cannot import."""
