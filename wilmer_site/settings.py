"""Settings of the console. What a person may choose comes from the environment; see docs/settings.md."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

import dj_database_url
from csp.constants import NONCE, NONE, SELF

from wilmer_site.lib.env import (
    SettingError,
    env_address,
    env_bool,
    env_choice,
    env_folder,
    env_int,
    env_names,
    env_own_folder,
    env_text,
    env_timezone,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Where things are ---

WILMER_STATE_DIR = env_own_folder("WILMER_STATE_DIR", BASE_DIR / "var")

WILMER_SAMPLE_DIR = WILMER_STATE_DIR / "sample" / "Public"
"""The copy of the sample workspace that opens when no folder is named."""

WILMER_PUBLIC_DIR = env_folder("WILMER_PUBLIC_DIR") or WILMER_SAMPLE_DIR
WILMER_IS_SAMPLE = WILMER_PUBLIC_DIR == WILMER_SAMPLE_DIR
WILMER_CONFIG_DIR = env_folder("WILMER_CONFIG_DIR") or WILMER_PUBLIC_DIR / "Configs"
WILMER_DISCUSSIONS_DIR_SETTING = env_folder("WILMER_DISCUSSIONS_DIR")
"""What the environment says; None lets the WilmerAI user's `discussionDirectory` decide (memory.md §3.1)."""
WILMER_DISCUSSIONS_DIR = WILMER_DISCUSSIONS_DIR_SETTING or WILMER_PUBLIC_DIR / "DiscussionIds"
WILMER_USER = env_text("WILMER_USER")
"""The WilmerAI user whose config counts; empty: `currentUser` of Users/_current-user.json."""

# --- What is allowed ---

WILMER_READ_ONLY = env_bool("WILMER_READ_ONLY")
WILMER_MAX_FILE_BYTES = env_int("WILMER_MAX_FILE_MB", 64, low=1, high=4096) * 1024 * 1024
# A conversation of 30,000 messages is pasted or posted as a whole; Django's own limit is 2.5 MB and 1,000 fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = WILMER_MAX_FILE_BYTES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 25_000
WILMER_MAX_ARCHIVE_BYTES = env_int("WILMER_MAX_ARCHIVE_MB", 4096, low=1, high=1_000_000) * 1024 * 1024
"""The largest ZIP file with discussions that may be brought in."""
WILMER_HISTORY_BYTES = env_int("WILMER_HISTORY_MB", 512, low=1, high=1_000_000) * 1024 * 1024
"""How much room the earlier versions of files may take, compressed; the oldest go first."""

# --- Workflows and runs ---

WILMER_RUNS_KEPT = env_int("WILMER_RUNS_KEPT", 200, low=1, high=100_000)

# What nodes may reach beyond the discussion and its models (workflows_app/engine/permissions.py).
WILMER_NODE_FILE_FOLDERS = env_names("WILMER_NODE_FILE_FOLDERS")
WILMER_NODE_WEB_HOSTS = env_names("WILMER_NODE_WEB_HOSTS")
WILMER_NODE_PRIVATE_ADDRESSES = env_bool("WILMER_NODE_PRIVATE_ADDRESSES")
WILMER_NODE_CURL = env_bool("WILMER_NODE_CURL")
WILMER_NODE_MCP_SERVERS = env_names("WILMER_NODE_MCP_SERVERS")
WILMER_NODE_WIKI_HOSTS = env_names("WILMER_NODE_WIKI_HOSTS", "127.0.0.1,localhost,::1")

WILMER_MEMORY_MODEL = "workflows_app.services.memory_models.build_memory_model"
WILMER_MEMORY_EMBEDDER = "workflows_app.services.memory_models.build_memory_embedder"
"""Who answers when the memory layer needs a model (memory/wiring.py: build_model)."""

# --- Server ---

WILMER_HOST = env_text("WILMER_HOST", "127.0.0.1")
WILMER_PORT = env_int("WILMER_PORT", 8000, low=1, high=65535)
WILMER_JOBS_URL = env_address(
    "WILMER_JOBS_URL",
    f"sqlite:///{WILMER_STATE_DIR / 'jobs.sqlite3'}",
    ("sqlite", "redis", "rediss", "postgres", "postgresql"),
)

DEBUG = env_bool("WILMER_DEBUG")
ALLOWED_HOSTS = [*env_text("WILMER_ALLOWED_HOSTS", f"{WILMER_HOST},127.0.0.1,localhost,[::1]").split(",")]
CSRF_TRUSTED_ORIGINS = [origin for origin in env_text("WILMER_TRUSTED_ORIGINS").split(",") if origin]


def _secret_key() -> str:
    """WILMER_SECRET_KEY, or a random key that is made once and kept in the state folder."""
    given = env_text("WILMER_SECRET_KEY")
    if given:
        return given
    keeper = WILMER_STATE_DIR / "secret-key"
    if not keeper.exists():
        draft = WILMER_STATE_DIR / f"secret-key-{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            keeper.hardlink_to(draft)  # Of two processes that start at once, one wins and both read its key.
        draft.unlink()
    return keeper.read_text(encoding="ascii")


SECRET_KEY = _secret_key()

# --- Django ---

INSTALLED_APPS = [
    "wilmer_site",
    "memory",
    "workflows_app",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "wilmer_site.middleware.SignInRequired",
    "wilmer_site.middleware.ErrorPages",
]

ROOT_URLCONF = "wilmer_site.urls"
WSGI_APPLICATION = "wilmer_site.wsgi.application"

_LOADERS = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", _LOADERS)])],
            "builtins": ["template_partials.templatetags.partials", "django_htmx.templatetags.django_htmx"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wilmer_site.context_processors.shell",
            ],
        },
    }
]

_DATABASE_URL = env_address(
    "DATABASE_URL", f"sqlite:///{WILMER_STATE_DIR / 'console.sqlite3'}", ("sqlite", "postgres", "postgresql")
)
try:
    DATABASES = {"default": dj_database_url.parse(_DATABASE_URL, conn_max_age=60)}
except ValueError as error:
    raise SettingError(f"DATABASE_URL must be a database address such as sqlite:///file: {error}") from None
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 10)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Sign-in ---

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
CSRF_FAILURE_VIEW = "wilmer_site.views.errors.csrf_failure"
AXES_VERBOSE = False
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25
"""Hours."""
AXES_LOCKOUT_CALLABLE = "wilmer_site.views.errors.locked_out"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("WILMER_HTTPS")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "style-src": [SELF, NONCE],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- Language, time, files, logs ---

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = env_timezone("WILMER_TIME_ZONE", "UTC")

STATIC_URL = "static/"
STATIC_ROOT = WILMER_STATE_DIR / "staticfiles"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

_LOG_LEVEL = env_choice("WILMER_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": _LOG_LEVEL},
    # huey lists every command at each start; axes writes paths of sign-in links into the log.
    # httpx2 names every request to a model server, in the middle of the answers that commands print.
    "loggers": {"huey": {"level": "WARNING"}, "axes": {"level": "WARNING"}, "httpx2": {"level": "WARNING"}},
}
