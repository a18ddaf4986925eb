"""People in a real browser: passkeys with a virtual authenticator, the pages of one's own, the time zone of the device."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import LONG, looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Locator, Page

    from tests.live import LiveSite

# Signing out takes the badge off the app, which breaks Chromium without windows.
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("whole_browser")]

PASSWORD = "seventy-eight cards"
OWN_PAGES = pages(
    "/en/you/",
    "/en/you/profile/",
    "/en/you/preferences/",
    "/en/you/programs/",
    "/en/you/delete/",
    "/en/account/2fa/",
    "/en/account/2fa/totp/activate/",
    "/en/account/sessions/",
    "/en/account/email/",
    later=("/en/you/blocked/", "/en/you/export/", "/en/account/2fa/webauthn/add/", "/en/account/password/change/"),
)
STRANGERS_PAGES = ("/en/account/login/", "/en/account/login/code/", "/en/account/signup/")


def at(site: LiveSite, path: str) -> str:
    """The address under the name of this machine: passkeys belong to names, not to numbers."""
    return f"http://localhost:{site.port}{path}"


@pytest.fixture
def device(page: Page) -> Iterator[tuple[CDPSession, str]]:
    """A device that holds passkeys and always recognises its owner."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    yield session, made["authenticatorId"]
    session.detach()


def sign_up(page: Page, site: LiveSite) -> str:
    """A new account; returns its address."""
    email = f"{uuid4().hex[:10]}@example.ch"
    page.goto(at(site, "/en/account/signup/"))
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Make an account").click()
    page.wait_for_url("**/en/")
    return email


def sign_out(page: Page, site: LiveSite) -> None:
    page.goto(at(site, "/en/you/"))
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/en/")


def confirm_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    press(page.get_by_role("button", name="Go on"))


def add_passkey(page: Page, site: LiveSite, name: str) -> None:
    page.goto(at(site, "/en/account/2fa/webauthn/add/"))
    if "reauthenticate" in page.url:
        confirm_password(page)
    page.get_by_label("What you call it").fill(name)
    page.get_by_role("button", name="Make the passkey").click()


