"""A player's own page and settings, a player as others see them, reports, signing up, and one's own data.

Signing in and all that makes it safe are allauth's pages; here stands what they lack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count
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
from accounts.choices import CANTONS, LANGUAGES_SPOKEN
from accounts.middleware import PlayerRequest
from accounts.models import Absence, Block, PersonalToken, Player, Profile, Report, Suspension, User
from accounts.privacy import erase
from accounts.services import ensure_player, retire
from core import limits
from core.http import page_of, require_safe_or_post, whole_number

REPORTS_A_DAY = 10
"""Reports one player may make; five of them at once."""


@never_cache
@require_GET
def person(request: PlayerRequest, public_id: str) -> HttpResponse:
    """What somebody tells about themselves, for whom they tell it. Search engines stay away."""
    shown = _person(public_id)
    if shown.public_id != public_id:
        return redirect("accounts:person", shown.public_id)
    viewer = request.visit.player
    known = viewer is not None and viewer.pk != shown.pk
    context = {
        "person": shown,
        "parts": _parts(shown, viewer),
        "facts": registry.facts_about(shown),
        "is_you": viewer is not None and viewer.pk == shown.pk,
        "can_act": known,
        "blocked": known and viewer is not None and account_permissions.has_blocked(viewer, shown),
    }
    response = render(request, "account/person.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@never_cache
@require_POST
def block(request: PlayerRequest, public_id: str) -> HttpResponse:
    other, player = _person(public_id), request.visit.player
    if player is None:
        return redirect("account_login")
    try:
        account_permissions.block(player, other)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, _("%(name)s is blocked.") % {"name": other.display_name})
    return redirect("accounts:person", other.public_id)


@never_cache
@require_POST
def unblock(request: PlayerRequest, public_id: str) -> HttpResponse:
    other, player = _person(public_id), request.visit.player
    if player is not None and account_permissions.unblock(player, other):
        messages.success(request, _("%(name)s is no longer blocked.") % {"name": other.display_name})
    if request.POST.get("back") == "list":
        return redirect("accounts:blocked")
    return redirect("accounts:person", other.public_id)


@never_cache
@require_GET
def blocked(request: PlayerRequest) -> HttpResponse:
    if request.visit.player is None:
        return redirect("accounts:you")
    rows = (
        Block.objects.filter(player=request.visit.player).select_related("blocked__merged_into").order_by("-created_at")
    )
    return render(request, "account/blocked.html", {"player": request.visit.player, "blocks": rows})


@never_cache
@require_safe_or_post
def report(request: PlayerRequest, public_id: str) -> HttpResponse:
    about, by = _person(public_id), request.visit.player
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
        if limits.take(f"report by {by.pk}", rate=REPORTS_A_DAY, per=86_400, burst=5):
            row = form.save(commit=False)
            row.about, row.by = about, by
            row.save()
            messages.success(request, _("Thank you. The moderators will look at it."))
            return redirect(row.context or reverse("accounts:person", args=[about.public_id]))
        form.add_error(None, forms.TOO_OFTEN)
        status = 429
    return render(request, "account/report.html", {"person": about, "form": form}, status=status)


def _person(public_id: str) -> Player:
    """The person with this id: the member a guest became. Raises Http404 for computer players and those who are gone."""
    found = Player.objects.select_related("merged_into", "profile").filter(public_id=public_id).first()
    if found is None or not found.page:
        raise Http404
    return found.current


def _parts(shown: Player, viewer: Player | None) -> dict[str, object]:
    """What the person shows to this viewer, by the names in `Profile.shows`, ready to be printed."""
    profile = Profile.objects.filter(player=shown).first()
    if profile is None:
        return {}
    is_you = viewer is not None and viewer.pk == shown.pk
    signed_in = viewer is not None and viewer.is_member
    if not (is_you or profile.audience == Profile.Audience.EVERYBODY or signed_in):
        return {"hidden": True}
    names, cantons = dict(LANGUAGES_SPOKEN), dict(CANTONS)
    every: dict[str, object] = {
        "languages": [str(names[code]) for code in profile.languages if code in names],
        "village": profile.village,
        "canton": str(cantons.get(profile.canton, "")),
        "text": profile.text,
        "time": timezone.now().astimezone(availability.zone_of(shown)),
    }
    return {name: every[name] for name in profile.shows if every.get(name)}


PAGE = 30


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as moderators see it: what was said, the form to settle it, what else is known of the person."""

    report: Report
    evidence: registry.Evidence | None
    form: forms.SettleForm
    others: int
    """How many other reports there are about the same person, settled or not."""
    suspension: Suspension | None


