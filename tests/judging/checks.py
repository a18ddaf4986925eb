"""After everything: what was promised, read against what is stored and what was received. Each check lists what is wrong."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import TYPE_CHECKING, Final

from accounts import sessions
from accounts.models import Player
from domain.engine import CODES
from games.models import Action, Game
from tests.judging import scanning
from tests.judging.archive import Letter
from tests.judging.people import Person
from tests.judging.truth import WATCHER, Reading
from tests.judging.wire import Entry

if TYPE_CHECKING:
    from tests.judging.keeping import Kept
    from tests.judging.village import Village

LOGGED: Final = ("act", "ready", "leave", "time", "claim", "undo", "hint", "end")
"""Requests that the log of a game holds when they were accepted."""
_ACCEPTED: Final = (200, 303)
_GAME: Final = re.compile(r"/g/([0-9a-z]+)/")
_WRITING: Final = timedelta(seconds=1)
_EXCUSED: Final = ("the device is gone", "no confirmed address")


@dataclass(slots=True)
class Judged:
    """What the checks looked at, for the summary."""

    numbers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def judge(village: Village | Kept, judged: Judged) -> None:
    """All checks on the stopped site."""
    readings: dict[str, Reading] = {}
    for game in Game.objects.order_by("pk"):
        judged.numbers["games"] += 1
        judged.numbers[f"game {game.status}"] += 1
        if game.status == Game.Status.PLAYING:
            judged.wrong.append(f"game {game.public_id} ({game.ruleset}) has not ended: asks {game.to_act}")
        if game.status == Game.Status.EXPIRED and game.pace:
            judged.wrong.append(f"game {game.public_id} ({game.ruleset}) was closed though its clock ran")
        try:
            readings[game.public_id] = Reading(game)
        except Exception as error:
            judged.wrong.append(f"the log of {game.public_id} cannot be read: {error!r}")
    judged.wrong += village.problems + village.bells.wrong
    people = {person.key: players_of(person, village.witness.guests) for person in village.people}
    judged.wrong += _actions(village, readings, people, judged)
    judged.wrong += _tables(village, people, judged)
    judged.wrong += _told(village, judged)
    judged.wrong += _owed(village, readings, judged)
    judged.wrong += _secrets(village, readings, people, judged)
    judged.wrong += _logs(village)


def players_of(person: Person, guests: Mapping[str, int]) -> set[int]:
    """All rows of players that are this person: a guest may have become a member in between, helped out at a table before
    they had a name, or come back as another after they were let go. `guests` are the players by the digests of cookies."""
    name, email = person.name, person.email
    own = Player.objects.filter(user__email=email) if email else Player.objects.filter(name=name, computer="")
    keys = set(own.values_list("pk", flat=True))
    cookies = {sessions.digest_of(raw) for device in person.devices for raw in device.guests}
    keys |= {guests[digest] for digest in cookies & guests.keys()}
    return keys | set(Player.objects.filter(merged_into__in=keys).values_list("pk", flat=True))


# actions


def _actions(
    village: Village | Kept, readings: dict[str, Reading], people: dict[int, set[int]], judged: Judged
) -> Iterator[str]:
    """Each accepted request is in the log exactly once, as it was sent and by who sent it; each refused one not at all.

    Where an answer was lost, the session may have ended before the request was sent again: then it is refused (403), and
    only the log knows what became of it the first time.
    """
    answered: dict[tuple[int, str, str], list[tuple[int, str]]] = defaultdict(list)
    lost: set[str] = set()
    for entry in village.ledger.entries:
        if entry.kind in (*LOGGED, "reused") and entry.path.startswith("/g/"):
            answered[entry.who, entry.path, entry.request_id].append((entry.status, entry.text))
            judged.numbers[f"{entry.kind}: {entry.status}"] += 1
            if _lost_and_refused(entry):
                lost.add(entry.request_id)
        if entry.status == 0:
            judged.numbers["requests without an answer at the end"] += 1
    for (who, path, request_id), tries in answered.items():
        found = _GAME.match(path)
        reading = readings.get(found[1]) if found else None
        if reading is None:
            continue
        rows = reading.requests.get(request_id, [])
        accepted = [text for status, text in tries if status in _ACCEPTED]
        open_ended = request_id in lost or any(status == 0 for status, _text in tries)
        if accepted and len(rows) != 1:
            yield f"{path} {request_id} ({accepted[0]}) was accepted and is in the log {len(rows)} times"
        elif not accepted and rows and not open_ended:
            yield f"{path} {request_id} {tries} was refused and is in the log: {rows[0]}"
        for row in rows:
            judged.numbers["requests found in the log"] += 1
            if row.player_id not in people[who]:
                yield f"{path} {request_id}: the log names player {row.player_id}, not {people[who]}"
            if path.endswith("/act/") and accepted and row.text.split() != accepted[0].split():
                yield f"{path} {request_id}: sent {accepted[0]!r}, the log has {row.text!r}"
    asked_for = {request_id for _who, _path, request_id in answered}
    for reading in readings.values():
        judged.numbers["entries of the logs"] += len(reading.entries)
        judged.numbers["moves"] += sum(entry.kind == Action.Kind.MOVE for entry in reading.entries)
        for request_id, rows in reading.requests.items():
            player = rows[0].player
            if len(rows) != 1:
                yield f"game {reading.game.public_id}: request {request_id} stands {len(rows)} times in the log"
            by_itself = player is None or player.is_computer or request_id[14] == "5"  # made by name: the site's own
            if not by_itself and request_id not in asked_for and rows[0].text not in ("absent", "resigned"):
                yield f"game {reading.game.public_id}: nobody sent {rows[0]} ({request_id})"


def _lost_and_refused(entry: Entry) -> bool:
    """Whether a first answer was lost and whoever asked was not known any more when they asked again."""
    return entry.sent > 1 and entry.status == 403


def _tables(village: Village | Kept, people: dict[int, set[int]], judged: Judged) -> Iterator[str]:
    """The same for tables that wait."""
    for entry in village.ledger.entries:
        if entry.kind != "lobby":
            continue
        judged.numbers[f"{entry.text}: {entry.status}"] += 1
        events = village.witness.at_tables.get(entry.request_id, [])
        idle = entry.text in ("joined", "invited")  # who sits there, or is asked, already
        if entry.status == 303 and len(events) != 1 and not (idle and not events):
            yield f"{entry.path} {entry.request_id} ({entry.text}) was accepted and stands {len(events)} times"
        if entry.status >= 400 and events and not _lost_and_refused(entry):
            yield f"{entry.path} {entry.request_id} ({entry.text}) was refused and stands there: {events}"
        if any(actor not in people[entry.who] for _text, actor in events):
            yield f"{entry.path} {entry.request_id}: somebody else did it: {events}"


# notices


def _told(village: Village | Kept, judged: Judged) -> Iterator[str]:
    """What went out has come, once, or twice if somebody died over it; nothing waits any more."""
    from notices import mail
    from notices.models import Delivery, Outbox

    witness = village.witness
    kept = set(Outbox.objects.values_list("pk", flat=True))
    for row in witness.notices.values():
        judged.numbers[f"notice {row['event']}"] += 1
        if row["done_at"] is None and row["pk"] in kept:
            yield f"notice {row['pk']} ({row['event']}) was never taken up: {row['attempts']} tries, {row['error']}"
    letters = village.post_office.letters()
    known: set[str] = set()
    still = set(Delivery.objects.values_list("pk", flat=True))
    digests: dict[str, str] = {}
    parts: dict[str, set[int]] = defaultdict(set)
    for row in witness.deliveries.values():
        judged.numbers[f"{row['channel']} {row['state']}"] += 1
        names = [f"notice-{row['pk']}-{at:%Y%m%d%H%M%S}" for at in witness.planned[row["pk"]]]
        if row["channel"] == "digest":
            names = [f"day-{row['player']}-{at:%Y%m%d%H%M%S%f}" for at in witness.planned[row["pk"]]]
        ids = [mail.message_id(name) for name in names]
        known.update(ids)
        for one in ids:
            parts[one].add(row["pk"])
        if row["state"] == "waiting" and row["pk"] in still:
            yield f"delivery {row['pk']} by {row['channel']} still waits: {row['attempts']} tries, {row['reason']}"
        if row["state"] == "given-up" and row["reason"] not in _EXCUSED:
            yield f"delivery {row['pk']} by {row['channel']} was given up: {row['reason']}"
        if row["state"] == "sent" and row["channel"] == "mail" and not letters[ids[0]]:
            yield f"letter {ids[0]} was sent and never came"
        if row["state"] == "sent" and row["channel"] == "digest":
            digests |= {one: str(row["pk"]) for one in ids}
            if not any(letters[one] for one in ids):
                yield f"delivery {row['pk']} was sent with a daily letter, and none of {ids} came"
    for name, copies in letters.items():
        judged.numbers["letters"] += copies
        judged.numbers["letters that came twice"] += copies == 2
        if name not in known:
            judged.numbers["letters of deliveries that were not seen"] += 1
    for name, copies_of in village.post_office.copies().items():
        for later in copies_of[1:]:
            if new := later - copies_of[0]:
                yield f"letter {name} came again and said something else: {sorted(new)}"
    yield from _too_often(letters, parts, witness.lost)
    yield from _twice(village, judged)


def _too_often(
    letters: Mapping[str, int], parts: Mapping[str, set[int]], lost: Mapping[str, Collection[int]]
) -> Iterator[str]:
    """A letter comes again only if a lease ran out under which a part of it was in a courier's hands: once for each."""
    for name, copies in letters.items():
        left = sum(not parts.get(name, set()).isdisjoint(keys) for keys in lost.values())
        if copies > 1 + left:
            yield f"letter {name} came {copies} times, and {left} times a courier died with it in hand"


