"""A player's own page and settings, a player's page for others, reports, signing up, and one's own data.

The pages for signing in and its security are allauth's; this module has what they lack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from allauth.account import app_settings as account_settings
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.views import ConfirmEmailView, SignupView
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import availability, forms, names, privacy, registry, security, tokens
from accounts import permissions as account_permissions
from accounts import reports as account_reports
from accounts.choices import CANTONS, LANGUAGES_SPOKEN
from accounts.middleware import PlayerRequest
from accounts.models import Absence, Block, PersonalToken, Player, Profile, Report, Suspension, User
from accounts.privacy import erase
from accounts.services import ensure_player, retire
from core import limits
from core.http import page_of, require_safe_or_post, whole_number


@never_cache
@require_GET
def person(request: PlayerRequest, public_id: str) -> HttpResponse:
    """A player's page for others: the parts of the profile that this viewer may see. Not for search engines."""
    shown = person_or_404(public_id)
    if shown.public_id != public_id:
        return redirect("accounts:person", shown.public_id)
    viewer = request.visit.player
    can_act = viewer is not None and viewer.pk != shown.pk
    context = {
        "person": shown,
        "parts": _parts(shown, viewer),
        "facts": registry.facts_about(shown, viewer),
        "is_you": viewer is not None and viewer.pk == shown.pk,
        "can_act": can_act,
        "blocked": can_act and viewer is not None and account_permissions.has_blocked(viewer, shown),
    }
    response = render(request, "account/person.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@never_cache
@require_POST
def block(request: PlayerRequest, public_id: str) -> HttpResponse:
    other, player = person_or_404(public_id), request.visit.player
    if player is None:
        return redirect("account_login")
    try:
        account_permissions.block(player, other)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("%(name)s is blocked.") % {"name": other.display_name})
    return redirect("accounts:person", other.public_id)


@never_cache
@require_POST
def unblock(request: PlayerRequest, public_id: str) -> HttpResponse:
    other, player = person_or_404(public_id), request.visit.player
    if player is not None and account_permissions.unblock(player, other):
        messages.success(request, _("%(name)s is no longer blocked.") % {"name": other.display_name})
    if request.POST.get("back") == "list":
        return redirect("accounts:blocked")
    return redirect("accounts:person", other.public_id)


@never_cache
@require_GET
def blocked(request: PlayerRequest) -> HttpResponse:
    if request.visit.player is None:
        return redirect_to_login(request.get_full_path(), reverse("accounts:you"))
    rows = (
        Block.objects.filter(player=request.visit.player).select_related("blocked__merged_into").order_by("-created_at")
    )
    return render(request, "account/blocked.html", {"player": request.visit.player, "blocks": rows})


@never_cache
@require_safe_or_post
def report(request: PlayerRequest, public_id: str) -> HttpResponse:
    about, by = person_or_404(public_id), request.visit.player
    if by is None:
        return redirect("account_login")
    if by.pk == about.pk or about.is_computer:
        return redirect("accounts:person", about.public_id)
    if request.method != "POST":
        form = forms.ReportForm(context=request.GET.get("from", "")[:200])
        return render(request, "account/report.html", {"person": about, "form": form})
    form = forms.ReportForm(request.POST)
    status = 422
    if form.is_valid():
        if account_permissions.may_report(by):
            row = form.save(commit=False)
            row.about, row.by = about, by
            row.save()
            messages.success(request, account_reports.thanks(about))
            return redirect(row.context or reverse("accounts:person", args=[about.public_id]))
        form.add_error(None, forms.TOO_OFTEN)
        status = 429
    return render(request, "account/report.html", {"person": about, "form": form}, status=status)


def person_or_404(public_id: str) -> Player:
    """The person with this id; for a guest who became a member, the member.

    Raises Http404 for computer players and for people who are gone.
    """
    player = Player.objects.select_related("merged_into", "profile").filter(public_id=public_id).first()
    if player is None or not player.page:
        raise Http404
    return player.current


