"""Signing up: allauth's page, which also bears that the same form comes twice at once."""

from __future__ import annotations

from allauth.account.views import SignupView
from django.http import HttpResponse

from accounts.forms import AddressTaken, SignupForm


class SignUp(SignupView):
    """Makes the account, or shows the form again with what is wrong."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Make the account. If somebody else has made it since the form was checked, say so on the form."""
        try:
            response: HttpResponse = super().form_valid(form)
        except AddressTaken:
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()