def _twice(village: Village | Kept, judged: Judged) -> Iterator[str]:
    """Nothing comes twice but what was on its way when a courier died: of each lease that ran out, one thing at most.

    A courier says what became of a delivery before it takes up the next one. Its lease runs out if it dies, or if the
    clock is turned while it is busy, as it is too where it took something between the last look and the turning; then whatever it had in hand is taken by another, and the one that was on its way
    may come a second time.
    """
    from notices.models import PushSubscription

    witness, office = village.witness, village.post_office
    in_hand = Counter(key for keys in witness.lost.values() for key in keys)
    sent, left = Counter[str](), Counter[str]()
    endpoints = dict(PushSubscription.objects.values_list("pk", "endpoint"))
    for row in witness.deliveries.values():
        if row["channel"] == "push":
            endpoint = endpoints.get(row["subscription"], "")
            sent[endpoint] += row["state"] == "sent"
            left[endpoint] += in_hand[row["pk"]]
    again = sum(copies - 1 for copies in office.letters().values())
    for browser in office.push.browsers.values():
        came, noted = len(browser.bodies), sent[browser.endpoint]
        judged.numbers["messages"] += came
        judged.numbers["messages noted as sent"] += noted
        if came < noted:
            yield f"{noted} messages were sent to {browser.endpoint} and {came} came"
        if came > noted + left[browser.endpoint]:
            yield (
                f"{came} messages came to {browser.endpoint}, {noted} were sent, and only {left[browser.endpoint]} times"
                " was one left in a courier's hands"
            )
        again += max(0, came - noted)
    judged.numbers["letters and messages that came again"] += again
    if again > len(witness.lost):
        yield f"{again} letters and messages came again, and only {len(witness.lost)} leases ran out"
    unseen = witness.lost.keys() - village.seen
    if len(witness.lost) > village.house.deaths + len(village.overslept) + len(unseen):
        yield (
            f"{len(witness.lost)} leases of couriers ran out, and only {village.house.deaths} deaths,"
            f" {len(village.overslept)} busy couriers and {len(unseen)} that nobody could wait for excuse it"
        )


