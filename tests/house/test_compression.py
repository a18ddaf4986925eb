"""Pages travel compressed, and their length does not tell what is in them."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from troccas_site.middleware import CompressionMiddleware

pytestmark = pytest.mark.django_db
GZIP = {"HTTP_ACCEPT_ENCODING": "gzip"}


def test_a_page_is_compressed_for_a_browser_that_understands_it(client):
    plain, packed = client.get("/en/"), client.get("/en/", **GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert b"<h1" in gzip.decompress(packed.content)
    assert len(packed.content) * 2 < len(plain.content)


def test_the_same_page_has_many_lengths():
    page = CompressionMiddleware(lambda request: HttpResponse("<p>The same.</p>" * 100))
    assert len({len(page(RequestFactory(**GZIP).get("/")).content) for _ in range(50)}) > 10


def test_what_goes_on_without_an_end_is_not_held_back():
    events = StreamingHttpResponse(iter([b"data: 1\n\n"]), content_type="text/event-stream")
    answer = CompressionMiddleware(lambda request: events)(RequestFactory(**GZIP).get("/"))
    assert "Content-Encoding" not in answer.headers
    assert b"".join(answer) == b"data: 1\n\n"
