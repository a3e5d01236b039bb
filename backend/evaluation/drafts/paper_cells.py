"""The cells of `evaluate table1`: paths of a system, told to a model by ReinRAG's own prompt (appendix C.3), nothing checked or cited.

All arms share the prompt, the example pair and whether conditions are shown; they differ in the paths alone, those of the example
included. What a model writes so is measured and shown to nobody.
"""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError, MissingError
from backend.evaluation.drafts.note_evaluation import WrittenText
from backend.evaluation.reports.cell_use import VARIED, WARM_NOTE, WRITTEN_BY, metered
from backend.evaluation.reports.evaluation_run import writer_of
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.reports.varied import Variation, containers, numbers_set
from backend.generation.model.prompt_material import path_line
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.paper_prompt import PAPER_DISCHARGE
from backend.prompts.template import Fence
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, checked_text
from backend.schemas.vocabulary import ConditionStatus
from backend.systems import system
from models.policy.checkpoint import load_checkpoint

REINRAG = "reinrag"
RANDOM = "random1hop"
ROLLOUTS = "G"
DRAWS = 10
"""As ReinRAG averages what it draws."""
CLUSTER_LEAP = "cluster leap"
NO_PATHS = "none"
CUT = "the prompt: the last paths are left out, since the model's context has no room for them"
_FENCE = Fence("7b1e40c9d25a8f36")  # the same for all arms: they read the same prompt, and a run repeats to the letter


class PaperOptions(NamedTuple):
    """What the arms are.

    Attributes:
        systems: each an arm with its paths; those without any read the note alone.
        policies: NAME and folder of a trained policy, each an arm that walks as reinrag does. NAME#SEED are trainings of one recipe, told
            by their mean; NAME@G=5 is a point of a curve over a setting.
        conditions: whether the candidate conditions are shown, to all arms alike.
        draws: of an arm whose paths are drawn; it writes once from each, and its scores are their mean.
    """

    systems: tuple[str, ...]
    policies: tuple[tuple[str, Path], ...] = ()
    conditions: bool = False
    draws: int = DRAWS


