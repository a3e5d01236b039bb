"""Texts that people give for what is kept: plain, bounded, names and labels on one line."""

from typing import Annotated

from pydantic import AfterValidator, Field


def plain(text: str) -> str:
    """The text. Raises ValueError for null bytes and broken characters, which no database keeps."""
    if "\x00" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise ValueError("holds null bytes or broken characters; send plain text")
    return text


def folded(text: str) -> str:
    """The text on one line. Raises as `plain` does."""
    return " ".join(plain(text).split())


def _one_line(text: str) -> str:
    line = folded(text)
    if not line:
        raise ValueError("is empty")
    return line


Words = Annotated[str, AfterValidator(plain), Field(max_length=5_000)]
Heading = Annotated[str, AfterValidator(folded), Field(max_length=200)]
Phrase = Annotated[str, AfterValidator(folded), Field(max_length=500)]
Label = Annotated[str, AfterValidator(_one_line), Field(max_length=200)]
Person = Annotated[str, AfterValidator(_one_line), Field(max_length=120)]
Because = Annotated[str, AfterValidator(_one_line), Field(max_length=1_000)]
SentenceId = Annotated[str, Field(pattern=r"^S[1-9]\d{0,8}$")]
VersionNumber = Annotated[int, Field(ge=1, le=1_000_000_000)]