def _parts(shown: Player, viewer: Player | None) -> dict[str, object]:
    """The parts of the profile that this viewer may see, by their names in `Profile.shows`, ready for display.

    Only `hidden` if the profile is for people who are signed in, and this viewer is not.
    """
    profile = Profile.objects.filter(player=shown).first()
    if profile is None:
        return {}
    is_you = viewer is not None and viewer.pk == shown.pk
    signed_in = viewer is not None and viewer.is_member
    if not (is_you or profile.audience == Profile.Audience.EVERYBODY or signed_in):
        return {"hidden": True}
    names, cantons = dict(LANGUAGES_SPOKEN), dict(CANTONS)
    parts: dict[str, object] = {
        "languages": [str(names[code]) for code in profile.languages if code in names],
        "village": profile.village,
        "canton": str(cantons.get(profile.canton, "")),
        "text": profile.text,
        "time": timezone.now().astimezone(availability.zone_of(shown)),
    }
    return {name: parts[name] for name in profile.shows if parts.get(name)}


PAGE = 30


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as moderators see it: the evidence, the form to settle it, and what else is known about the person."""

    report: Report
    evidence: registry.Evidence | None
    form: forms.SettleForm
    others: int
    """How many other reports there are about the same person, settled or not."""
    suspension: Suspension | None


@never_cache
@require_GET
def reports(request: PlayerRequest) -> HttpResponse:
    """The open reports, the oldest first; with `?settled=1` the settled ones, the newest first."""
    return _listed(request, _moderator(request))


@never_cache
@require_POST
def settle(request: PlayerRequest, report: int) -> HttpResponse:
    """Settle a report, with a measure if one is chosen, and a note on what was done."""
    moderator = _moderator(request)
    row = get_object_or_404(_reports_for(moderator), pk=report)
    form = forms.SettleForm(request.POST)
    if not form.is_valid():
        return _listed(request, moderator, wrong=(row.pk, form))
    try:
        with transaction.atomic():
            done = Report.objects.filter(pk=row.pk, settled_at__isnull=True).update(
                settled_at=timezone.now(), settled_by=moderator, outcome=form.cleaned_data["outcome"]
            )
            if done:
                _act(row.about, form, moderator)
                account_reports.tell_answer(row)
                security.note("report settled", request, moderator, about=row.about.public_id, report=row.pk)
    except account_permissions.NotSuspendable:
        form.add_error("measure", _("Moderators, computer players and you yourself cannot be suspended."))
        return _listed(request, moderator, wrong=(row.pk, form))
    if done:
        messages.success(request, _("Settled."))
    else:
        messages.error(request, _("Somebody else has settled it already."))
    return redirect("accounts:reports")


@never_cache
@require_GET
def suspended(request: PlayerRequest) -> HttpResponse:
    _moderator(request)
    rows = account_permissions.suspensions()
    page = page_of(request, rows.select_related("player", "by__merged_into").order_by("-at", "-pk"), PAGE)
    return render(request, "account/suspended.html", {"page": page, "tab": "suspended"})


@never_cache
@require_POST
def lift(request: PlayerRequest, public_id: str) -> HttpResponse:
    moderator = _moderator(request)
    person = get_object_or_404(Player, public_id=public_id)
    if account_permissions.lift(person, by=moderator):
        messages.success(request, _("%(name)s is no longer suspended.") % {"name": person.display_name})
    return redirect("accounts:suspended")


def _act(person: Player, form: forms.SettleForm, moderator: Player) -> None:
    if form.cleaned_data["measure"] == forms.SettleForm.TAKE_DOWN:
        account_permissions.take_down(person, form.cleaned_data["told"])
    elif form.length is not None:
        account_permissions.suspend(person, form.length, form.cleaned_data["told"], by=moderator)


def _listed(
    request: PlayerRequest, moderator: Player, wrong: tuple[int, forms.SettleForm] | None = None
) -> HttpResponse:
    """The page of reports. `wrong` is an invalid form with the key of its report."""
    settled = request.GET.get("settled") == "1"
    rows = _reports_for(moderator).filter(settled_at__isnull=not settled)
    rows = rows.select_related("about__merged_into", "by__merged_into", "settled_by__merged_into")
    page = page_of(request, rows.order_by("-settled_at" if settled else "created_at", "pk"), PAGE)
    suspensions = account_permissions.standing(row.about for row in page)
    counts = dict(
        Report.objects.filter(about__in={row.about_id for row in page})
        .exclude(by=F("about"))  # whoever asks for a second look does not report themselves
        .values_list("about")
        .annotate(number=Count("pk"))
        .order_by()
    )
    shown = [
        Shown(
            row,
            registry.evidence_of(row.subject, moderator) if row.subject else None,
            wrong[1] if wrong is not None and wrong[0] == row.pk else forms.SettleForm(auto_id=f"id_{row.pk}_%s"),
            counts.get(row.about_id, 0) - (row.by_id != row.about_id),
            suspensions.get(row.about.current.pk),
        )
        for row in page
    ]
    context = {"page": page, "shown": shown, "settled": settled, "tab": "settled" if settled else "open"}
    return render(request, "account/reports.html", context, status=422 if wrong is not None else 200)


def _reports_for(moderator: Player) -> QuerySet[Report]:
    """The reports that this moderator may read and settle: none about themselves, since nobody learns who reported
    them."""
    return Report.objects.exclude(about=moderator)


def _moderator(request: PlayerRequest) -> Player:
    """The player, if they are a moderator. Raises PermissionDenied for everybody else."""
    player = request.visit.player
    if player is None or not account_permissions.may(player, account_permissions.MODERATOR):
        raise PermissionDenied
    return player


@never_cache
@require_http_methods(["GET", "HEAD"])
def you(request: PlayerRequest) -> HttpResponse:
    """The first of one's own pages. A visitor without a player sees how to begin; no guest is created for them."""
    player = own_player(request)
    row = account_permissions.suspension_of(player) if player is not None else None
    context = {
        "player": player,
        "moderates": account_permissions.may(player, account_permissions.MODERATOR),
        "edits": bool(account_permissions.languages(player)),
        "suspended": str(account_permissions.Suspended(row)) if row is not None else "",
    }
    return render(request, "account/you.html", context)


