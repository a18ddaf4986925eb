"""Passwords that were stolen elsewhere are refused, and hardly any other."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import breached
from accounts.models import User

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 -"


@pytest.mark.parametrize("password", ["liverpool123", "Liverpool123", "qwertyuiop123", "football1234"])
def test_a_password_of_the_list_is_refused(password):
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "password_breached" in [error.code for error in refused.value.error_list]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("kurz-78", "at least 8 characters"),
        ("sunshine1", "too common"),
        ("mengiacaduff", "too similar to the"),
        ("liverpool123", "stolen"),
    ],
)
def test_signing_up_refuses_a_password_that_is_short_common_stolen_or_like_the_address(password, said):
    filled = {"email": "mengiacaduff@example.org", "password1": password, "name": "Mengia"}
    answer = Client().post(reverse("account_signup"), filled)
    assert answer.status_code in (200, 422)
    assert said in answer.content.decode()
    assert not User.objects.exists()


def test_hardly_any_other_is():
    dice = Random(1)
    passwords = ["".join(dice.choices(LETTERS, k=14)) for _number in range(5000)]
    assert sum(map(breached.is_breached, passwords)) < 25
    for password in ("seventy-eight cards", "neun-und-dreissig", "ein Stich mit dem Buob", "\ud800" * 12):
        validate_password(password)


def test_the_file_is_the_one_that_was_made():
    made = breached.FILE.read_bytes()
    assert len(made) == 6334057
    assert hashlib.sha256(made).hexdigest() == "cda321878cf864c00e5cde6b1df453321971428cb704c707e48632e174ffc6f2"


@pytest.mark.django_db
def test_whoever_signs_up_with_one_is_told_so():
    fields = {"email": "onna@example.org", "password1": "liverpool123"}
    page = Client().post(reverse("account_signup"), fields)
    assert "stolen elsewhere" in page.content.decode()
    assert not User.objects.exists()
