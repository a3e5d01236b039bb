"""The settings of this process: from the environment (prefix LEAPNOTE_), then `.env`."""

from functools import lru_cache

from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsConfigDict

from backend.errors import InputError
from backend.settings.model_settings import ModelSettings
from backend.settings.place_settings import ROOT, PlaceSettings
from backend.settings.retrieval_settings import RetrievalSettings
from backend.settings.server_settings import ServerSettings
from backend.settings.system_settings import SystemSettings


# fields come in the order of the classes from the last to the first
class Settings(SystemSettings, RetrievalSettings, ModelSettings, ServerSettings, PlaceSettings):
    """All of Leapnote's settings. `.env.example` lists them with the same words."""

    model_config = SettingsConfigDict(env_prefix="LEAPNOTE_", env_file=ROOT / ".env", extra="ignore", frozen=True)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once. Raises InputError for a value that cannot be."""
    try:
        return Settings()
    except ValidationError as error:
        raise InputError(_wrong(error)) from None


def listed(chosen: Settings) -> list[dict[str, str]]:
    """Every setting by its name in the environment, with value and meaning; a secret only as set or not set."""
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(chosen, name)
        bare = value.get_secret_value() if isinstance(value, SecretStr) else value
        hidden = name.endswith("_token") or isinstance(value, SecretStr)
        shown = ("set" if bare else "not set") if hidden else str(bare)
        rows.append({"name": f"LEAPNOTE_{name.upper()}", "value": shown, "meaning": field.description or ""})
    return rows


def _wrong(error: ValidationError) -> str:
    """Each wrong setting by its name in the environment, with its value unless it is secret."""
    wrong = []
    for one in error.errors(include_url=False, include_context=False):
        name = str(one["loc"][0]) if one["loc"] else ""
        field = Settings.model_fields.get(name)
        value = "" if field is None or field.annotation is SecretStr else f" is {str(one['input'])[:60]!r}"
        wrong.append(f"LEAPNOTE_{name.upper()}{value}: {one['msg']}")
    return f"{'; '.join(wrong)}. Mend it in the environment or in .env; .env.example tells what each setting takes."