@pytest.mark.slow
def test_a_passkey_is_made_and_signs_in_by_itself(
    page: Page, live_site: LiveSite, device: tuple[CDPSession, str]
) -> None:
    session, authenticator = device
    sign_up(page, live_site)
    add_passkey(page, live_site, "My phone")
    page.wait_for_url("**/recovery-codes/")
    kept = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
    assert [(each["isResidentCredential"], each["rpId"]) for each in kept] == [(True, "localhost")]
    page.goto(at(live_site, "/en/account/2fa/"))
    assert page.get_by_text("My phone").count() >= 1
    sign_out(page, live_site)

    page.goto(at(live_site, "/en/account/login/?next=/en/you/profile/"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(at(live_site, "/en/you/profile/"))
    assert page.get_by_role("heading", level=1).inner_text() == "Profile"


@pytest.mark.slow
def test_after_the_password_the_passkey_is_the_second_step(
    page: Page, live_site: LiveSite, device: tuple[CDPSession, str]
) -> None:
    email = sign_up(page, live_site)
    add_passkey(page, live_site, "Key ring")
    page.wait_for_url("**/recovery-codes/")
    sign_out(page, live_site)
    page.goto(at(live_site, "/en/account/login/"))
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/2fa/authenticate/")
    page.goto(at(live_site, "/en/you/profile/"))
    assert page.url == at(live_site, "/en/account/2fa/authenticate/"), "the password alone does not sign in"
    page.goto(at(live_site, "/en/account/2fa/authenticate/"))
    assert serious(page) == []
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/en/")
    page.goto(at(live_site, "/en/you/profile/"))
    assert "/you/profile/" in page.url


@pytest.mark.slow
def test_a_passkey_confirms_who_it_is_and_can_be_renamed_and_removed(
    page: Page, live_site: LiveSite, device: tuple[CDPSession, str]
) -> None:
    sign_up(page, live_site)
    add_passkey(page, live_site, "First")
    page.wait_for_url("**/recovery-codes/")
    sign_out(page, live_site)
    page.goto(at(live_site, "/en/account/login/"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/en/")

    page.goto(at(live_site, "/en/account/2fa/"))
    press(page.get_by_role("link", name=re.compile("Rename ?: First")))
    press(page.get_by_role("link", name="With a passkey"))
    press(page.get_by_role("button", name="Use a passkey"))
    page.get_by_label("What you call it").fill("Renamed")
    press(page.get_by_role("button", name="Save"))
    page.goto(at(live_site, "/en/account/2fa/"))
    press(page.get_by_role("link", name=re.compile("Remove ?: Renamed")))
    assert serious(page) == []
    press(page.get_by_role("button", name="Remove"))
    page.get_by_text("The passkey is removed.").wait_for()
    sign_out(page, live_site)
    page.goto(at(live_site, "/en/account/login/"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("alert").or_(page.locator(".errorlist")).first.wait_for()
    page.goto(at(live_site, "/en/you/profile/"))
    assert "login" in page.url


@pytest.mark.slow
def test_a_device_that_does_not_recognise_its_owner_is_refused_in_words(
    page: Page, live_site: LiveSite, device: tuple[CDPSession, str]
) -> None:
    session, authenticator = device
    sign_up(page, live_site)
    session.send("WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": False})
    add_passkey(page, live_site, "Stolen")
    page.get_by_text("Nothing was done").wait_for()
    expect(page.get_by_role("button", name="Make the passkey")).to_be_enabled()
    assert serious(page) == []


@pytest.mark.slow
def test_one_device_holds_one_passkey_for_an_account(
    page: Page, live_site: LiveSite, device: tuple[CDPSession, str]
) -> None:
    sign_up(page, live_site)
    add_passkey(page, live_site, "First")
    page.wait_for_url("**/recovery-codes/")
    add_passkey(page, live_site, "Second")
    page.get_by_text("This device has a passkey for your account already.").wait_for()


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_the_pages_of_ones_own_are_sound(page: Page, live_site: LiveSite, viewport: object, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in STRANGERS_PAGES:
        sound(page, at(live_site, path))
    sign_up(page, live_site)
    page.goto(at(live_site, "/en/account/reauthenticate/"))
    sound(page, page.url)
    confirm_password(page)
    for path in OWN_PAGES:
        sound(page, at(live_site, path))
        assert path in page.url, f"{path} led to {page.url}"
        if LONG:
            sound(page, at(live_site, path.replace("/en/", "/de/")))


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.slow
def test_the_page_of_somebody_is_sound_and_blocks_and_reports(
    page: Page, live_site: LiveSite, browser: Browser, viewport: object
) -> None:
    sign_up(page, live_site)
    page.goto(at(live_site, "/en/you/profile/"))
    page.get_by_label("Your name at the table").fill("Gion Antoni")
    page.get_by_label("Sursilvan").check()
    page.get_by_role("textbox", name="Village or town").fill("Curaglia")
    for part in ("languages", "village or town"):
        page.get_by_role("group", name="What others may see").get_by_label(part).check()
    page.get_by_label("everybody").check()
    press(page.get_by_role("button", name="Save"))
    press(page.get_by_role("link", name="See it as others do"))
    address = page.url
    other = browser.new_page()
    try:
        sign_up(other, live_site)
        sound(other, address)
        assert other.get_by_text("Curaglia").is_visible()
        other.locator("summary", has_text="Block").click()
        sound_now(other)
        press(other.get_by_role("button", name="Block"))
        other.get_by_text("Gion Antoni is blocked.").wait_for()
        sound_now(other)
        press(other.get_by_role("link", name="Report"))
        sound_now(other)
        other.get_by_label("insults or threats").check()
        press(other.get_by_role("button", name="Send"))
        other.get_by_text("Thank you.").wait_for()
        other.goto(at(live_site, "/en/you/blocked/"))
        assert other.get_by_role("link", name="Gion Antoni").is_visible()
        sound_now(other)
    finally:
        other.close()


@pytest.mark.slow
def test_the_device_offers_its_time_zone(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    try:
        page = context.new_page()
        page.goto(at(live_site, "/en/account/signup/"))
        assert page.locator("[data-time-zone]").input_value() == "Asia/Tokyo"
        sign_up(page, live_site)
        page.goto(at(live_site, "/en/you/preferences/"))
        assert page.get_by_label("Time zone").input_value() == "Asia/Tokyo"
        page.get_by_label("Time zone").select_option("Europe/Rome")
        press(saving(page, "#id_time_zone"))
        page.get_by_text("Saved.").wait_for()
        page.get_by_role("button", name="Use that time zone").click()
        expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    finally:
        context.close()


@pytest.mark.slow
def test_an_export_is_a_file_and_a_deleted_account_is_gone(page: Page, live_site: LiveSite) -> None:
    email = sign_up(page, live_site)
    page.goto(at(live_site, "/en/you/export/"))
    confirm_password(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Make the file").click()
    assert json.loads(waiting.value.path().read_text(encoding="utf-8"))["account"]["email"] == email
    page.goto(at(live_site, "/en/you/delete/"))
    press(page.get_by_role("button", name="Delete my account for good"))
    page.get_by_text("Your account is deleted.").wait_for()
    page.goto(at(live_site, "/en/account/login/"))
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.locator(".errorlist").wait_for()


@pytest.mark.slow
def test_without_script_one_still_signs_in(browser: Browser, live_site: LiveSite, page: Page) -> None:
    email = sign_up(page, live_site)
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    try:
        plain = context.new_page()
        plain.goto(at(live_site, "/en/account/login/"))
        assert not plain.get_by_role("button", name="Sign in with a passkey").is_visible()
        plain.get_by_label("E-mail").fill(email)
        plain.get_by_label("Password").fill(PASSWORD)
        press(plain.get_by_role("main").get_by_role("button", name="Sign in", exact=True))
        plain.goto(at(live_site, "/en/you/preferences/"))
        plain.locator("#id_from_5").select_option("")
        plain.locator("#id_to_5").select_option("")
        press(saving(plain, "#id_from_5"))
        expect(plain.get_by_text("Saved.")).to_be_visible()
        expect(plain.locator("#id_from_5")).to_have_value("")
    finally:
        context.close()


def saving(page: Page, field: str) -> Locator:
    """The button that saves, in the part of the preferences in which a field stands."""
    return page.get_by_role("region").filter(has=page.locator(field)).get_by_role("button", name="Save")


def sound(page: Page, address: str) -> None:
    page.goto(address)
    sound_now(page)


def sound_now(page: Page) -> None:
    """Axe finds nothing serious, and nothing runs out of the page."""
    assert serious(page) == [], page.url
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


def test_what_was_saved_is_where_reading_goes_on(page: Page, live_site: LiveSite) -> None:
    sign_up(page, live_site)
    page.goto(at(live_site, "/en/you/preferences/"))
    press(saving(page, "#id_time_zone"))
    expect(page.get_by_role("region", name="Language and time").get_by_role("status")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#id_language")).to_be_focused()


def test_hours_that_are_refused_go_on_where_something_is_wrong(page: Page, live_site: LiveSite) -> None:
    """Also where what is wrong belongs to no one field."""
    sign_up(page, live_site)
    page.goto(at(live_site, "/en/you/preferences/"))
    hours = page.get_by_role("region", name="When you play")
    hours.locator("select").first.select_option("")
    press(hours.get_by_role("button", name="Save"))
    expect(hours.locator(".errorlist")).to_be_focused()
    expect(hours.locator(".errorlist")).to_be_in_viewport()