@never_cache
@login_required
@require_safe_or_post
def profile(request: PlayerRequest) -> HttpResponse:
    player = ensure_player(request)
    row = Profile.objects.filter(player=player).first() or Profile(player=player)
    row.player = player
    form = forms.ProfileForm(request.POST if request.method == "POST" else None, instance=row)
    if request.method == "POST" and form.is_valid():
        form.write()
        messages.success(request, _("Saved."))
        if names.looks_taken(player):
            messages.warning(
                request,
                _("Somebody else here has a name that looks like yours. You may keep it, but others may mix you up."),
            )
        return redirect("accounts:profile")
    return render(request, "account/profile.html", {"player": player, "form": form}, status=422 if form.errors else 200)


@never_cache
@require_safe_or_post
def forget(request: PlayerRequest) -> HttpResponse:
    """Ask a guest whether this device should forget them; on POST, end their token and give up their open games."""
    player = request.visit.player
    if player is None or not player.is_guest:
        return redirect("accounts:you")
    if request.method != "POST":
        return render(request, "account/forget.html", {"player": player})
    retire(player, timezone.now())
    request.visit.player = None
    request.visit.forget()
    messages.success(request, _("This device no longer knows you."))
    return redirect("home")


def own_player(request: PlayerRequest) -> Player | None:
    """The player of the request; a new one for a member without any, who was created on the command line."""
    return ensure_player(request) if request.user.is_authenticated else request.visit.player


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def programs(request: PlayerRequest) -> HttpResponse:
    """The player's tokens. A new one (POST) is shown only once, in the response."""
    player = ensure_player(request)
    if request.method != "POST":
        return _page(request, player, forms.TokenForm())
    form = forms.TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    if not limits.take(f"token:{player.pk}", rate=20, per=3600):
        form.add_error(None, forms.TOO_OFTEN)
        return _page(request, player, form, status=429)
    data = form.cleaned_data
    try:
        token, raw = tokens.issue_token(
            player, data["name"], data["scopes"], days=data["days"], by_hand=data["by_hand"]
        )
    except tokens.TooManyTokens:
        form.add_error(None, _("You have twenty tokens already. Revoke one that you do not use any more."))
        return _page(request, player, form, status=422)
    security.note("token made", request, player)
    return _page(request, player, forms.TokenForm(), made=token, raw=raw)


