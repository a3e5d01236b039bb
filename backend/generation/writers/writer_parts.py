"""The seam of the writers: what a writer is built from, and which one a generator's setting names."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.letter.medicines.draft_medicines import AvoidedConcepts
from backend.generation.letter.medicines.stated.usual_units import DoseKnowledge
from backend.interfaces import Encoder, ForbiddenOptions, LanguageModel, Linker, Writer, none_forbidden
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.registry import WRITERS
from backend.verification.fit.fit_check import FitCheck

LANGUAGE_MODEL = "language-model"
"""The writer of every setting that names an engine and no writer."""


class WriterParts(NamedTuple):
    """What a writer may be built from; it takes what it needs.

    Attributes:
        linker: reads notes, passages and sentences.
        encoder: compares texts by meaning.
        reach: how far an allergy reaches in the graph.
        plain: everyday words by concept id, for wording only.
        avoided: the concepts that a patient is said to react to, wherever it is said.
        contraindications: what should not be given beside what the patient has.
        model: the language model that the setting names; None where it names none.
        forbids: which options of a question the safety check forbids; a writer never chooses them.
        fit: decides which general sentences are for a patient.
        cautions: which of them it forbids or warns of; a writer that cannot weigh a warning never chooses them.
        doses: the usual doses; without them no dose is asked about.
    """

    linker: Linker
    encoder: Encoder
    reach: AllergyReach
    plain: Mapping[str, str]
    avoided: AvoidedConcepts
    contraindications: Contraindications
    model: LanguageModel | None = None
    forbids: ForbiddenOptions = none_forbidden
    fit: FitCheck | None = None
    cautions: ForbiddenOptions = none_forbidden
    doses: DoseKnowledge | None = None


def material_maker(parts: WriterParts) -> MaterialMaker:
    """What makes the material of each patient from the parts."""
    return MaterialMaker(
        parts.linker, parts.reach, parts.plain, parts.avoided, parts.contraindications, parts.fit, parts.doses
    )


class WriterFactory(Protocol):
    """What `@writer(name, label=…)` registers: it builds a writer (`backend.interfaces.Writer`) from the parts."""

    def __call__(self, parts: WriterParts) -> Writer:
        """The writer; it may serve several requests at once.

        Raises:
            MissingError: a part that it cannot do without is None.
        """
        ...


def is_writer(setting: str) -> bool:
    """Whether a generator's setting names a writer itself, and so no language model."""
    return setting in WRITERS.names()


def make_writer(setting: str, parts: WriterParts) -> Writer:
    """The writer of a generator's setting: the one registered under the setting's kind, else the language model's.

    Args:
        setting: settled, as `composer` or `vllm:<model>`; its kind is what stands before the first colon.
        parts: what it is built from.
    """
    kind = setting.partition(":")[0]
    factory: WriterFactory = WRITERS.get(kind if is_writer(kind) else LANGUAGE_MODEL).value
    return factory(parts)
