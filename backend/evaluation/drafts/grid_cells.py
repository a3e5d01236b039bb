"""One cell of the grid of `evaluate notes`: a system's pipeline with a generator."""

from collections.abc import Sequence

from backend.container import Container
from backend.errors import InputError, MissingError
from backend.evaluation.reports.evaluation_run import writer_of
from backend.evaluation.reports.failed_items import whole
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.schemas.drafts.request import DraftRequest, checked_text


class PipelineDrafter:
    """Writes by a pipeline. It stops rather than let another generator write under this one's name."""

    wants_example = False  # the embedded composer reads no example

    def __init__(self, pipeline: DraftPipeline, system: str, asked: str, writer: str, longest: int) -> None:
        self.name = f"{system}+{writer}"
        self._pipeline = pipeline
        self._system = system
        self._asked = asked
        self._writer = writer
        self._longest = longest

    def write(self, note: str, seed: int, example: Pair | None) -> str:
        """The text that the cell's system and generator write for a note."""
        text = checked_text(note, self._longest)
        request = DraftRequest(text=text, system=self._system, generator=self._asked, seed=seed)
        draft = whole(self._pipeline.run(request))
        if draft.generator.name != self._writer:
            raise MissingError(f"{draft.generator.name} wrote in place of {self._writer}: {draft.generator.reason}.")
        return draft.text


def drafters(container: Container, systems: Sequence[str], generators: Sequence[str]) -> list[PipelineDrafter]:
    """Every system with every generator. Raises MissingError for a generator that another would stand in for."""
    made = []
    for asked in generators:
        writer = writer_of(container, asked)
        for system in systems:
            pipeline = container.pipeline(system, asked)
            made.append(PipelineDrafter(pipeline, system, asked, writer, container.settings.max_note_chars))
    if len({drafter.name for drafter in made}) != len(made):
        raise InputError("Two cells are the same system with the same writer. Give each system and generator once.")
    return made


def baseline_name(asked: str, cells: Sequence[PipelineDrafter]) -> str:
    """A cell by its name, or by its system's where that has one cell. Raises InputError that lists the cells."""
    found = [cell.name for cell in cells if asked in (cell.name, cell.name.split("+")[0])]
    if len(found) != 1:
        names = ", ".join(cell.name for cell in cells)
        raise InputError(
            f"The baseline {asked!r} is {'no' if not found else 'more than one'} cell. Choose from: {names}"
        )
    return found[0]