@never_cache
@reauthentication_required
@login_required
@require_POST
def mark_program(request: PlayerRequest) -> HttpResponse:
    """Mark the account as played by a program. That cannot be undone."""
    tokens.mark_program(ensure_player(request))
    messages.success(request, _("This account is marked as a program: everybody reads it before its name."))
    return redirect("accounts:programs")


@never_cache
@login_required
@require_POST
def revoke(request: PlayerRequest, token: int) -> HttpResponse:
    player = ensure_player(request)
    revoked = tokens.revoke_token(player, token)
    if revoked is not None:
        security.note("token revoked", request, player)
        messages.success(request, _("The token is revoked: the program can do nothing here any more."))
    return redirect("accounts:programs")


def _page(
    request: PlayerRequest,
    player: Player,
    form: forms.TokenForm,
    *,
    made: PersonalToken | None = None,
    raw: str = "",
    status: int = 200,
) -> HttpResponse:
    rows = [
        {"token": token, "may": [tokens.SCOPES[scope] for scope in token.scopes]} for token in tokens.living(player)
    ]
    context = {"rows": rows, "form": form, "made": made, "raw": raw, "player": player}
    return render(request, "account/programs.html", context, status=status)


@never_cache
@require_safe_or_post
def preferences(request: PlayerRequest) -> HttpResponse:
    """All preferences on one page, in one form: every button saves everything.

    A request with a single `section` saves only that. A visitor without a player is redirected to the page where one
    begins.
    """
    player = own_player(request)
    if player is None:
        return redirect_to_login(request.get_full_path(), reverse("accounts:you"))
    sent = _sections_sent(request)
    sections = _sections(request, player, sent)
    if request.method == "POST" and sent:
        if _save([sections[name] for name in sent]):
            at = "absence" if "back" in request.POST else request.POST.get("at", sent[0])
            section = at if at in sections else sent[0]
            done = _("You are back.") if _ends_absence(request, player) else _("Saved.")
            messages.success(request, done, extra_tags=section)  # said in that section, to which the page opens
            return redirect(f"{reverse('accounts:preferences')}#{section}")
        # The form may have set what was typed on the player, but the head of the page must show what is stored.
        request.visit.player = Player.objects.get(pk=player.pk)
    today = availability.today_of(player)
    context: dict[str, Any] = {
        "player": player,
        "forms": sections,
        "more": [(section, sections[section.name]) for section in registry.sections],
        "today": today,
        "absences": Absence.objects.filter(player=player, last_day__gte=today),
        "year": str(today.year),
        "vacation_left": availability.vacation_left(player, today.year),
        "vacation_days": availability.VACATION_DAYS,
        "zone": availability.zone_of(player).key,
    }
    context["failed"] = next((name for name in sent if sections[name].errors), "")
    return render(request, "account/preferences.html", context, status=422 if context["failed"] else 200)


def _sections_sent(request: PlayerRequest) -> list[str]:
    """The sections that were sent. The absence is one of them only if one of its days was given, or its button pressed."""
    known = {"table", "place", "hours", "absence", *(section.name for section in registry.sections)}
    sent = [name for name in request.POST.getlist("section") if name in known]
    given = request.POST.get("first_day") or request.POST.get("last_day") or request.POST.get("at") == "absence"
    if "absence" not in sent and sent and given:
        sent.append("absence")
    return sent


def _save(sections: Sequence[BaseForm]) -> bool:
    """Save these sections if all of them are valid, else nothing. Returns whether they were saved."""
    if not all(form.is_valid() for form in sections):
        return False
    try:
        with transaction.atomic():
            for form in sections:
                if form.has_changed() or len(sections) == 1:
                    form.write()  # type: ignore[attr-defined]  # all sections have it
    except ValidationError:  # the form that raised it shows it
        return False
    return True


