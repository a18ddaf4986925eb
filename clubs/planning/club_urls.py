"""Addresses of planning that belong to a club: `/c/<club>/tournaments/…`."""

from django.urls import URLPattern, path

from clubs.planning import views_plan as plan

app_name = "club-tournaments"
urlpatterns: list[URLPattern] = [path("new/", plan.new, name="new")]
