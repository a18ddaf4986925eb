"""Who may change the encyclopedia, and what a change leaves behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from rules import content_files, services
from rules import exceptions as rules_exceptions
from rules.documents import BadDocument
from rules.models import Article, Catalogue, Concept, Entry, Redirect, Remark, Revision, SearchEntry, Suggestion, Term
from tests.refusals import refuses
from tests.rules import document_kit, door_kit
from tests.rules.door_kit import changed_article, entry, published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    door_kit.world()


def counts() -> tuple[int, ...]:
    """How much there is of everything that a change writes."""
    kept = (Entry, Revision, Suggestion, Remark, Redirect, Article, Term, SearchEntry)
    return tuple(model.objects.count() for model in kept)


# --- Publishing -------------------------------------------------------------------------------------------------------


def test_an_editor_publishes_and_readers_see_it() -> None:
    by = door_kit.editor()
    before = published(entry("article", "deal", "en"))
    document = {**changed_article("One line", "One better line"), "title": "Dealing"}
    revision = door_kit.publish(document, by, comment="  clearer ")
    assert published(entry("article", "deal", "en")) == revision
    assert (revision.number, revision.parent, revision.author, revision.comment) == (2, before, by, "clearer")
    assert Article.objects.get(key="deal", language="en").title == "Dealing"
    assert SearchEntry.objects.filter(entry=revision.entry, text__contains="One better line").exists()


def test_a_word_is_projected_with_its_terms_places_and_definitions() -> None:
    row = entry("concept", "words.scart")
    document = published(row).document
    terms = [*document["terms"], {"lang": "rm-sursilv", "text": "scartar", "place": "breil"}]
    services.publish(row, {**document, "terms": terms, "games": ["troggu"]}, by=door_kit.editor(), base=row.published)
    concept = Concept.objects.get(key="words.scart")
    assert (concept.slug, concept.troccas, concept.troggu) == ("scart", False, True)
    assert [term.text for term in concept.terms.all()] == ["discard", "scart", "Scart", "scartar"]
    assert concept.terms.get(text="scartar").place.key == "breil"
    assert concept.definitions.get(language="en").text == "Three cards laid away."


def test_a_word_that_named_a_place_before_there_was_one_is_linked_to_it() -> None:
    door_kit.from_files(
        ("concept", "words.mas", "", {"theme": "play", "terms": [{"lang": "gsw", "text": "Mas", "place": "visp"}]}),
    )
    assert Term.objects.get(text="Mas").place is None
    new = services.new_entry("place", "visp")
    services.publish(new, {"names": {"": "Visp"}, "sort": "village"}, by=door_kit.editor(), base=None)
    assert Term.objects.get(text="Mas").place.key == "visp"


def test_a_member_suggests_and_cannot_publish() -> None:
    before = counts()
    with refuses("not-allowed"):
        door_kit.publish(changed_article("One", "My"), door_kit.member(accepted=0))
    assert counts() == before


@pytest.mark.parametrize("kind", ["guest", "computer"])
def test_guests_are_told_to_sign_in(kind: str) -> None:
    nobody = Player.objects.create(computer="level-1" if kind == "computer" else "")
    row = entry("article", "deal", "en")
    for change in (services.publish, services.suggest):
        with refuses("sign-in"):
            change(row, changed_article("One", "My"), by=nobody, base=row.published)
    with refuses("sign-in"):
        services.remark("article", "deal", "hello", by=nobody)


def test_an_editor_of_one_language_publishes_that_language_only() -> None:
    by = door_kit.editor(language="de")
    door_kit.publish(changed_article("One", "Eine", language="de"), by, language="de")
    with refuses("not-allowed"):
        door_kit.publish(changed_article("One", "My"), by)


def test_an_editor_of_german_publishes_german_words_of_a_concept_but_not_its_theme() -> None:
    by = door_kit.editor(language="de")
    row = entry("concept", "words.scart")
    document = published(row).document
    german = {**document, "definitions": {**document["definitions"], "de": {"text": "Drei Karten."}}}
    services.publish(row, german, by=by, base=row.published)
    with refuses("not-allowed"):
        services.publish(row, {**german, "theme": "play"}, by=by, base=published(row))


def test_a_change_that_changes_nothing_is_refused() -> None:
    by = door_kit.editor()
    row = entry("article", "deal", "en")
    before = counts()
    with refuses("unchanged"):
        services.publish(row, {**published(row).document, "title": "  The deal "}, by=by, base=row.published)
    assert counts() == before


def test_a_bad_document_changes_nothing() -> None:
    before = counts()
    by = door_kit.editor()
    with pytest.raises(BadDocument) as bad:
        door_kit.publish({**changed_article("One", "My"), "title": ""}, by)
    assert [problem.field for problem in bad.value.problems] == ["title"]
    with pytest.raises(BadDocument):
        door_kit.publish(changed_article("One", "My"), by, comment="a\u202eb")
    assert counts()[1:4] == before[1:4]


def test_sources_places_and_words_that_do_not_exist_are_named_with_their_field() -> None:
    row = entry("concept", "words.scart")
    document = published(row).document
    terms = [{**document["terms"][0], "sources": ["hearsay: p. 3"], "place": "atlantis"}, *document["terms"][1:]]
    with pytest.raises(BadDocument) as bad:
        services.publish(
            row, {**document, "terms": terms, "broader": "words.nothing"}, by=door_kit.editor(), base=row.published
        )
    assert {problem.field for problem in bad.value.problems} == {"terms.0.sources.0", "terms.0.place", "broader"}


def test_what_pointed_to_nothing_before_may_stay_while_something_else_is_changed() -> None:
    door_kit.from_files(("concept", "words.old", "", {**document_kit.SCART, "related": ["words.gone"]}))
    row = entry("concept", "words.old")
    services.publish(row, {**published(row).document, "theme": "play"}, by=door_kit.editor(), base=row.published)


def test_a_revision_of_another_entry_is_no_base() -> None:
    other = published(entry("article", "deal", "de"))
    with pytest.raises(ValueError, match="no revision of"):
        services.publish(entry("article", "deal", "en"), changed_article("One", "My"), by=door_kit.editor(), base=other)


def test_history_cannot_be_changed() -> None:
    revision = published(entry("article", "deal", "en"))
    for change in (revision.save, Revision.objects.all().delete, lambda: Revision.objects.update(comment="x")):
        with pytest.raises(TypeError):
            change()


# --- Two people at once -----------------------------------------------------------------------------------------------


def test_changes_of_different_lines_from_the_same_base_both_survive() -> None:
    row = entry("article", "deal", "en")
    base = row.published
    mine, theirs = changed_article("One line", "My line"), changed_article("A third line", "Their line")
    services.publish(row, theirs, by=door_kit.editor("gion"), base=base)
    services.publish(row, mine, by=door_kit.editor("maria"), base=base)
    text = published(row).document["text"]
    assert "My line" in text
    assert "Their line" in text


def test_changes_of_the_same_line_are_a_conflict_with_both_texts_and_nothing_written() -> None:
    row = entry("article", "deal", "en")
    base = row.published
    theirs = services.publish(row, changed_article("One line", "Their line"), by=door_kit.editor("gion"), base=base)
    mine = {**base.document, "text": base.document["text"].replace("One line", "My line")}
    before = counts()
    with pytest.raises(rules_exceptions.Conflict) as met:
        services.publish(row, mine, by=door_kit.editor("maria"), base=base)
    assert counts()[1] == before[1]
    assert (met.value.mine, met.value.theirs) == (mine, theirs)
    (conflict,) = met.value.merge.conflicts
    assert (conflict.mine, conflict.theirs) == ("My line.", "Their line.")
    # Having looked at both, the person publishes from what is there now.
    services.publish(row, met.value.merge.draft, by=door_kit.editor("tina"), base=met.value.theirs)


def test_the_same_entry_made_twice_is_merged_or_a_conflict_but_never_lost() -> None:
    first = services.new_entry("concept", "words.new")
    word = {"theme": "play", "terms": [{"lang": "en", "text": "new"}]}
    services.publish(first, word, by=door_kit.editor("gion"), base=None)
    with pytest.raises(rules_exceptions.Conflict):
        services.publish(first, {**word, "theme": "deal"}, by=door_kit.editor("maria"), base=None)
    services.publish(first, {**word, "order": 3}, by=door_kit.editor("tina"), base=None)


# --- Suggestions ------------------------------------------------------------------------------------------------------


def suggested(by: Player, document: dict[str, Any] | None = None, **more: Any) -> Suggestion:
    row = entry("article", "deal", "en")
    return services.suggest(
        row, document or changed_article("One line", "A suggested line"), by=by, base=row.published, **more
    )


def test_an_accepted_suggestion_is_published_in_its_authors_name() -> None:
    author, by = door_kit.member(), door_kit.editor()
    suggestion = suggested(author, comment="clearer")
    revision = services.accept(suggestion, by=by, answer="thanks")
    suggestion.refresh_from_db()
    assert (revision.author, revision.published_by, revision.comment) == (author, by, "clearer")
    assert (suggestion.state, suggestion.became, suggestion.decided_by, suggestion.answer) == (
        "accepted", revision, by, "thanks",
    )  # fmt: skip


def test_a_suggestion_is_joined_with_what_was_published_since() -> None:
    suggestion = suggested(door_kit.member())
    door_kit.publish(changed_article("A third line", "A newer line"), door_kit.editor())
    text = services.accept(suggestion, by=door_kit.editor("maria")).document["text"]
    assert "A suggested line" in text
    assert "A newer line" in text


def test_an_editor_may_change_a_suggestion_while_accepting_it() -> None:
    suggestion = suggested(door_kit.member())
    mended = changed_article("One line", "A mended line")
    now = published(entry("article", "deal", "en"))
    assert (
        "A mended line" in services.accept(suggestion, by=door_kit.editor(), document=mended, base=now).document["text"]
    )


def test_a_suggestion_that_does_not_fit_any_more_stays_open() -> None:
    suggestion = suggested(door_kit.member())
    door_kit.publish(changed_article("One line", "A newer line"), door_kit.editor())
    with pytest.raises(rules_exceptions.Conflict):
        services.accept(suggestion, by=door_kit.editor("maria"))
    suggestion.refresh_from_db()
    assert suggestion.state == Suggestion.State.OPEN


def test_a_suggestion_is_decided_once() -> None:
    author, by = door_kit.member(), door_kit.editor()
    suggestion = suggested(author)
    services.decline(suggestion, by=by, answer="It is said further down.")
    for change in (
        lambda: services.accept(suggestion, by=by),
        lambda: services.decline(suggestion, by=by, answer="again"),
        lambda: services.withdraw(suggestion, by=author),
    ):
        with refuses("decided"):
            change()
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.answer) == ("declined", "It is said further down.")


def test_who_declines_says_why() -> None:
    with pytest.raises(BadDocument):
        services.decline(suggested(door_kit.member()), by=door_kit.editor(), answer=" ")


def test_only_editors_decide_and_only_the_author_withdraws() -> None:
    author = door_kit.member()
    suggestion = suggested(author)
    with refuses("not-allowed"):
        services.accept(suggestion, by=author)
    with refuses("not-allowed"):
        services.decline(suggestion, by=door_kit.editor("tina", "de"), answer="no")
    with refuses("not-allowed"):
        services.withdraw(suggestion, by=door_kit.editor())
    services.withdraw(suggestion, by=author)
    suggestion.refresh_from_db()
    assert suggestion.state == Suggestion.State.WITHDRAWN


def test_the_same_suggestion_is_not_taken_twice() -> None:
    author = door_kit.member()
    suggested(author)
    with refuses("unchanged"):
        suggested(author)
    suggested(door_kit.member("maria"))


def test_a_suggestion_knows_the_language_it_concerns() -> None:
    assert suggested(door_kit.member()).language == "en"
    row = entry("concept", "words.scart")
    document = published(row).document
    german = {**document, "definitions": {**document["definitions"], "de": {"text": "Drei Karten."}}}
    by = door_kit.member("maria")
    assert services.suggest(row, german, by=by, base=row.published).language == "de"
    assert services.suggest(row, {**german, "note": {"en": "New"}}, by=by, base=row.published).language == ""


# --- Limits and spam --------------------------------------------------------------------------------------------------


def send_remarks(by: Player, number: int) -> None:
    for count in range(number):
        services.remark("article", "deal", f"remark {count}", by=by)


@pytest.mark.parametrize(("days", "accepted", "allowed"), [(30, 3, 30), (2, 3, 6), (30, 2, 6)])
def test_members_send_thirty_an_hour_and_newcomers_six(days: int, accepted: int, allowed: int) -> None:
    by = door_kit.member(days=days, accepted=accepted)
    send_remarks(by, allowed)
    before = counts()
    with refuses("too-fast"):
        send_remarks(by, 1)
    with refuses("too-fast"):
        suggested(by)
    assert counts() == before


def test_what_is_refused_for_its_form_costs_nothing() -> None:
    by = door_kit.member(days=0)
    for _attempt in range(10):
        with pytest.raises(BadDocument):
            suggested(by, {"title": "only this"})
    suggested(by)


def test_editors_are_hardly_limited() -> None:
    send_remarks(door_kit.editor(), 40)


@pytest.mark.parametrize(
    "link",
    [
        "https://casino.example/win", "[here](http://casino.example)", "//casino.example/x", "www.casino.example",
        "HTTPS://CASINO.EXAMPLE", "mailto:win@casino.example", "https://www.pagat.com@casino.example/",
        "https://pagat.com.casino.example", "ftp://casino.example/a",
    ],
)  # fmt: skip
def test_a_link_to_no_source_of_ours_is_refused_with_its_host(link: str) -> None:
    by = door_kit.member()
    before = counts()
    with refuses("spam-link") as met:
        suggested(by, changed_article("One line", f"One line, see {link}"))
    assert "casino.example" in str(met.value.message).casefold()
    with refuses("spam-link"):
        suggested(by, comment=link)
    with refuses("spam-link"):
        services.remark("article", "deal", f"See {link}", by=by)
    assert counts() == before


def test_links_to_our_sources_and_to_ourselves_may_stay() -> None:
    text = "One line, see https://www.pagat.com/tarot/ and http://127.0.0.1:8000/en/rules/"
    suggested(door_kit.member(), changed_article("One line", text))


def test_a_list_of_links_is_refused_even_to_our_sources() -> None:
    many = " ".join(f"https://www.pagat.com/{number}" for number in range(services.MOST_NEW_LINKS + 1))
    with refuses("spam-link"):
        suggested(door_kit.member(), changed_article("One line", many))


def test_editors_may_link_anywhere_and_a_new_source_has_an_address() -> None:
    door_kit.publish(changed_article("One line", "https://new.example/"), door_kit.editor())
    new = services.new_entry("source", "new")
    services.suggest(new, {"title": "New", "url": "https://elsewhere.example/"}, by=door_kit.member(), base=None)
    with refuses("spam-link"):
        services.suggest(new, {"title": "https://elsewhere.example/"}, by=door_kit.member("maria"), base=None)


# --- Protection, reverting, names -------------------------------------------------------------------------------------


def test_a_protected_page_takes_changes_of_those_it_names_only() -> None:
    row = entry("article", "deal", "en")
    chief, by, author = door_kit.administrator(), door_kit.editor(), door_kit.member()
    with refuses("not-allowed"):
        services.protect(row, Entry.Protection.EDITORS, by=by)
    services.protect(row, Entry.Protection.EDITORS, by=chief)
    with refuses("protected"):
        suggested(author)
    door_kit.publish(changed_article("One", "Another"), by)
    services.protect(row, Entry.Protection.ADMINISTRATORS, by=chief)
    with refuses("protected"):
        door_kit.publish(changed_article("Another", "One"), by)
    with refuses("protected"):
        suggested(by, changed_article("Another", "A third"))
    door_kit.publish(changed_article("Another", "One"), chief)
    with pytest.raises(BadDocument):
        services.protect(row, "everybody", by=chief)


def test_an_old_revision_is_published_again_with_a_reason() -> None:
    by = door_kit.editor()
    row = entry("article", "deal", "en")
    first = published(row)
    door_kit.publish(changed_article("One line", "A mistake"), by)
    with pytest.raises(BadDocument):
        services.revert(row, first, by=by, comment="")
    again = services.revert(row, first, by=by, comment="It was right before.")
    assert (again.number, again.document, again.reverts_to) == (3, first.document, first)
    with refuses("unchanged"):
        services.revert(row, first, by=by, comment="once more")
    with refuses("not-allowed"):
        services.revert(row, published(row), by=door_kit.member(), comment="no")


def test_an_old_address_leads_to_the_new_one_in_all_languages() -> None:
    chief = door_kit.administrator()
    row = entry("article", "deal", "en")
    with refuses("not-allowed"):
        services.rename(row, "dealing", by=door_kit.editor())
    services.rename(row, "dealing", by=chief)
    assert {one.slug for one in Entry.objects.filter(kind="article", key="deal")} == {"dealing"}
    assert {one.slug for one in Article.objects.filter(key="deal")} == {"dealing"}
    assert Redirect.objects.get(kind="article", slug="deal").key == "deal"
    with refuses("unchanged"):
        services.rename(row, "dealing", by=chief)
    with pytest.raises(BadDocument):
        services.rename(row, "Not An Address", by=chief)
    services.rename(row, "deal", by=chief)  # and back
    assert Redirect.objects.get(kind="article").slug == "dealing"


def test_an_address_that_is_or_was_another_entrys_is_taken() -> None:
    chief = door_kit.administrator()
    with refuses("address-taken"):
        services.rename(entry("concept", "words.tapp"), "scart", by=chief)
    services.rename(entry("concept", "words.scart"), "laying-away", by=chief)
    with refuses("address-taken"):
        services.rename(entry("concept", "words.tapp"), "scart", by=chief)
    with refuses("address-taken"):
        services.new_entry("concept", "words.other", slug="scart")


def test_a_new_entry_is_nothing_to_readers_until_it_is_published() -> None:
    new = services.new_entry("concept", "words.cantar")
    assert new.published is None
    assert services.new_entry("concept", "words.cantar") == new
    suggestion = services.suggest(
        new, {"theme": "talk", "terms": [{"lang": "rm-sursilv", "text": "cantar"}]}, by=door_kit.member(), base=None
    )
    assert not Concept.objects.filter(key="words.cantar").exists()
    services.accept(suggestion, by=door_kit.editor())
    assert Concept.objects.get(key="words.cantar").slug == "cantar"
    with refuses("address-taken"):
        services.new_entry("concept", "words.cantar")


@pytest.mark.parametrize(
    ("kind", "key", "language", "field"),
    [
        ("poem", "a", "", "kind"), ("concept", "Not a key", "", "key"), ("concept", "", "", "key"), ("article", "a", "xx", "language"),
        ("concept", "a", "en", "language"), ("article", "a", "", "language"),
    ],
)  # fmt: skip
def test_keys_and_languages_that_cannot_be_are_refused(kind: str, key: str, language: str, field: str) -> None:
    with pytest.raises(BadDocument) as bad:
        services.new_entry(kind, key, language)
    assert [problem.field for problem in bad.value.problems] == [field]


# --- Translations -----------------------------------------------------------------------------------------------------


def test_a_translation_knows_how_many_changes_it_has_not_followed() -> None:
    by = door_kit.editor()
    german = entry("article", "deal", "de")
    assert services.staleness(german) is None
    door_kit.publish(changed_article("One line", "One line!"), by, minor=True)
    door_kit.publish(changed_article("A third", "The third"), by)
    newest = door_kit.publish(changed_article("Another", "A second"), by)
    stale = services.staleness(entry("article", "deal", "de"))
    assert (stale.newest, stale.changes) == (newest, 2)
    # The translator finds that the text says it all the same.
    services.publish(german, published(german).document, by=by, base=german.published, follows=newest)
    assert services.staleness(entry("article", "deal", "de")) is None


def test_minor_changes_leave_translations_valid() -> None:
    door_kit.publish(changed_article("One line", "One line!"), door_kit.editor(), minor=True)
    assert services.staleness(entry("article", "deal", "de")) is None


def test_a_change_that_is_taken_back_leaves_translations_valid() -> None:
    by = door_kit.editor()
    row = entry("article", "deal", "en")
    first = published(row)
    door_kit.publish(changed_article("One line", "A mistake"), by)
    services.revert(row, first, by=by, comment="It was right before.")
    assert services.staleness(entry("article", "deal", "de")) is None


def test_an_edited_translation_goes_on_following_what_it_followed() -> None:
    by = door_kit.editor()
    first = published(entry("article", "deal", "en"))
    door_kit.publish(changed_article("One line", "Another first line"), by)
    revision = door_kit.publish(changed_article("One line", "Eine Zeile", language="de"), by, language="de")
    assert revision.follows == first
    assert services.staleness(entry("article", "deal", "de")).changes == 1


def test_a_new_translation_follows_its_source_and_has_its_address() -> None:
    services.rename(entry("article", "deal", "en"), "dealing", by=door_kit.administrator())
    new = services.new_entry("article", "deal", "rm-sursilv")
    assert new.slug == "dealing"
    suggestion = services.suggest(new, document_kit.ARTICLE, by=door_kit.member(), base=None)
    source = published(entry("article", "deal", "en"))
    door_kit.publish(changed_article("One line", "A newer line"), door_kit.editor())
    revision = services.accept(suggestion, by=door_kit.editor("maria"))
    assert revision.follows == source
    assert services.staleness(published(new).entry).changes == 1


def test_only_a_revision_of_its_source_is_followed() -> None:
    other = published(entry("concept", "words.scart"))
    with pytest.raises(ValueError, match="does not translate"):
        door_kit.publish(changed_article("One", "Eine", language="de"), door_kit.editor(), language="de", follows=other)


# --- Discussion -------------------------------------------------------------------------------------------------------


def test_members_discuss_and_editors_hide_with_a_reason() -> None:
    author, by = door_kit.member(), door_kit.editor(language="de")
    remark = services.remark("article", "deal", "  Is this so?  ", by=author, question="jack-in-scart")
    assert (remark.text, remark.question) == ("Is this so?", "jack-in-scart")
    with refuses("not-allowed"):
        services.hide_remark(remark, by=author, why="no")
    with pytest.raises(BadDocument):
        services.hide_remark(remark, by=by, why="")
    services.hide_remark(remark, by=by, why="unfriendly")
    remark.refresh_from_db()
    assert (remark.hidden_by, remark.hidden_why, remark.text) == (by, "unfriendly", "Is this so?")
    with refuses("decided"):
        services.hide_remark(remark, by=by, why="again")


@pytest.mark.services
@pytest.mark.parametrize("text", ["", "  ", "a" * 4001, "a\u202eb", "a\0b"])
def test_an_unfit_remark_is_refused(text: str) -> None:
    with pytest.raises(BadDocument):
        services.remark("article", "deal", text, by=door_kit.member())


def test_nothing_is_said_about_what_is_not_there() -> None:
    with refuses("not-there"):
        services.remark("article", "nothing", "hello", by=door_kit.member())


# --- What follows from it ---------------------------------------------------------------------------------------------


def test_the_projections_can_be_made_anew_from_the_revisions() -> None:
    by = door_kit.editor()
    door_kit.publish(changed_article("One line", "One better line"), by)
    row = entry("concept", "words.scart")
    services.publish(row, {**published(row).document, "theme": "play"}, by=by, base=row.published)

    def rows() -> list[Any]:
        return [
            sorted(model.objects.values_list(*fields))
            for model, fields in (
                (Article, ("key", "language", "slug", "title", "section", "order")),
                (Concept, ("key", "slug", "theme", "troccas", "troggu")),
                (Term, ("concept__key", "order", "language", "text", "status")),
                (SearchEntry, ("entry__key", "part", "language", "text")),
            )
        ]

    before = rows()
    assert content_files.rebuild() == Entry.objects.exclude(published=None).count()
    assert rows() == before


def test_roles_that_were_taken_away_open_nothing() -> None:
    by = door_kit.editor()
    account_permissions.revoke(by, account_permissions.EDITOR)
    with refuses("not-allowed"):
        door_kit.publish(changed_article("One", "My"), by)


def test_an_entry_that_is_refused_within_its_transaction_leaves_nothing() -> None:
    before = counts()
    by = door_kit.member()
    with refuses("spam-link"), transaction.atomic():
        services.suggest(
            services.new_entry("concept", "words.spam"),
            {"theme": "play", "terms": [{"lang": "en", "text": "https://casino.example"}]},
            by=by,
            base=None,
        )
    assert counts()[0] == before[0] + 1  # the member's own past, no entry
    assert not Entry.objects.filter(key="words.spam").exists()


def test_newcomers_are_known_after_some_days_and_good_suggestions() -> None:
    from rules.services import is_newcomer

    by = door_kit.member(days=4, accepted=3)
    assert not is_newcomer(by)
    by.user.date_joined = timezone.now() - timedelta(days=2)
    assert is_newcomer(by)


def test_names_are_read_anew_after_a_change_of_a_word_and_not_of_an_article(world):
    def state() -> int:
        return Catalogue.objects.get(pk=1).words

    by, before = door_kit.editor(), state()
    door_kit.publish(changed_article("One", "Another"), by)
    assert state() == before
    word = entry("concept", "words.scart")
    services.publish(word, document_kit.scart(theme="calls"), by=by, base=word.published)
    assert state() > before