@never_cache
@require_GET
def reports(request: PlayerRequest) -> HttpResponse:
    """The open reports, the oldest first; with `?settled=1` those that are settled, the newest first."""
    return _listed(request, _moderator(request))


@never_cache
@require_POST
def settle(request: PlayerRequest, report: int) -> HttpResponse:
    """Settle a report: with a measure, if one is chosen, and a word about what was done."""
    moderator = _moderator(request)
    row = get_object_or_404(Report, pk=report)
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
        account_permissions.take_down(person)
    elif form.length is not None:
        account_permissions.suspend(person, form.length, form.cleaned_data["told"], by=moderator)


def _listed(
    request: PlayerRequest, moderator: Player, wrong: tuple[int, forms.SettleForm] | None = None
) -> HttpResponse:
    """The page of reports; `wrong` is a form that could not be taken, by the key of its report."""
    settled = request.GET.get("settled") == "1"
    rows = Report.objects.filter(settled_at__isnull=not settled).select_related(
        "about__merged_into", "by__merged_into", "settled_by__merged_into"
    )
    page = page_of(request, rows.order_by("-settled_at" if settled else "created_at", "pk"), PAGE)
    held = account_permissions.standing(row.about for row in page)
    before = dict(
        Report.objects.filter(about__in={row.about_id for row in page})
        .values_list("about")
        .annotate(number=Count("pk"))
        .order_by()
    )
    shown = [
        Shown(
            row,
            registry.evidence_of(row.subject, moderator) if row.subject else None,
            wrong[1] if wrong is not None and wrong[0] == row.pk else forms.SettleForm(auto_id=f"id_{row.pk}_%s"),
            before[row.about_id] - 1,
            held.get(row.about.current.pk),
        )
        for row in page
    ]
    context = {"page": page, "shown": shown, "settled": settled, "tab": "settled" if settled else "open"}
    return render(request, "account/reports.html", context, status=422 if wrong is not None else 200)


def _moderator(request: PlayerRequest) -> Player:
    """The player, who is a moderator. Raises PermissionDenied for everybody else."""
    player = request.visit.player
    if player is None or not account_permissions.may(player, account_permissions.MODERATOR):
        raise PermissionDenied
    return player


