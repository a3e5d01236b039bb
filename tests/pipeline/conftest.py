"""Pipelines whose writer, and any other part, a test chooses."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from backend.generation.layout import DocumentLayout
from backend.nlp.extraction.linker import DictionaryLinker
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.pipeline.stages import PipelineParts
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.retrieval.strategies.strategy_parts import NoTextStrategy
from backend.schemas.drafts.draft import Generator, WrittenSentence
from backend.verification.readability import TextReadability
from backend.verification.support.support import CitedTextVerifier
from tests.pipeline.steered import NoSafety, SteeredWriter


@pytest.fixture
def pipeline(tiny_linker: DictionaryLinker, encoder: Any) -> Any:
    """A pipeline that leaves out everything but linking, notes and the given writer."""

    def make(
        *sentences: WrittenSentence,
        failure: Exception | None = None,
        now: Callable[[], float] = time.perf_counter,
        **more: Any,
    ) -> DraftPipeline:
        return DraftPipeline(
            PipelineParts(
                system="steered",
                versions={"leapnote": "test"},
                generator=Generator(name="steered", reason="test"),
                linker=tiny_linker,
                ranker=None,
                paths=None,
                paths_are_evidence=True,
                strategy=NoTextStrategy("steered"),
                notes=NotePieces(tiny_linker, {}),
                writer=SteeredWriter(sentences, failure),
                verifier=CitedTextVerifier(tiny_linker, encoder),
                safety=NoSafety(),
                layout=DocumentLayout(),
                readable=TextReadability(),
            )._replace(**more),
            now=now,
        )

    return make