def _owed(village: Village | Kept, readings: dict[str, Reading], judged: Judged) -> Iterator[str]:
    """The log says who had to be told: of each turn they then took, of time that ran out, of the end."""
    told: dict[tuple[str, str], list[tuple[int, dict[str, object]]]] = defaultdict(list)
    for row in village.witness.notices.values():
        told[row["topic"], row["event"]].append((row["player"], row["params"]))
    current = {row.pk: row.current.pk for row in Player.objects.exclude(merged_into=None)}
    for public_id, reading in readings.items():

        def of(key: int) -> int:
            return current.get(key, key)

        ends = Counter(of(player) for player, _params in told[public_id, "game.finished"])
        people = {of(key) for key in reading.sitting[-1]}
        # A computer player is told nothing, nor a guest who was let go, with whom their notices went.
        nobody = Player.objects.filter(pk__in=people).exclude(computer="", retired_at=None)
        people -= set(nobody.values_list("pk", flat=True))
        for key in people:
            judged.numbers["people told of an end"] += 1
            if ends[key] != 1:
                yield f"game {public_id}: player {key} was told {ends[key]} times that it is over"
        outs = Counter(of(player) for player, params in told[public_id, "game.timeout"] if "seat" not in params)
        lost: Counter[int] = Counter()
        turns: dict[int, list[int]] = defaultdict(list)
        again: dict[int, list[int]] = defaultdict(list)
        for player, params in told[public_id, "game.turn"]:
            (again if params.get("again") else turns)[of(player)].append(int(str(params["number"])))
        for key, numbers in [*turns.items(), *again.items()]:
            if len(set(numbers)) != len(numbers):
                yield f"game {public_id}: player {key} was told twice of one turn: {sorted(numbers)}"
        before = 0
        for entry in reading.entries:
            timed_out = entry.text in ("absent", "substitute-asked") and not {"left", "again", "by"} & set(entry.data)
            if entry.kind == Action.Kind.EVENT and timed_out and entry.player_id:
                lost[of(entry.player_id)] += 1
            if entry.kind != Action.Kind.MOVE:
                continue
            sent = entry.request_id is not None and str(entry.request_id)[14] == "4"
            if sent and entry.player is not None and not entry.player.is_computer:
                judged.numbers["turns taken"] += 1
                if not any(before <= number < entry.number for number in turns[of(entry.player_id or 0)]):
                    judged.numbers["turns taken before anything was said"] += 1
                    if not _had_a_plan(entry) and not _came_back_with(entry, reading):
                        yield f"game {public_id}: nobody told player {entry.player_id} of the turn before {entry.number}"
            before = entry.number
        for key, times in lost.items():
            judged.numbers["times that ran out"] += times
            if outs[key] != times:
                yield f"game {public_id}: time of player {key} ran out {times} times, told {outs[key]} times"


