"""Who writes, and why."""

from backend.errors import NotFoundError
from backend.schemas.draft import Generator


def chosen_generator(setting: str, llm_url: str = "") -> Generator:
    """Who writes, and why. Without an engine for what the setting names, the composer writes and says so."""
    if setting == "composer":
        return Generator(name="composer", reason="chosen by the setting")
    if setting == "auto" and llm_url:
        told = "LEAPNOTE_LLM_URL is set, but this version has no engine that could use it; the composer writes instead"
        return Generator(name="composer", reason=told)
    if setting == "auto":
        return Generator(name="composer", reason="no language model server is set (LEAPNOTE_LLM_URL is empty)")
    kind = setting.split(":", 1)[0]
    if kind in ("vllm", "openai", "transformers"):
        return Generator(
            name="composer", reason=f"this version has no engine for {kind!r}; the composer writes instead"
        )
    raise NotFoundError(
        f"There is no generator {setting!r}. Use auto, composer, vllm:<model>, openai:<base url>#<model> or transformers:<folder>"
    )
