"""A letter's sentences in another language, as a language model wrote them: nobody has read them."""

from enum import StrEnum

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Generator


class LetterLanguage(StrEnum):
    """The languages that a letter for a patient can be asked for, by the code that pages use."""

    ARABIC = "ar"
    CHINESE = "zh"
    FRENCH = "fr"
    GERMAN = "de"
    ITALIAN = "it"
    POLISH = "pl"
    PORTUGUESE = "pt"
    RUSSIAN = "ru"
    SPANISH = "es"
    VIETNAMESE = "vi"


class TranslationRequest(Frozen):
    """What is asked for. version: empty for the newest."""

    language: LetterLanguage
    version: int | None = Field(default=None, ge=1, le=1_000_000_000)


class TranslatedSentence(Frozen):
    """One sentence beside its translation; an empty text with the reason where there is none that may be shown."""

    id: str
    section: str
    english: str
    text: str = ""
    reason: str = ""


class LetterTranslation(Frozen):
    """The plain-language sentences of a version, each with its translation. It is not saved."""

    language: LetterLanguage
    version: int
    sentences: tuple[TranslatedSentence, ...]
    generator: Generator
    reviewed: bool = Field(default=False, description="Always false: nobody has read it")
