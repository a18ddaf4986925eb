"""Answers that belong to no room."""

from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` if the server answers and its database does; an unreachable database is a 500."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """The address without a language leads to the front page in the reader's."""
    response = HttpResponseRedirect(reverse("home"))
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response