def _had_a_plan(entry: Action) -> bool:
    """Whether something was to be done for the player, who then came first: nobody has to be told."""
    from games.plans.models import Plans

    assert entry.player is not None
    player = entry.player.current
    return (
        player.forced_cards != "ask"
        or player.small_cards == "self"
        or Plans.objects.filter(player=player, game=entry.game_id).exists()
    )


def _came_back_with(entry: Action, reading: Reading) -> bool:
    """Whether somebody else acted for the player until this very move: then nobody was told of the turn."""
    before = reading.entries[entry.number - 2]
    assert before.number == entry.number - 1
    return before.text == "returned" and before.request_id is None and before.player_id == entry.player_id


# secrets


def _secrets(
    village: Village | Kept, readings: dict[str, Reading], people: dict[int, set[int]], judged: Judged
) -> Iterator[str]:
    """No page, no data, no socket, letter or message shows a card that its reader cannot have known at that moment."""
    for letter in village.archive:
        if letter.status >= 500:
            yield f"{letter.path} answered {letter.status}"
        judged.numbers[f"{letter.what}s received"] += 1
        if letter.length and not letter.path.startswith("/static/"):
            yield from _one(village, letter, readings, people[letter.who], judged)
    for to, text, at in village.post_office.texts():
        judged.numbers["letters and messages read"] += 1
        if cards := scanning.in_letter(text) - _told_openly(to, text, at, readings):
            yield f"a letter to {to} names {sorted(cards)}: {text[:300]}"


