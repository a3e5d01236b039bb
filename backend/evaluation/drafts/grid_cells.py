"""One cell of the grid of `evaluate notes`: a system's pipeline with a generator."""

from collections.abc import Sequence

from backend.container import Container
from backend.errors import InputError, MissingError
from backend.evaluation.drafts.note_evaluation import WrittenText
from backend.evaluation.reports.cell_use import WARM_NOTE, metered, warm_up
from backend.evaluation.reports.evaluation_run import writer_of
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.reports.varied import Variation, containers, numbers_set
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.schemas.drafts.request import DraftRequest, checked_text


class PipelineDrafter:
    """Writes by a pipeline. It stops rather than let another generator write under this one's name.

    Args:
        container: whose pipeline it is, and whose models are counted.
        system: by name.
        asked: the generator's setting.
        writer: the name of who writes under it.
        label: the end of the cell's name, where a setting is varied.
    """

    wants_example = False  # the embedded composer reads no example
    draws = 1

    def __init__(self, container: Container, system: str, asked: str, writer: str, label: str = "") -> None:
        """Build the pipeline."""
        self.name = f"{system}+{writer}{label}"
        self._container = container
        self._pipeline: DraftPipeline = container.pipeline(system, asked)
        self.system = system
        self.standing = numbers_set(container.settings)
        self._asked = asked
        self._writer = writer

    def warm(self) -> None:
        """Run once, unmeasured."""
        request = DraftRequest(text=WARM_NOTE, system=self.system, generator=self._asked or None)
        warm_up(self._container, self._pipeline, request, self._asked)

    def write(self, note: str, seed: int, example: Pair | None) -> tuple[WrittenText]:
        """The text that the cell's system and generator write for a note."""
        text = checked_text(note, self._container.settings.max_note_chars)
        request = DraftRequest(text=text, system=self.system, generator=self._asked or None, seed=seed)
        draft, use = metered(self._container, lambda: whole(self._pipeline.run(request)))
        if draft.generator.name != self._writer:
            raise MissingError(f"{draft.generator.name} wrote in place of {self._writer}: {draft.generator.reason}.")
        return (WrittenText(draft.text, use),)


def drafters(
    container: Container, systems: Sequence[str], generators: Sequence[str], varied: Sequence[Variation] = ()
) -> list[PipelineDrafter]:
    """Every system with every generator, and once more for each varied setting.

    Raises:
        InputError: a cell is given twice. A generator that another would stand in for is a MissingError.
    """
    made = []
    for asked in generators:
        writer = writer_of(container, asked)
        for label, own in containers(container, varied):
            made += [PipelineDrafter(own, system, asked, writer, label) for system in systems]
    if len({drafter.name for drafter in made}) != len(made):
        raise InputError("Two cells are the same system with the same writer. Give each system and generator once.")
    return made
