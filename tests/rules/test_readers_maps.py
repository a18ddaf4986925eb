"""Maps of the regions where words were heard."""

from __future__ import annotations

import pytest
from django.test import Client

from rules.documents import kinds
from rules.documents.shapes import BadDocument
from rules.readers import maps, selectors
from tests.rules import content_kit

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_the_places_are_drawn_on_maps_whose_names_cover_no_other() -> None:
    content_kit.lay()
    found = selectors.villages("en")
    drawn = maps.maps(found)
    assert [each.name for each in drawn] == ["Surselva", "Upper Valais"]
    on_maps = [dot.village.place.key for each in drawn for dot in each.dots]
    assert len(on_maps) == len(set(on_maps))
    assert {"sedrun", "trun", "ilanz", "visp", "graechen"} <= set(on_maps)
    for each in drawn:
        east = {dot.village.place.key: dot.x for dot in each.dots}
        assert sorted(east, key=lambda key: east[key]) == sorted(
            east, key=lambda key: next(v.at[1] for v in found if v.place.key == key and v.at)
        )
        assert all(0 <= dot.x <= each.width and 0 <= dot.y <= each.height for dot in each.dots)
    html = Client().get("/en/places/").content.decode()
    assert html.count("<circle") == len(on_maps)


def test_where_a_place_lies_is_written_as_degrees() -> None:
    place = {"names": {"": "Vrin"}, "sort": "village"}
    assert kinds.check("place", {**place, "at": "46.656, 9.098"})["at"] == "46.656, 9.098"
    with pytest.raises(BadDocument):
        kinds.check("place", {**place, "at": "somewhere"})