def _ends_absence(request: PlayerRequest, player: Player) -> bool:
    absence = whole_number(request.POST.get("back", ""), 15)
    return absence is not None and availability.end_absence(player, absence)


def _sections(request: PlayerRequest, player: Player, sent: Sequence[str]) -> dict[str, BaseForm]:
    """The forms of the page by section. Those that were sent are bound to the request's data."""

    def data(section: str) -> Any:
        return request.POST if section in sent else None

    own: dict[str, BaseForm] = {
        "table": forms.TableForm(data("table"), instance=player),
        "place": forms.PlaceForm(data("place"), instance=player),
        "hours": forms.WakingHoursForm(data("hours"), player=player),
        "absence": forms.AbsenceForm(data("absence"), player=player, today=availability.today_of(player)),
    }
    return own | {section.name: section.form(data(section.name), player) for section in registry.sections}


View = Callable[..., HttpResponseBase]


@never_cache
@login_required
@require_POST
def end_session(request: HttpRequest, session: int) -> HttpResponseBase:
    row = get_object_or_404(UserSession, pk=session, user_id=request.user.pk)
    if row.is_current():
        return redirect("account_logout")
    get_adapter().end_sessions([row])
    messages.success(request, _("That browser is signed out."))
    return redirect("usersessions_list")


def with_confirmed_address(view: View) -> View:
    """Allow adding a passkey or an app only with a confirmed address, if the site can confirm addresses.

    Otherwise somebody could sign up with an address that is not theirs and lock its owner out for good.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        needs_address = settings.ACCOUNT_EMAIL_VERIFICATION != "none" and request.user.is_authenticated
        if needs_address and not EmailAddress.objects.filter(user_id=request.user.pk, verified=True).exists():
            messages.warning(request, _("Please confirm your e-mail address first."))
            return redirect("account_email")
        return view(request, *args, **kwargs)

    return checked


class SignUp(SignupView):
    """Creates the account, or shows the form again with its errors."""

    def form_valid(self, form: forms.SignupForm) -> HttpResponse:
        """Create the account. If it has been created since the form was checked, show that as an error of the form."""
        try:
            response: HttpResponse = super().form_valid(form)
        except forms.AddressTaken:
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()


class ConfirmEmail(ConfirmEmailView):
    """Confirms the address, or says why the link no longer works: it may have been used already."""

    object: EmailConfirmationHMAC | None

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().post(*args, **kwargs)
        except Http404:
            self.object = None
            response = self.render_to_response(self.get_context_data())
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"is_confirmed": self.object is None and self._names_confirmed()}

    def _names_confirmed(self) -> bool:
        try:
            address = signing.loads(self.kwargs["key"], salt=account_settings.SALT)
        except signing.BadSignature:
            return False
        return EmailAddress.objects.filter(pk=address, verified=True).exists()


confirm_email = ConfirmEmail.as_view()


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def export(request: PlayerRequest) -> HttpResponse:
    """Say what is in the export; on POST, make it and send it."""
    if request.method != "POST":
        return render(request, "account/export.html")
    player = ensure_player(request)
    if not limits.take(f"export of {player.pk}", rate=5, per=3600):
        messages.error(request, forms.TOO_OFTEN)
        return redirect("accounts:export")
    security.note("data exported", request, player)
    name, kind, content = privacy.as_file(privacy.export_of(player))
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def delete(request: PlayerRequest) -> HttpResponse:
    player = ensure_player(request)
    losses = registry.losses_of(player)
    agreed = set(request.POST.getlist("agreed"))
    left_out = request.method == "POST" and not {loss.key for loss in losses if loss.key} <= agreed
    if request.method != "POST" or left_out:
        context = {"player": player, "losses": losses, "agreed": agreed, "left_out": left_out}
        return render(request, "account/delete.html", context, status=422 if left_out else 200)
    security.note("account deleted", request, request.visit.player)
    # Not the lazy object of the request, which would still say who it was.
    erase(User.objects.get(email=request.user.get_username()))
    logout(request)
    request.visit.player = None
    messages.success(request, _("Your account is deleted. Thank you for having played here."))
    return redirect("home")
