"""People: how they sign up, look in, act, dawdle, press twice, come with two browsers at once, and stay away."""

from __future__ import annotations

import random
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.judging import answers, pages
from tests.judging.wire import Answer, Device

if TYPE_CHECKING:
    from tests.judging.village import Village

PASSWORD = "neun-und-dreissig-Tarock"
GAME = re.compile(r"/g/([0-9a-z]+)/")
TABLE = re.compile(r"/t/([0-9a-z]+)/")
_OTHER_FORMS = 0.3
"""How often a person presses a button of a form this script knows nothing special about."""


@dataclass(slots=True)
class Person:
    """Somebody with one or two browsers. `email` is empty for a guest. `lives` until they stay away for good."""

    key: int
    name: str
    email: str
    devices: list[Device]
    chance: random.Random
    language: str = "en"
    reads: float = 0.2
    """How often they look at the whole page rather than let a program fetch its data."""
    gone: bool = False
    games: set[str] = field(default_factory=set)
    """The games they know of."""
    signed_up: bool = False
    hot: bool = False
    """A bell rang for them."""
    subscribed: bool = False
    door: threading.Lock = field(default_factory=threading.Lock)
    """Held while they sign up: their other browser waits, and then signs in."""


class Visitor:
    """What a person does on one visit, with one of their browsers."""

    def __init__(self, village: Village, person: Person, device: Device) -> None:
        self.village, self.person, self.device, self.chance = village, person, device, person.chance

    # arriving

    def arrive(self) -> None:
        """Sign up, or be nobody yet: a guest gets a cookie with the first table."""
        person = self.person
        with person.door:
            if not person.signed_up:
                self._arrive(person)
        if not self.known():
            self.log_in()

    def _arrive(self, person: Person) -> None:
        self.device.get(f"/{person.language}/")
        if person.email:
            self.device.get(f"/{person.language}/account/signup/")
            answer = self.post(
                f"/{person.language}/account/signup/",
                {"email": person.email, "password1": PASSWORD, "name": person.name},
            )
            # 200: the first try was done, and its answer was lost; the address is known now.
            self.village.expect(answer.status in (200, 302), f"signing up gave {answer.status}")
            if answer.status == 200:
                person.signed_up = True
                self.log_in()
            person.signed_up = True
            self.confirm_address()
            self.set_up()
        else:
            person.signed_up = True

    def log_in(self) -> bool:
        """Come back after the session has ended, or with the second browser. A guest cannot."""
        person = self.person
        if not person.email or not person.signed_up:
            return False
        self.device.get(f"/{person.language}/account/login/")
        answer = self.post(
            f"/{person.language}/account/login/", {"login": person.email, "password": PASSWORD, "remember": "on"}
        )
        return answer.status == 302

    def confirm_address(self) -> None:
        """Open the link of the letter that came after signing up, and say yes."""
        for _ in range(20):
            link = self.village.post_office.link_for(self.person.email)
            if link:
                self.device.get(link)
                self.post(link, {})
                return
            time.sleep(0.1)

    def set_up(self) -> None:
        """Say what one wants to be told, and how one wants to play; let a browser show messages."""
        prefix = f"/{self.person.language}"
        page = pages.parse(self.device.get(f"{prefix}/notices/preferences/").text)
        form = next((one for one in pages.buttons(page, "/") if "turn_mail" in one.fields), None)
        if form is not None:
            form.fields |= {
                "turn_mail": pages.some(page, "turn_mail", self.chance),
                "game_mail": pages.some(page, "game_mail", self.chance),
                "table_mail": pages.some(page, "table_mail", self.chance),
                "turn_push": pages.some(page, "turn_push", self.chance),
            }
            if self.chance.random() < 0.6:
                form.fields |= {"quiet_from": "", "quiet_to": ""}
            self.post(f"{prefix}/notices/preferences/", form.fields)
        page = pages.parse(self.device.get(f"{prefix}/you/preferences/").text)
        form = next(
            (one for one in pages.buttons(page, f"{prefix}/you/preferences/") if "hand_order" in one.fields), None
        )
        if form is not None:
            form.fields["bot_speed"] = "at-once"
            form.fields["forced_cards"] = self.chance.choice(("ask", "days", "always"))
            form.fields.pop("next_game", None)
            if self.chance.random() < 0.3:
                form.fields["next_game"] = "on"
            self.post(form.path, form.fields)
        if self.chance.random() < 0.5:
            browser = self.village.post_office.browser()
            answer = self.post(
                "/notices/push/subscribe/",
                {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth},
            )
            self.village.expect(answer.status == 204, f"subscribing gave {answer.status}")
            self.person.subscribed = answer.status == 204

    def post(self, path: str, fields: dict[str, Any]) -> Answer:
        """Send a form that has no request id of its own."""
        return self.device.insist(path, fields, kind="plain")

    # looking in

    def visit(self) -> bool:
        """Look what waits, act where one is asked, and look around a little; whether anything waited."""
        if not self.person.signed_up:
            self.arrive()
        waiting = self.device.get("/my-games/waiting.json").json()
        if not waiting["games"] and not self.known():
            self.log_in()
            waiting = self.device.get("/my-games/waiting.json").json()
        for told in waiting["games"][: self.chance.randint(1, 6)]:
            self.play(told["url"])
        if self.chance.random() < 0.15:
            self.look_around()
        if self.chance.random() < 0.3 and self.person.games:
            self.watch(self.chance.choice(sorted(self.person.games)))
        return bool(waiting["games"])

    def known(self) -> bool:
        """Whether this browser is known to the site."""
        return "sessionid" in self.device.cookies if self.person.email else "guest" in self.device.cookies

    def state(self, public_id: str) -> dict[str, Any] | None:
        """The table as data; what it says of its number must never go back."""
        answer = self.device.get(f"/g/{public_id}/state.json")
        if answer.status != 200:
            return None
        state: dict[str, Any] = answer.json()
        before = self.device.numbers.get(public_id, 0)
        self.village.expect(state["number"] >= before, f"game {public_id} went back from {before} to {state['number']}")
        self.device.numbers[public_id] = state["number"]
        return state

    def play(self, path: str) -> None:
        """Act in a game while it asks, a few times; now and then do something silly first."""
        public_id = GAME.match(path)[1]  # type: ignore[index]  # the site's own address
        for _ in range(self.chance.randint(1, 5)):
            state = self.state(public_id)
            if state is None:
                return
            if state["viewer"] is None and self.person.email and not self.log_in():
                return
            if not state["question"]["mine"] or state["status"] != "playing":
                return
            if state["question"]["asked"] == "sit":  # between two deals; where a clock runs, nobody need answer
                self.insist(public_id, "ready", {"expected": str(state["number"])})
                return
            phrases: list[str] = []
            if self.chance.random() < self.person.reads:
                phrases = self.read(public_id)
            if self.chance.random() < 0.06:
                self.blunder(public_id, state)
            if state["question"]["claim"] and self.chance.random() < 0.7:
                self.insist(public_id, "claim", {"expected": str(state["number"])})
                continue
            if self.chance.random() < 0.02:
                self.make_plan(public_id)
                return
            self.act(public_id, state, answers.answer(state, phrases, self.chance))

    def speak(self, public_id: str) -> None:
        """Say something unasked, whoever's turn it is, where that is possible."""
        state = self.state(public_id)
        if state is None or not state["sayable"]:
            return
        said = answers.said(state, self.read(public_id), self.chance)
        if said:
            self.act(public_id, state, said)

    def act(self, public_id: str, state: dict[str, Any], action: str) -> Answer:
        """Send an action for the table as it was seen; sometimes press twice, or with two browsers at once."""
        request_id = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        fields = {"expected": str(state["number"]), "action": action, "request_id": request_id}
        answer = self.insist(public_id, "act", fields, text=action)
        if answer.status in (200, 303) and self.chance.random() < 0.03:
            again = self.insist(public_id, "act", fields, text=action)
            gone = again.status == 403 and not self.sits(public_id)
            self.village.expect(gone or again.status in (200, 303), f"the same request again gave {again.status}")
            other = self.insist(public_id, "act", fields | {"action": "cut 7"}, text="cut 7")
            gone = other.status == 403 and not self.sits(public_id)
            same = action == "cut 7"
            self.village.expect(gone or same or other.status == 422, f"a reused request id gave {other.status}")
        return answer

    def sits(self, public_id: str) -> bool:
        """Whether this browser still has a seat: days may have passed since it acted, and its time there have run out."""
        state = self.state(public_id)
        return state is not None and state["viewer"] is not None

    def insist(self, public_id: str, kind: str, fields: dict[str, Any], text: str = "") -> Answer:
        """Send something the log shall hold."""
        script = self.chance.random() < 0.3
        return self.device.insist(f"/g/{public_id}/{kind}/", fields, kind=kind, text=text, script=script)

    def blunder(self, public_id: str, state: dict[str, Any]) -> None:
        """Send what the site has to refuse: an old number, an illegal card, nonsense."""
        wrong = answers.forbidden(state, self.chance)
        fields = {"expected": str(state["number"]), "action": wrong}
        if self.chance.random() < 0.5:
            fields = {"expected": str(state["number"] - 1), "action": answers.answer(state, [], self.chance)}
        answer = self.insist(public_id, "act", fields, text=fields["action"])
        self.village.expect(
            answer.status in (400, 403, 409, 422), f"a wrong request {fields} in {public_id} gave {answer.status}"
        )

    def read(self, public_id: str) -> list[str]:
        """Look at the whole page as people do; the phrases it offers for the talk."""
        answer = self.device.get(f"/g/{public_id}/")
        if answer.status != 200:
            return []
        if self.chance.random() < 0.3:
            self.device.get(f"/g/{public_id}/since/{max(0, self.device.numbers.get(public_id, 0) - 2)}/", script=True)
        if self.chance.random() < 0.2:
            self.device.get(f"/g/{public_id}/why/")
        if self.chance.random() < 0.3:
            self.post("/notices/looking/", {"topic": public_id})
        return pages.choices(pages.parse(answer.text), "phrase")

    # what else there is to do at a table

    def watch(self, public_id: str) -> None:
        """Look at a game's page whoever is asked, say something unasked, and press a button that is about something else
        than cards."""
        if self.chance.random() < 0.3:
            self.speak(public_id)
        if self.chance.random() > self.person.reads + 0.2:
            self.state(public_id)
            return
        answer = self.device.get(f"/g/{public_id}/")
        if answer.status != 200:
            return
        page = pages.parse(answer.text)
        offered = list(pages.buttons(page, f"/g/{public_id}/"))
        for button in self.chance.sample(offered, len(offered)):
            if self.press(public_id, button):
                return
        if self.chance.random() < 0.2:
            self.device.get(f"/g/{public_id}/record.json")
            self.device.get(f"/g/{public_id}/hand/1/")

    def press(self, public_id: str, button: pages.Button) -> bool:
        """Press a button with the likelihood that belongs to it; whether it was."""
        kind = button.path.removeprefix(f"/g/{public_id}/").strip("/")
        how_often = {
            "time": {
                "back": 0.6, "agree": 0.7, "decline": 0.2, "resume": 0.4, "live": 0.5, "days": 0.3, "more": 0.05,
                "pause": 0.05, "ask-substitute": 0.3, "substitute": 0.6,
            }.get(button.value, _OTHER_FORMS),
            "leave": 0.0, "act": 0.0, "ready": 0.5, "claim": 0.0, "settings": 0.0, "seen": 0.5, "rematch": 0.0,
        }.get(kind, _OTHER_FORMS)  # fmt: skip
        if not button.path.startswith(f"/g/{public_id}/") or self.chance.random() > how_often:
            return False
        fields = dict(button.fields)
        if button.value == "pause":
            day = self.village.clock.now() + timedelta(days=self.chance.randint(1, 4))
            fields["until"] = day.date().isoformat()
        for name, value in fields.items():
            if value == "" and name in button.typed:
                fields[name] = "Bien di"
        answer = self.device.insist(button.path, fields, kind=kind, text=button.value)
        self.village.expect(answer.status != 400, f"what the page offered, {button.path} {fields}, gave 400")
        return True

    def make_plan(self, public_id: str) -> None:
        """Plan what one will play, or say in the talk."""
        answer = self.device.get(f"/g/{public_id}/plans/")
        if answer.status != 200:
            return
        page = pages.parse(answer.text)
        offered = [one for one in pages.buttons(page, f"/g/{public_id}/plans/") if one.path.endswith("/plans/")]
        if not offered:
            return
        button = self.chance.choice(offered)
        fields = dict(button.fields)
        for name in fields:
            if name.startswith(("play-", "led-", "winning-")) and self.chance.random() < 0.6:
                fields[name] = pages.some(page, name, self.chance)
        if button.value == "talk":
            fields["round"] = [self.chance.choice(pages.choices(page, "round") or [""]) for _ in range(3)]
        self.device.insist(button.path, fields, kind="plans", text=button.value)

    def leave(self, public_id: str) -> None:
        """Leave a game for good."""
        self.device.get(f"/g/{public_id}/leave/")
        self.device.insist(f"/g/{public_id}/leave/", {}, kind="leave", text="resign")

    def look_around(self) -> None:
        """Lists, notices, the bell, the own page; take a seat that somebody left."""
        prefix = f"/{self.person.language}"
        path = self.chance.choice(
            ["/my-games/", "/my-games/finished/", "/notices/", "/tables/", "/", "/you/", "/tables/"]
        )
        answer = self.device.get(prefix + path)
        self.device.get("/notices/bell.json")
        if path == "/tables/":
            for found in pages.links(answer.text, r"/g/[0-9a-z]+/")[:2]:
                public_id = GAME.match(found)[1]  # type: ignore[index]  # that is what was looked for
                self.watch(public_id)
