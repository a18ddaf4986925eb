"""How certain a word is: who says it, and how reliable that is. Derived from its sources, by rule.

Five standings: *attested* (a source has the word in this sense), *near* (attested, but for something that corresponds
and is not the same), *doubtful* (attested, but the form or the sense looks wrong), *ours* (English and German: coined
by us, or an everyday word that we use), *proposed* (no source has it in this sense; a speaker of the language must
check it).

Reliability runs from 1 to 4 as in IATE: 1 not verified, 2 at least one source, 3 reliable, 4 very reliable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from rules.documents.kinds import source_of
from rules.documents.shapes import Label

OUR_LANGUAGES: Final = ("en", "de")
"""In these languages, a word without a source is one of ours; in the others, it is only proposed."""
ATTESTED: Final = "attested"
IN_ANOTHER_SENSE: Final = ("near", "doubtful")
"""A source has the word, but in another sense or form: it is not shown as the players’ own word."""
NAMES: Final[Mapping[str, Label]] = {
    "attested": _("attested"),
    "near": _("near equivalent"),
    "doubtful": _("doubtful"),
    "ours": _("coined by us"),
    "proposed": _("proposed"),
}
MEANS: Final[Mapping[str, Label]] = {
    "attested": _("a source has this word in this sense"),
    "near": _("attested for something that corresponds, but is not the same"),
    "doubtful": _("a source has it, but the form or the sense looks wrong"),
    "ours": _("no source has it; it is our own word or translation"),
    "proposed": _("no source says it so yet; somebody who speaks the language must look at it"),
}
RELIABILITIES: Final[Mapping[int, Label]] = {
    1: _("not verified"),
    2: _("one source at second hand"),
    3: _("a source at first hand, or two sources"),
    4: _("two sources, at least one at first hand"),
}


def of(term: Mapping[str, Any]) -> str:
    """The standing of a term of a canonical document: a key of `NAMES`."""
    if term.get("status") == "proposed":
        return "proposed"
    given: str = term.get("standing", "")
    if given == "ours":
        return "ours"
    if not term.get("sources"):
        return "ours" if term["lang"] in OUR_LANGUAGES else "proposed"
    return given or ATTESTED


def reliability(term: Mapping[str, Any], trust: Callable[[str], str]) -> int:
    """From 1 to 4. `trust` returns the trust of a source key: primary, secondary, unreliable, or nothing if unknown.

    1: ours, proposed or doubtful, or only unreliable sources. 2: one source at second hand. 3: one at first hand, or
    two at second hand. 4: two or more, at least one at first hand. A near equivalent has at most 2.
    """
    kind = of(term)
    if kind not in (ATTESTED, "near"):
        return 1
    works = {source_of(citation) for citation in term.get("sources", ())}
    trusted = [trust(work) for work in works]
    reliable = [each for each in trusted if each != "unreliable"]
    if not reliable:
        return 1
    points = (3 if "primary" in reliable else 2) + (len(reliable) > 1)
    return min(points, 2 if kind == "near" else 4)