def _told_openly(to: str, text: str, at: datetime | None, readings: dict[str, Reading]) -> set[str]:
    """The cards that a letter may name: it tells what was played in its games until it was written, as its reader knows it.
    A message to a device, which is written at no moment (`at`), names none."""
    if at is None:
        return set()
    who = {row.pk for row in Player.objects.filter(user__email=parseaddr(to)[1])}
    who |= set(Player.objects.filter(merged_into__in=who).values_list("pk", flat=True))
    told: set[str] = set()
    for public_id in set(_GAME.findall(text)) & readings.keys():
        reading = readings[public_id]
        number = _number_at(reading, at + _WRITING)  # a letter's date has no parts of a second
        for seat in reading.seats_of(who, number) or {WATCHER}:
            told |= set(CODES) - reading.forbidden(number, seat)
    return told


def _one(
    village: Village | Kept, letter: Letter, readings: dict[str, Reading], who: set[int], judged: Judged
) -> Iterator[str]:
    text = village.archive.body(letter)
    found = _GAME.match(letter.path)
    reading = readings.get(found[1]) if found else None
    if letter.what == "socket" or letter.path.startswith(("/my-games", "/notices", "/calendar")):
        if cards := scanning.in_page(text):
            yield f"{letter.path} names {sorted(cards)}"
        return
    if reading is None or letter.path.endswith(("/record.json", "/draw/")) or "/hand/" in letter.path:
        if reading is not None and letter.path.endswith("/record.json") and letter.status == 200:
            yield from _record(letter, text, reading, judged)
        return
    number = scanning.number_of(text, letter.kind)
    if number is None and not letter.path.endswith(("/why/", "/plans/")):
        return
    # A page beside the table says no number: it shows some moment between the asking and the answer, and what is stamped
    # with a moment can be seen a little later only, when all that belongs to it is written.
    first = _number_at(reading, letter.asked - _WRITING) if number is None else number
    last = _number_at(reading, letter.at) if number is None else number
    seats: set[int | None] = {*reading.seats_of(who, last)} or {None}
    if letter.kind.startswith("application/json"):
        data = _loaded(text)
        cards = scanning.in_data(data, reading.drawn)
        # Who sits at two seats, as a guest and as a member, is shown one of them at a time; who is signed out, none.
        shown_to = data["viewer"] if isinstance(data, dict) and "viewer" in data else None
        if shown_to is not None and shown_to not in seats:
            yield f"{letter.path} at {last} was shown as seat {shown_to} sees it to who sits at {seats}"
        seats = {shown_to}
    else:
        cards = scanning.in_page(text, reading.drawn)
    judged.numbers["tables read"] += 1
    judged.numbers["cards seen on them"] += len(cards)
    hidden = [reading.forbidden(last, WATCHER if seat is None else seat) for seat in seats]
    for before in range(first, last):
        known_as = reading.seats_of(who, before) or {WATCHER}
        hidden += [reading.forbidden(before, seat) for seat in known_as]
    if too_many := cards.intersection(*hidden):
        yield f"{letter.path} at {last} showed {seats} {sorted(too_many)} ({letter.kind})"


def _loaded(text: str) -> object:
    import json

    return json.loads(text)


def _number_at(reading: Reading, moment: datetime) -> int:
    """The number of the game at a moment, by the clock that all follow."""
    return max((entry.number for entry in reading.entries if entry.at <= moment), default=0)


def _record(letter: Letter, text: str, reading: Reading, judged: Judged) -> Iterator[str]:
    """A record holds only deals that were over when it was asked for."""
    data = _loaded(text)
    assert isinstance(data, dict)
    number = _number_at(reading, letter.at)
    over = {entry.hand_number for entry in reading.entries if entry.number <= number}
    running = reading.open[number]
    judged.numbers["records read"] += 1
    most = max(over, default=0) - (1 if running else 0)
    if len(data.get("hands", ())) > most:
        yield f"{letter.path} showed {len(data['hands'])} deals when {most} were over"


def _logs(village: Village | Kept) -> Iterator[str]:
    """The site's own output knows no error."""
    text = village.house.logs()
    for found in re.finditer(r"Traceback \(most recent call last\).*?(?=\n\d{4}-|\Z)", text, re.DOTALL):
        yield "the site wrote: " + text[max(0, found.start() - 300) : found.start()] + found[0][-1500:]
    for line in text.splitlines():
        if re.match(r"[\d\- :,]+ (ERROR|CRITICAL) ", line):
            yield f"the site wrote: {line}"