class PaperDrafter:
    """One arm.

    Args:
        container: whose paths and models serve.
        arm: its name.
        system: whose paths it has.
        asked: the generator's setting.
        writer: the name of who writes under it.
        label: the end of the cell's name, where a setting is varied.
        options: whether candidate conditions are shown, and how often drawn paths are drawn.

    Raises:
        MissingError: no language model writes under the setting.
    """

    wants_example = True

    def __init__(
        self, container: Container, arm: str, system: str, asked: str, writer: str, label: str, options: PaperOptions
    ) -> None:
        family, varied, point = arm.partition(VARIED)
        self.name = f"{family}{WRITTEN_BY}{writer}{varied}{point}{label}"
        self.system = system
        policy = container.loaded.policy(REINRAG)[0] if system == REINRAG else None
        rollouts = {} if policy is None else {ROLLOUTS: float(policy.card["training"]["rollouts"])}
        self.standing = numbers_set(container.settings) | rollouts
        self.draws = options.draws if system == RANDOM or (policy is not None and policy.sampled) else 1
        model = container.models.chosen(asked).roles.writer
        if model is None:
            raise MissingError(
                "Table 1 compares what a language model writes by the paper's prompt, and none is set. Set LEAPNOTE_GENERATOR."
            )
        self._model: LanguageModel = model
        self._container, self._conditions = container, options.conditions
        self._pipeline = container.pipeline(system, asked)
        self._shown: dict[tuple[str, int], tuple[str, str]] = {}

    def warm(self) -> None:
        """Run once, unmeasured."""
        self._pipeline.run_evidence(DraftRequest(text=WARM_NOTE, system=self.system))
        self._fitting({"new_patient_condition": WARM_NOTE, "new_reasoning_paths": "\n".join([NO_PATHS] * 2)})

    def write(self, note: str, seed: int, example: Pair | None) -> list[WrittenText]:
        """The paragraph that the model writes from each draw of the paths, and how it came about.

        Draws that tell the same paths are written once. Raises MissingError where the model gives none.
        """
        known: dict[str, WrittenText] = {}
        return [self._written(note, seed, seed + number, example, known) for number in range(self.draws)]

    def _written(
        self, note: str, seed: int, draw: int, example: Pair | None, known: dict[str, WrittenText]
    ) -> WrittenText:
        """The text from one draw; of a prompt that is known the text and use that it had, which are kept there."""
        key = ""

        def drafted() -> Draft:
            nonlocal key
            draft, data = self._prompted(note, draw, example)
            key = "\n".join(data.values())
            return draft if key in known else self._said(draft, data, seed)

        draft, use = metered(self._container, drafted)
        return known.setdefault(key, WrittenText(draft.text, use))

    def _said(self, draft: Draft, data: dict[str, str], seed: int) -> Draft:
        """The draft with what the model writes, and its time."""
        began = time.perf_counter()
        said = Asker(self._model, seed, lambda: _FENCE).texts(PAPER_DISCHARGE, data)
        if not said.texts:
            raise MissingError(said.reason)
        timings = draft.timings_ms | {"write": 1000 * (time.perf_counter() - began)}
        return draft.model_copy(update={"text": " ".join(said.texts[0].split()), "timings_ms": timings})

    def _prompted(self, note: str, draw: int, example: Pair | None) -> tuple[Draft, dict[str, str]]:
        """The evidence of one draw and the prompt's data; that paths had no room is a fallback."""
        draft = self._evidence(note, draw)
        data = {"new_patient_condition": self._condition(draft, note), "new_reasoning_paths": paths_text(draft)}
        if example is not None:
            condition, paths = self._example(example, draw)
            data |= {
                "example_patient_condition": condition,
                "example_reasoning_paths": paths,
                "example_discharge_instructions": example.text.strip(),
            }
        data, cut = self._fitting(data)
        return (draft.model_copy(update={"fallbacks": (*draft.fallbacks, CUT)}) if cut else draft), data

    def _fitting(self, data: dict[str, str]) -> tuple[dict[str, str], bool]:
        """The data without the last paths, of the example first, that the model's context has no room for."""
        room, cut = self._model.context - min(PAPER_DISCHARGE.longest, self._model.context // 3), False
        for name in ("example_reasoning_paths", "new_reasoning_paths"):
            while (lines := data.get(name, NO_PATHS).splitlines()) and lines != [NO_PATHS]:
                if self._model.count_tokens(PAPER_DISCHARGE.messages(_FENCE, data)) <= room:
                    return data, cut
                data, cut = data | {name: "\n".join(lines[:-1]) or NO_PATHS}, True
        return data, cut

    def _example(self, pair: Pair, seed: int) -> tuple[str, str]:
        """The example's condition and this arm's own paths for it, retrieved once."""
        key = (pair.pair_id, seed)
        if key not in self._shown:
            draft = self._evidence(pair.note, seed)
            self._shown[key] = (self._condition(draft, pair.note), paths_text(draft))
        return self._shown[key]

    def _evidence(self, note: str, seed: int) -> Draft:
        text = checked_text(note, self._container.settings.max_note_chars)
        return whole(self._pipeline.run_evidence(DraftRequest(text=text, system=self.system, seed=seed)))

    def _condition(self, draft: Draft, note: str) -> str:
        if not self._conditions:
            return note.strip()
        request = DraftRequest(text=note, system=self.system)
        ranked = self._container.ranker.rank(self._container.linker.read(note), request)
        names = [one.name for one in ranked if one.status is not ConditionStatus.RULED_OUT]
        return f"{note.strip()}\nConditions to think of: {', '.join(names) or 'none'}"


def paper_drafters(
    container: Container, options: PaperOptions, generators: Sequence[str], varied: Sequence[Variation] = ()
) -> list[PaperDrafter]:
    """Every arm with every generator, and once more for each varied setting.

    Raises:
        InputError: an arm is given twice, a policy does not fit, or there are no draws.
    """
    if options.draws < 1:
        raise InputError(f"--draws {options.draws}: drawn paths are drawn once at least.")
    arms = [(name, name, container) for name in options.systems]
    arms += [(name, REINRAG, _walking_by(container, folder)) for name, folder in options.policies]
    made = []
    for asked in generators:
        writer = writer_of(container, asked)
        for arm, named, own in arms:
            system(named)
            for label, other in containers(own, varied):
                made.append(PaperDrafter(other, arm, named, asked, writer, label, options))
    if len({cell.name for cell in made}) != len(made):
        raise InputError("Two arms have one name. Give each system, policy and generator once.")
    return made


def paths_text(draft: Draft) -> str:
    """The draft's paths as the paper tells them, one a line."""
    return "\n".join(path_line(path, CLUSTER_LEAP) for path in draft.evidence.paths) or NO_PATHS


def _walking_by(container: Container, checkpoint: Path) -> Container:
    """The container with another policy under reinrag's name; KnowledgeError for one that does not fit graph and encoder."""
    load_checkpoint(checkpoint).fitted(container.graph, container.loaded.path_encoder)
    _ = container.concept_vectors, container.open_concepts, container.loaded.note_side  # loaded once for all policies
    folder = Path(tempfile.mkdtemp(prefix="leapnote-policy-"))
    (folder / REINRAG).symlink_to(checkpoint.resolve(), target_is_directory=True)
    return container.changed(policies=folder)