@never_cache
@require_http_methods(["GET", "HEAD"])
def you(request: PlayerRequest) -> HttpResponse:
    """Where one's own pages begin. A stranger sees how to begin, and nothing is made for them."""
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
    """Ask a guest whether this device shall forget them, then do it: the token ends, open games are given up."""
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
    """The player; for a member without one (made on the command line) a new one."""
    return ensure_player(request) if request.user.is_authenticated else request.visit.player


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def programs(request: PlayerRequest) -> HttpResponse:
    """One's tokens; a new one (POST) is shown on the page that answers, and nowhere again."""
    player = ensure_player(request)
    if request.method != "POST":
        return _page(request, player, forms.TokenForm())
    form = forms.TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    if not limits.take(f"token:{player.pk}", rate=20, per=3600):
        form.add_error(None, forms.TOO_OFTEN)
        return _page(request, player, form, status=429)
    wanted = form.cleaned_data
    try:
        token, raw = tokens.issue_token(
            player, wanted["name"], wanted["scopes"], days=wanted["days"], by_hand=wanted["by_hand"]
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
    """The account says that a program plays under it; that stays."""
    tokens.mark_program(ensure_player(request))
    messages.success(request, _("This account is marked as a program: everybody reads it before its name."))
    return redirect("accounts:programs")


@never_cache
@login_required
@require_POST
def revoke(request: PlayerRequest, token: int) -> HttpResponse:
    player = ensure_player(request)
    gone = tokens.revoke_token(player, token)
    if gone is not None:
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
    """All preferences on one page, in one form whose every button saves all that was chosen; what names its `section` alone saves
    only that. A stranger is sent to where one begins."""
    player = own_player(request)
    if player is None:
        return redirect("accounts:you")
    sent = _sent(request)
    sections = _sections(request, player, sent)
    if request.method == "POST" and sent:
        if _keep([sections[name] for name in sent]):
            if _ends_absence(request, player):
                messages.success(request, _("You are back."))
            else:
                messages.success(request, _("Saved."))
            at = request.POST.get("at", sent[0])
            return redirect(f"{reverse('accounts:preferences')}#{at if at in sections else sent[0]}")
        # The form may have put what was typed on the player; the page's head shows what is stored.
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
    failed = any(sections[name].errors for name in sent)
    return render(request, "account/preferences.html", context, status=422 if failed else 200)


def _sent(request: PlayerRequest) -> list[str]:
    """The sections that were sent; the absence is one where a day of it was given."""
    known = {"table", "place", "hours", "absence", *(section.name for section in registry.sections)}
    sent = [name for name in request.POST.getlist("section") if name in known]
    if "absence" not in sent and sent and (request.POST.get("first_day") or request.POST.get("last_day")):
        sent.append("absence")
    return sent


def _keep(sent: Sequence[BaseForm]) -> bool:
    """Keep what was sent if all of it is valid, else nothing."""
    if not all(form.is_valid() for form in sent):
        return False
    try:
        with transaction.atomic():
            for form in sent:
                if form.has_changed() or len(sent) == 1:
                    form.write()  # type: ignore[attr-defined]  # all sections have it
    except ValidationError:  # it stands on the form that raised it
        return False
    return True


def _ends_absence(request: PlayerRequest, player: Player) -> bool:
    absence = whole_number(request.POST.get("back", ""), 15)
    return absence is not None and availability.come_back(player, absence)


def _sections(request: PlayerRequest, player: Player, sent: Sequence[str]) -> dict[str, BaseForm]:
    """The forms of the page by section; those that were sent hold what was sent."""

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
    """Let a passkey or an app be added only where the address is confirmed, if the site can confirm any.

    Else somebody could sign up with an address that is not theirs and lock its owner out for good.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        asks = settings.ACCOUNT_EMAIL_VERIFICATION != "none" and request.user.is_authenticated
        if asks and not EmailAddress.objects.filter(user_id=request.user.pk, verified=True).exists():
            messages.warning(request, _("Please confirm your e-mail address first."))
            return redirect("account_email")
        return view(request, *args, **kwargs)

    return checked


class SignUp(SignupView):
    """Makes the account, or shows the form again with what is wrong."""

    def form_valid(self, form: forms.SignupForm) -> HttpResponse:
        """Make the account. If somebody else has made it since the form was checked, say so on the form."""
        try:
            response: HttpResponse = super().form_valid(form)
        except forms.AddressTaken:
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()


@never_cache
@login_required
@require_safe_or_post
@reauthentication_required
def export(request: PlayerRequest) -> HttpResponse:
    """Say what is in the file; on request, make it and send it."""
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
    if request.method != "POST":
        return render(request, "account/delete.html", {"player": ensure_player(request)})
    security.note("account deleted", request, request.visit.player)
    # Not the lazy object of the request, which would go on saying who it was.
    erase(User.objects.get(email=request.user.get_username()))
    logout(request)
    request.visit.player = None
    messages.success(request, _("Your account is deleted. Thank you for having played here."))
    return redirect("home")
