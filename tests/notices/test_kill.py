"""The courier's process dies at the worst moment: the mail server has the letter, and we have not noted it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.live import PATIENCE, ROOT, copy_template, site_environment
from tests.notices.post_office import mail_server

SET_UP = """
from accounts.models import Player, User
from notices import outbox
from notices.models import Preference
user = User.objects.create(email="mengia@example.org")
player = Player.objects.create(user=user, name="Mengia")
for number in range(3):
    outbox.put("notices.test", player, {"channel": "mail"})
print(outbox.tell_due())
"""
CARRY = """
from datetime import timedelta
from django.utils import timezone
from notices import delivery
print(delivery.deliver_due(timezone.now() + timedelta(seconds={later})))
"""
STATES = """
from notices.models import Delivery
print(" ".join(Delivery.objects.order_by("pk").values_list("state", flat=True)))
"""


@pytest.fixture
def shell(tmp_path: Path):
    """Runs Python lines in a process of a site of its own; returns the process."""

    def run(lines: str, port: int) -> subprocess.Popen[str]:
        environment = site_environment(tmp_path, {"EMAIL_URL": f"smtp://127.0.0.1:{port}"})
        # Once there is a mail server, addresses have to be confirmed; this one is.
        confirmed = "from allauth.account.models import EmailAddress\n"
        if lines is SET_UP:
            lines += (
                confirmed + "EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)\n"
            )
        environment.pop("DATABASE_URL", None)
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", lines],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    copy_template("migrated", tmp_path)
    return run


def done(process: subprocess.Popen[str]) -> str:
    out, _err = process.communicate(timeout=4 * PATIENCE)
    return out.strip()


@pytest.mark.slow
def test_a_letter_whose_courier_was_killed_comes_twice_with_one_name_and_the_others_once(shell):
    with mail_server() as server:
        assert done(shell(SET_UP, server.port)) == "3"
        victim: list[subprocess.Popen[str]] = []

        def kill_after_the_second() -> None:
            if len(server.letters) == 2:
                os.kill(victim[0].pid, signal.SIGKILL)

        server.before_answer = kill_after_the_second
        victim.append(shell(CARRY.format(later=0), server.port))
        done(victim[0])
        assert victim[0].returncode == -signal.SIGKILL
        assert done(shell(STATES, server.port)) == "sent waiting waiting"
        server.before_answer = None
        assert done(shell(CARRY.format(later=60), server.port)) == "0"  # the dead one's lease still holds
        later = timedelta(minutes=6).total_seconds()
        assert done(shell(CARRY.format(later=later), server.port)) == "2"
        assert done(shell(STATES, server.port)) == "sent sent sent"
    names = [letter["Message-ID"] for letter in server.letters]
    assert len(names) == 4
    assert names[1] == names[2]
    assert len(set(names)) == 3
