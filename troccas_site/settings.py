"""Settings of the site. Everything has a working default; the environment changes it (README.md lists the variables)."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.conf import locale

from troccas_site import env
from troccas_site.env import mail_settings, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.folder("DATA_DIR", BASE_DIR / "data")
DEBUG = env.flag("DEBUG")

# --- Where the site is seen -------------------------------------------------------------------------------------------

HOST = env.text("HOST", "127.0.0.1")
PORT = env.number("PORT", 8000)
SITE_URL = env.url("SITE_URL", f"http://127.0.0.1:{PORT}", ("https", "http"))
# The licence for the texts and words of the encyclopedia: the owner's choice. Set both or neither.
CONTENT_LICENCE_NAME = env.text("CONTENT_LICENCE_NAME", "")
CONTENT_LICENCE_URL = env.text("CONTENT_LICENCE_URL", "")
HTTPS = SITE_URL.startswith("https://")
# Links in mails use the host of the request. So if the site has an address of its own, no other host is accepted.
_own_host = urlsplit(SITE_URL).hostname or "localhost"
ALLOWED_HOSTS = env.items("ALLOWED_HOSTS") or (
    [_own_host] if env.text("SITE_URL") else [*dict.fromkeys(["127.0.0.1", "localhost", "[::1]", _own_host])]
)
CSRF_TRUSTED_ORIGINS = [*dict.fromkeys([SITE_URL, *env.items("CSRF_TRUSTED_ORIGINS")])]
# Sockets are accepted from these origins; if the site has no address of its own, from the allowed hosts on any port.
SOCKET_ORIGINS = CSRF_TRUSTED_ORIGINS if env.text("SITE_URL") else []
# How many processes answer requests. With more than one, everything they share must be outside of them (see checks.py).
WEB_PROCESSES = env.number("WEB_PROCESSES", 1)
# How many proxies are in front, whose X-Forwarded-… headers are trusted. TLS ends in a proxy, so https means at least
# one.
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", 1 if HTTPS else 0)

# --- Parts ------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",  # first: it takes over `runserver`
    "ratings",
    "tournaments",
    "clubs",
    "games.apps.TableConfig",
    "games.apps.LobbyConfig",
    "games.apps.MeetingConfig",
    "games.apps.DailyConfig",
    "games.apps.ChatConfig",
    "games.apps.WatchingConfig",
    "games.apps.StatisticsConfig",
    "games.apps.AnalysisConfig",
    "games.apps.PlansConfig",
    "games.apps.PuzzlesConfig",
    "games.apps.WebhooksConfig",
    "games.apps.ImportsConfig",
    "games.apps.MyGamesConfig",
    "games.apps.GamesConfig",
    "rules.apps.ReadersConfig",
    "rules.apps.RulesConfig",
    "people",
    "notices",
    "accounts",
    "core",
    "troccas_site.apps.TroccasSiteConfig",
    "channels",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",  # its table is empty (accounts.sessions has its own), but data made before name its migration
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
]
MIDDLEWARE = [
    "troccas_site.middleware.RequestIdMiddleware",
    "troccas_site.middleware.MonitoringMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "troccas_site.middleware.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "troccas_site.middleware.SocketSourceMiddleware",
    "troccas_site.middleware.HeadersMiddleware",
    "accounts.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "troccas_site.middleware.NotAllowedMiddleware",
    "troccas_site.middleware.ReadingLanguageMiddleware",
    "troccas_site.middleware.RememberLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.sessions.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.middleware.PlayerMiddleware",
    "accounts.middleware.SignInMiddleware",
    "rules.terms.RefreshMiddleware",
]
ROOT_URLCONF = "troccas_site.urls"
ASGI_APPLICATION = "troccas_site.asgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "core.sursilvan.Templates",
        "NAME": "django",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {"i18n": "core.sursilvan", "static": "core.constant_tags"},
            "builtins": ["core.constant_tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Data and services ------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# On SQLite every atomic block takes the write lock at once (IMMEDIATE), so a request must hold it only while it writes.
SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
        "PRAGMA journal_size_limit=27103364; PRAGMA cache_size=-8000;"
    ),
}
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        **(
            env.postgres(env.text("DATABASE_URL"))
            or {"ENGINE": "core.sqlite3", "NAME": DATA_DIR / "site.sqlite3", "OPTIONS": SQLITE_OPTIONS}
        ),
        "ATOMIC_REQUESTS": False,
        # Seconds for which a thread keeps its connection, since opening one takes as long as ten queries. A connection
        # that the server has closed in the meantime is detected before it is used.
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }
}
# Where the worker writes a backup each day, and the key that encrypts it.
BACKUP_DIR = Path(env.text("BACKUP_DIR")).resolve() if env.text("BACKUP_DIR") else None
BACKUP_KEY = env.text("BACKUP_KEY")
# The token for /metrics, which does not exist without it. A separate worker serves its metrics at METRICS_LISTEN
# (host:port).
METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS_LISTEN = env.text("METRICS_LISTEN")
# The operator of the site, for its privacy notice: a name and a contact address.
OPERATOR = env.text("OPERATOR")
# The contact for security problems, in /.well-known/security.txt: mailto:… or https://…
SECURITY_CONTACT = env.text("SECURITY_CONTACT")
# Who gets a mail if something is wrong with the site's data or its backups.
ADMINS = env.addresses("ALARM_EMAIL")
REDIS_URL = env.url("REDIS_URL", "", ("redis", "rediss", "unix"))
REDIS_PREFIX = env.text("REDIS_PREFIX", "troccas")  # keeps two sites on one server apart
CHANNEL_LAYERS: dict[str, dict[str, object]]
CACHES: dict[str, dict[str, Any]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "core.cache.ForgetfulRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": REDIS_PREFIX,
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "core.channel_layers.Layer"}}
    # Counters in the cache must be shared by all threads and survive a restart.
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}
# Rendered texts: any process can render them, so each keeps its own instead of fetching them over the network.
CACHES["pages"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "pages",
    "OPTIONS": {"MAX_ENTRIES": 500},
}
# Pictures of pages take tenths of a second to make and never change, so they are kept on disk, named by what they show.
CACHES["pictures"] = {
    "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
    "LOCATION": str(DATA_DIR / "pictures"),
    "TIMEOUT": None,
    "OPTIONS": {"MAX_ENTRIES": 2000},
}

# --- People -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.breached.BreachedPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "add_email": "accounts.forms.ChangeEmailForm",
    "request_login_code": "accounts.forms.RequestCodeForm",
    "confirm_login_code": "accounts.forms.ConfirmCodeForm",
}
ACCOUNT_USER_DISPLAY = "accounts.adapters.name_of"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 10 * 60
# Ask people to sign in again before changing an address or a key, exporting or deleting the account; and mail them
# afterwards.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
# A passkey alone is enough to sign in, so each must verify its user (finger, face, PIN), even as a second factor.
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_TOTP_ISSUER = "Troccas & Troggu"
MFA_TOTP_TOLERANCE = 1
# On a real site editors, moderators and administrators need a second factor; their role is suspended until they have
# one.
ROLES_NEED_SECOND_FACTOR = HTTPS
MFA_ADAPTER = "accounts.adapters.SecurityAdapter"
# Whether an address must be confirmed first is checked by accounts.views: allauth's own check would also keep
# people with a second factor from ever changing their address.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateCodeForm",
    "activate_totp": "accounts.forms.ActivateAppForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.RenamePasskeyForm",
}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
# Mail is printed on the console unless EMAIL_URL names a server. Without a server, addresses cannot be verified.
EMAIL_URL = env.text("EMAIL_URL")
ACCOUNT_EMAIL_VERIFICATION = "optional" if EMAIL_URL else "none"
_mail = mail_settings(EMAIL_URL)
EMAIL_BACKEND = _mail.backend
EMAIL_HOST = _mail.host
EMAIL_PORT = _mail.port
EMAIL_HOST_USER = _mail.user
EMAIL_HOST_PASSWORD = _mail.password
EMAIL_USE_TLS = _mail.starttls
EMAIL_USE_SSL = _mail.tls
EMAIL_TIMEOUT = 20
EMAIL_SUBJECT_PREFIX = ""
_from = env.text("EMAIL_FROM") if env.addresses("EMAIL_FROM") else f"Troccas <noreply@{urlsplit(SITE_URL).hostname}>"
SERVER_EMAIL = DEFAULT_FROM_EMAIL = _from

# Push messages: the site's key (created once and kept in DATA_DIR, unless given), and whether a push service may be on
# this machine, as in tests.
VAPID_PRIVATE_KEY = env.key("VAPID_PRIVATE_KEY")
PUSH_TO_LOOPBACK = env.flag("PUSH_TO_LOOPBACK")

# --- Languages --------------------------------------------------------------------------------------------------------

# Django does not know the idioms of Romansh; |= mutates the table it holds, before LANGUAGES is looked up in it.
locale.LANG_INFO |= {
    "rm-sursilv": {"bidi": False, "code": "rm-sursilv", "name": "Sursilvan", "name_local": "sursilvan"},
}
LANGUAGE_CODE = "en"
# The languages of the whole site, and those of the encyclopedia only (core/reading_languages.py).
INTERFACE_LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("rm-sursilv", "Sursilvan")]
READING_LANGUAGES = [("fr", "Français"), ("it", "Italiano")]
LANGUAGES = [*INTERFACE_LANGUAGES, *READING_LANGUAGES]
# The level of computer players by default (`domain.bots.advice.LEVELS`).
COMPUTERS_LEVEL = "club"
# Whether computer players that look ahead do so in a process of their own.
COMPUTERS_APART = True
# Where that process keeps its compiled code; without a folder it compiles nothing.
COMPILED_DIR = str(DATA_DIR / "compiled")
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["troccas_site.formats"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "Europe/Zurich"
USE_TZ = True

# --- Files ------------------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Pages only load our own files. Static files of other apps (another htmx, scripts of pages we replace) are left out.
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "troccas_site.storage.StaticStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
# The form of a word with sixty terms has a field for everything that can be noted about each.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6000

# --- Safety -----------------------------------------------------------------------------------------------------------

SECRET_KEY = env.text("SECRET_KEY") or secret_key(DATA_DIR / "secret_key")
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
_prefix = "__Host-" if HTTPS else ""  # no other host of this domain can set cookies with these names
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_prefix}sessionid", f"{_prefix}csrftoken"
GUEST_COOKIE_NAME = f"{_prefix}guest"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # and what MonitoringMiddleware answers
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if HTTPS and TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        # SocketSourceMiddleware adds the sockets of this host, because not every browser includes them in 'self'.
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Preloading HSTS in browsers affects a whole domain, so its owner decides, not this program.
SILENCED_SYSTEM_CHECKS = [
    "security.W021",
    "templates.W003",
]  # W003: `i18n` and `static` are replaced on purpose, see TEMPLATES
DEFAULT_EXCEPTION_REPORTER_FILTER = "troccas_site.middleware.NothingPrivateFilter"
LOG_FORMAT = env.choice("LOG_FORMAT", ("line", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "troccas_site.logs.RequestIdFilter"},
        "without_codes": {"()": "troccas_site.logs.WithoutCodesFilter"},
        "database_away": {"()": "troccas_site.logs.DatabaseAwayFilter"},
    },
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} [{request_id}] {message}", "style": "{"},
        "json": {"()": "troccas_site.logs.JsonFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["request_id", "without_codes", "database_away"],
        },
    },
    "root": {
        "handlers": ["stderr"],
        "level": env.choice("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")),
    },
    # Replace Django's own handlers, among them the one that mails whole error pages.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "daphne": {"level": "WARNING"},  # `manage.py serve` says where it listens
    },
}
