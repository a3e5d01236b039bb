"""Notes of the tiny graph, linked."""

from collections.abc import Callable

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest


@pytest.fixture
def linked(tiny_linker: DictionaryLinker) -> Callable[[str], LinkedNote]:
    return tiny_linker.link


@pytest.fixture
def asked() -> Callable[..., DraftRequest]:
    """A request; only the confirmed and ruled out conditions matter to ranking."""

    def make(confirmed: tuple[str, ...] = (), ruled_out: tuple[str, ...] = ()) -> DraftRequest:
        return DraftRequest(text="x", confirmed_conditions=confirmed, ruled_out_conditions=ruled_out)

    return make
