"""Nothing that is put into the outbox arrives without words: every event that can be is told in every language."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import Player, Suspension
from games.chat.models import ChatBan, Message
from games.meeting.models import StandingWish
from games.meeting.services import appointments
from games.webhooks.models import Webhook
from notices import outbox, registry, selectors
from notices.models import Outbox
from people import models as people_models
from rules import services
from rules.models import Suggestion
from rules.readers.models import Saying
from tests.games import lobby_kit, pace_kit
from tests.rules import door_kit
from tests.tournaments.online_pages import kit

pytestmark = pytest.mark.django_db


def suggested(by: Player) -> Suggestion:
    row = door_kit.entry("article", "deal", "en")
    return services.suggest(row, door_kit.changed_article("One line", "A suggested line"), by=by, base=row.published)


def params() -> tuple[Player, dict[str, object]]:
    """Somebody, and what a notice to them may name: a game, a table, a suggestion, a tournament, messages, a ban, a webhook,
    a wish, an appointment, a word that was told, a revision."""
    door_kit.world()
    people = pace_kit.people()
    game = pace_kit.table(people)
    said = Message.objects.create(
        game=game, channel="table", author=people[0], hand=1, number=1, removed_at=timezone.now(), reason="Rude."
    )
    ban = ChatBan.objects.create(player=people[0], until=timezone.now() + timedelta(days=1), reason="Rude.")
    suspension = Suspension.objects.create(
        player=people[0], by=people[1], until=timezone.now() + timedelta(days=1), reason="Rude."
    )
    webhook = Webhook.objects.create(player=people[0], url="https://example.org/x", off_at=timezone.now())
    thread = people_models.Thread.objects.create(first=people[0], second=people[1])
    people_models.Message.objects.create(thread=thread, author=people[1], text="Allegra")
    letter = people_models.Message.objects.create(
        thread=thread, author=people[0], text="Nuot", removed_at=timezone.now(), reason="Rude."
    )
    league = kit.duplicate()
    in_a_week = timezone.now() + timedelta(days=7)
    wish = StandingWish.objects.create(player=people[0], games=["troccas"], paces=["day"], expires_at=in_a_week)
    plan = appointments.Plan("troccas", 4, 2, "live", in_a_week)
    appointment = appointments.propose(lobby_kit.member("Prisca"), plan, request_id=uuid.uuid4())
    page = door_kit.entry("article", "deal", "en")
    saying = Saying.objects.create(entry=page, language="rm-sursilv", text="il dar", village="Trun", player=people[0])
    return people[0], {
        "saying": saying.pk, "revision": page.published_id,
        "game": game.public_id, "table": "bcdf", "url": "/t/bcdf/", "ruleset": "troccas", "by": people[1].public_id,
        "until": timezone.now().isoformat(), "day": "2026-12-24", "share": "half", "status": "finished",
        "suggestion": suggested(door_kit.member()).pk, "channel": "mail", "message": said.pk, "ban": ban.pk,
        "webhook": webhook.pk, "suspension": suspension.pk, "thread": thread.public_id, "letter": letter.pk,
        "wish": wish.public_id, "appointment": appointment.public_id,
        "club": league.club.slug, "tournament": league.tournament.public_id, "round": "1.1",
        "entrant": min(league.state.entrants),
    }  # fmt: skip


EVENTS = sorted(event for wording in registry.wordings.values() for event in wording.kinds)


def test_every_event_has_words_in_every_language():
    player, given = params()
    silent = []
    for event in EVENTS:
        for language, _name in settings.INTERFACE_LANGUAGES:
            with translation.override(language):
                told = registry.find_wording(event).words(event, given, player, language)
            if told is None or not told.subject or not told.line or "%(" in told.subject + told.line:
                silent.append(f"{event} in {language}")
    assert silent == []


def test_a_longer_list_of_notices_asks_no_more_of_the_database():
    """One of every kind, then as many about other games and other things: what they are about is fetched for all together."""
    player, given = params()

    def read(params: dict[str, object]) -> tuple[int, int]:
        """How many lines there are now, and how many queries they take."""
        for event in EVENTS:
            outbox.put(event, player, params)
        Outbox.objects.update(shown=True, read_at=None)
        with CaptureQueriesContext(connection) as asked:
            lines, _onward = selectors.lines(player, limit=1000)
        return len(lines), len(asked)

    lines, queries = read(given)
    assert queries < 60  # for one of every kind
    others = pace_kit.people(3)
    more: dict[str, object] = {name: f"{key}x" if isinstance(key, str) else 10**6 for name, key in given.items()}
    more |= {"game": pace_kit.table([player, *others]).public_id, "by": others[0].public_id, "until": given["until"]}
    longer, as_many = read(more)
    assert longer > lines + 10
    assert as_many <= queries


@pytest.mark.parametrize("event", ["game.nonsense", "nonsense.turn", "turn", ""])
def test_nothing_is_put_into_the_outbox_that_nobody_has_words_for(event):
    with pytest.raises(LookupError):
        outbox.put(event, pace_kit.people(1)[0], {})
    assert not Outbox.objects.exists()


@pytest.mark.parametrize(("decision", "event"), [("accept", "accepted"), ("decline", "declined")])
def test_who_suggested_something_is_told_what_became_of_it_and_nobody_else(decision, event, client):
    door_kit.world()
    author, editor = door_kit.member("onna"), door_kit.editor("gion")
    suggestion = suggested(author)
    if decision == "accept":
        services.accept(suggestion, by=editor, answer="Well found")
    else:
        services.decline(suggestion, by=editor, answer="Another source says otherwise")
    suggestion.refresh_from_db()
    row = Outbox.objects.get()
    assert (row.event, row.player) == (f"rules.suggestion-{event}", author)
    outbox.tell_due()
    (line,), _onward = selectors.lines(author)
    client.force_login(author.user)
    page = client.get(line.words.url)
    assert page.status_code == 200
    assert suggestion.answer not in line.words.subject + line.words.line
    assert not registry.find_wording(row.event).still_true(row.event, row.params, editor)
    assert not registry.find_wording(row.event).still_true(row.event, {"suggestion": 0}, author)


def test_who_decides_on_their_own_suggestion_or_takes_it_back_is_told_nothing():
    door_kit.world()
    author, editor = door_kit.member("onna"), door_kit.editor("gion")
    services.withdraw(suggested(author), by=author)
    services.decline(suggested(editor), by=editor, answer="A mistake of mine")
    assert not Outbox.objects.exists()
