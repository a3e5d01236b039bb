"""`evaluate paths` from files: loads graph, vectors and policies, links pairs, and keeps the result."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.container import Container
from backend.errors import InputError, KnowledgeError
from backend.evaluation.metrics.seed_families import families
from backend.evaluation.paths.concepts_needed import NEEDED, WHAT
from backend.evaluation.paths.path_evaluation import BUDGETS, PathsSettings, run_paths
from backend.evaluation.paths.path_scores import MEASURES
from backend.evaluation.paths.retrievers.concept_retrievers import POOL, ConceptRetriever, Elsewhere, Knowledge
from backend.evaluation.paths.retrievers.folded_retriever import folded, folds_of
from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.evaluation.paths.retrievers.policy_retrievers import SCHEDULE_NOTES, World, policy_retrievers
from backend.evaluation.paths.retrievers.retriever_table import COMPARISONS, Material, comparison, make_comparison
from backend.evaluation.paths.training_seeds import FUSED, WALK, checked_over, go_or_no_go, over_prior, power_said
from backend.evaluation.reports.evaluation_run import ALL, Run, RunOptions, caveats_of, pair_card, pairs_of
from backend.evaluation.reports.failed_items import failed_row, not_scored
from backend.evaluation.reports.journal import file_sha256, run_key
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import containers, read_variations
from backend.ingest.clinical_notes.note_pairs import Pair, read_pairs
from backend.interfaces import Encoder, Linker
from backend.schemas.evaluation_results import NotAvailable, Result, ResultKind
from backend.stores.graph.graph import Graph
from backend.stores.swapped_folder import private_folder
from backend.systems import PATHS_BASELINE
from models.policy.checkpoint import CARD, WEIGHTS, Checkpoint, load_checkpoint
from models.policy.rollouts import Example
from models.policy.stored_examples import read_examples, write_examples

TRAIN = "train"
TRAINED = "trained"
"""The policy of a cross-validation."""
LINKED = "linked"
AT_ONCE = 32
"""Notes that are linked and encoded together."""


class PathsOptions(NamedTuple):
    """What an evaluation of paths reads and compares.

    Attributes:
        policies: `FOLDER` or `NAME=FOLDER`; none for those of LEAPNOTE_POLICIES.
        training: the file of training pairs; None for the same file's.
        retrievers: names of comparisons; none for all.
        baseline: empty to compare each policy with all.
        folds: in so many parts a policy is trained on the others and measured; 0 for no cross-validation.
        varied: NAME=a,b each: a setting's values, under each of which every retriever runs once more.
        over: two recipes each, the new one first, whose proposals are compared seed by seed.
    """

    pairs: Path
    split: str
    run: RunOptions
    policies: tuple[str, ...] = ()
    variants: bool = True
    training: Path | None = None
    retrievers: tuple[str, ...] = ()
    budgets: tuple[int, ...] = BUDGETS
    pool: int = POOL
    baseline: str = ""
    varied: tuple[str, ...] = ()
    folds: int = 0
    over: tuple[tuple[str, str], ...] = ()


class Loaded(NamedTuple):
    """Graph, vectors and linker of a run, and which concepts may be retrieved.

    kept: folder of linked pairs. reading: what they depend on beside the pairs' ids and whether notes are encoded. encoder: of notes.
    """

    graph: Graph
    vectors: np.ndarray
    linker: Linker
    allowed: np.ndarray
    kept: Path
    reading: str
    encoder: Encoder


class Policies(NamedTuple):
    """named: each with the folder it came from. refused: those that belong to another graph or encoder."""

    named: tuple[tuple[str, Checkpoint, Path], ...]
    refused: tuple[NotAvailable, ...]


Link = Callable[[Iterable[Pair], Loaded, bool], Iterator[Example]]
"""Examples of pairs; the last argument says whether the vector of the whole note is wanted, which is the slow part."""


Train = Callable[[Sequence[Pair], int], tuple[Checkpoint, Path]]
"""Trains a policy on the pairs of all folds but the one with this number; gives it with its folder."""


class Side(NamedTuple):
    """Everything that one set of settings brings to a run: what is compared, on which notes, and what could not be had.

    systems: what each retriever is, by name. failed, unlearned: rows of notes and training notes that could not be linked.
    """

    loaded: Loaded
    policies: Policies
    training: list[NoteExample]
    examples: list[NoteExample]
    knowledge: Knowledge
    retrievers: list[ConceptRetriever]
    systems: dict[str, str]
    refused: tuple[NotAvailable, ...]
    failed: list[dict[str, Any]]
    unlearned: list[dict[str, Any]]


def evaluate_paths(
    container: Container, options: PathsOptions, link: Link, train: Train | None = None
) -> tuple[Result, Path]:
    """The result and its folder.

    Args:
        container: what is loaded.
        options: what is compared, and on what.
        link: makes examples of pairs.
        train: what trains the policies of folds.

    Raises:
        InputError: options that do not fit.
    """
    if options.folds and options.varied:
        raise InputError("--folds trains under one set of settings. Leave --vary out, or run each value by itself.")
    for name in options.retrievers:
        comparison(name)  # a wrong name is told before anything is loaded
    variations = read_variations(options.varied, container.settings)
    pairs = pairs_of(options.pairs, options.split, options.run)
    side = _side(container, options, link, pairs, train=train)
    retrievers, systems, refused = [*side.retrievers], dict(side.systems), [*side.refused]
    varied: list[str] = []
    for label, own in containers(container, variations):
        if not label:
            continue
        if own.graph.fingerprint != side.loaded.graph.fingerprint:
            raise InputError(
                f"--vary {label[1:]}: the concepts to find are those of one graph. Run each graph by itself."
            )
        other = _side(own, options, link, pairs, label)
        read = {example.pair_id: example for example in other.examples}
        retrievers += [Elsewhere(one, label, read) for one in other.retrievers]
        systems |= {f"{name}{label}": what for name, what in other.systems.items()}
        varied += [f"{name}{label}" for name in other.systems]
        refused += other.refused
    loaded, policies, training, examples = side.loaded, side.policies, side.training, side.examples
    who = identity(container, ())
    checked_over(list(side.systems), options.over)
    settings = _settings(options, list(side.systems), policies)._replace(varied=tuple(varied), over=options.over)
    means = {family: f"mean of {len(held)} training seeds" for family, held in families(list(systems)).items()}
    run = Run(
        ResultKind.PATHS,
        options.run,
        {**settings._asdict(), "retrievers": list(systems), "split": options.split, "training": len(training)},
        _inputs(options, loaded, policies),
        {"encoder": container.loaded.path_encoder},
        who,
    )
    found = run_paths(examples, retrievers, side.knowledge, settings, run.journal, run.key, options.run.progress)
    unlinked = len(pairs) - len(examples) - len(side.failed)
    left_out = found.left_out | ({"no keyword in the note or no concept in the document": unlinked} if unlinked else {})
    left_out |= not_scored(side.failed)
    card = pair_card(options.pairs, options.split, pairs, found.n, left_out)
    result = run.keep(
        data=card,
        graph=loaded.graph.fingerprint,
        systems=systems | means,
        measures=MEASURES | {NEEDED: WHAT},
        figures=found.figures,
        differences=found.differences,
        not_available=tuple(refused),
        caveats=(
            *caveats_of(card),
            *_seen(policies, card.sha256, options.split),
            *power_said(found.figures),
            *over_prior(found.differences, [*settings.subjects, *means]),
            *go_or_no_go(found.differences, list(systems), found.figures, options.over),
            *(f"{n} training pairs were left out, {why}." for why, n in not_scored(side.unlearned).items()),
            *found.captions,
        ),
        charts=found.charts,
    )
    return result, run.folder


def read_policies(asked: Sequence[str], container: Container, label: str = "") -> Policies:
    """Those asked for must fit; of those that ship, and under a varied setting, the ones that do not are told and left out.

    Args:
        asked: FOLDER or NAME=FOLDER each; none for those that ship.
        container: whose graph and encoder they must fit.
        label: of the varied setting.

    Raises:
        KnowledgeError: one that is asked for does not fit.
    """
    graph, encoder = container.graph, container.loaded.path_encoder
    given = [(name, Path(folder)) for name, _, folder in (one.rpartition("=") for one in asked)]
    shipped = [("", path.parent) for path in sorted(container.settings.policies.glob(f"*/{CARD}"))]
    named, refused = [], []
    for name, folder in given or shipped:
        checkpoint = load_checkpoint(folder)
        try:
            named.append((name or checkpoint.name, checkpoint.fitted(graph, encoder), folder))
        except KnowledgeError as error:
            if given and not label:
                raise
            refused.append(NotAvailable(name=f"{name or checkpoint.name}{label}", reason=str(error)))
    return Policies(tuple(named), tuple(refused))


def _side(
    container: Container,
    options: PathsOptions,
    link: Link,
    pairs: Sequence[Pair],
    label: str = "",
    train: Train | None = None,
) -> Side:
    """What the settings of a container bring. label: of the varied setting. train: what trains the policies of folds."""
    policies = read_policies(options.policies, container, label)
    vectors = container.encoded_concepts(options.run.progress or _unwatched)
    files = [file_sha256(path) for path in (options.pairs, options.training) if path is not None]
    kept = container.settings.data / LINKED
    reading = run_key(files=files, identity=identity(container, ()))
    loaded = Loaded(
        container.graph, vectors, container.linker, container.open_concepts, kept, reading, container.encoder
    )
    learning = [] if options.folds else _training_pairs(options, pairs)
    # the fixed schedule is taken from walks of these, by a concept step that reads the whole note
    walked = SCHEDULE_NOTES if any(checkpoint.scorer for _, checkpoint, _ in policies.named) else 0
    unlearned: list[dict[str, Any]] = []
    training = _linked(link, learning[:walked], loaded, options, "training pairs linked", True, unlearned)
    training += _linked(link, learning[walked:], loaded, options, "training pairs linked", False, unlearned)
    failed: list[dict[str, Any]] = []
    examples = _linked(link, pairs, loaded, options, "pairs linked", True, failed)
    note_side = container.loaded.note_side
    knowledge = Knowledge(loaded.graph, loaded.vectors, loaded.allowed, note_side)
    names = list(options.retrievers or (entry.name for entry in COMPARISONS))
    refused = list(policies.refused)
    if not training and not options.folds:
        missing = [name for name in names if comparison(name).needs_training and name not in options.retrievers]
        refused += [NotAvailable(name=f"{name}{label}", reason="there are no training pairs") for name in missing]
        names = [name for name in names if name not in missing]
    # a varied setting is compared with the policy as it is served, not with each of its parts
    compared = _Compared(loaded.graph, knowledge, names, options.run.seed, options.variants and not label)
    shipped = policies.named
    if options.folds and train is not None:
        made = []
        for number, fold in enumerate(folds_of(pairs, options.folds, options.run.seed)):
            checkpoint, folder = train(fold.learning, number)
            policies = policies._replace(named=(*policies.named, (TRAINED, checkpoint, folder)))
            held = {pair.pair_id for pair in fold.held}
            others = [example for example in examples if example.pair_id not in held]
            own = [example for example in examples if example.pair_id in held]
            made.append((fold, compared.of((*shipped, (TRAINED, checkpoint, folder)), others, own)))
        retrievers, systems = folded([(fold, found[0]) for fold, found in made]), made[0][1][1]
        systems[TRAINED] = (
            f"a policy of this recipe, trained anew for each of {options.folds} folds on the pairs of the others"
        )
    else:
        retrievers, systems = compared.of(shipped, training, examples)
    return Side(loaded, policies, training, examples, knowledge, retrievers, systems, tuple(refused), failed, unlearned)


class _Compared(NamedTuple):
    """What is compared in a run, and over what."""

    graph: Graph
    knowledge: Knowledge
    names: Sequence[str]
    seed: int
    variants: bool

    def of(
        self,
        policies: Sequence[tuple[str, Checkpoint, Path]],
        training: Sequence[NoteExample],
        evaluated: Sequence[NoteExample],
    ) -> tuple[list[ConceptRetriever], dict[str, str]]:
        """The comparisons and the policies with their variants, and what each is."""
        known, seed = self.knowledge, self.seed
        material = Material(known, [example.truth for example in training], seed)
        retrievers: list[ConceptRetriever] = [make_comparison(name, material) for name in self.names]
        systems = {name: comparison(name).what for name in self.names}
        world = World(self.graph, known.vectors, known.allowed, seed, known.note_side)
        for name, checkpoint, _ in policies:
            variants = self.variants and "@" not in name
            made = policy_retrievers(checkpoint, world, known.graph, training, evaluated, name, variants)
            retrievers += [retriever for retriever, _ in made]
            systems |= {retriever.name: what for retriever, what in made}
        return retrievers, systems


def _training_pairs(options: PathsOptions, evaluated: Sequence[Pair]) -> list[Pair]:
    """The training pairs, but none of an evaluated patient or with an evaluated id."""
    patients = {pair.patient_id for pair in evaluated}
    ids = {pair.pair_id for pair in evaluated}
    found = read_pairs(options.training or options.pairs, (TRAIN,))
    return [pair for pair in found if pair.patient_id not in patients and pair.pair_id not in ids]


def _seen(policies: Policies, sha256: str, split: str) -> list[str]:
    """Which policies learned from this very file."""
    notices = []
    for name, checkpoint, _ in policies.named:
        if checkpoint.card.get("data", {}).get("hash") == sha256:
            what = "other pairs of this file" if split not in (TRAIN, ALL) else "pairs that are evaluated here"
            notices.append(f"The policy {name} was trained on {what}.")
    return notices


def _unwatched(done: int, total: int, what: str) -> None:
    """For who wants no progress."""


def _linked(
    link: Link,
    pairs: Sequence[Pair],
    loaded: Loaded,
    options: PathsOptions,
    what: str,
    encode: bool,
    failed: list[dict[str, Any]],
) -> list[NoteExample]:
    """The examples of pairs, kept for the next run that reads them alike; one that fails goes to `failed` and costs no other."""
    kept = loaded.kept / f"{run_key(pairs=[pair.pair_id for pair in pairs], encode=encode, what=loaded.reading)}.npz"
    if kept.is_file():
        return [*read_examples(kept)]
    made: list[Example] = []
    for start in range(0, len(pairs), AT_ONCE):
        if options.run.progress is not None:
            options.run.progress(start, len(pairs), what)
        made += _together(link, pairs[start : start + AT_ONCE], loaded, encode, failed)
    if options.run.progress is not None and pairs:
        options.run.progress(len(pairs), len(pairs), what)
    if made and not failed:
        private_folder(kept.parent)
        write_examples(kept, made, len(made[0].text_vector))
    return [*made]


def _together(
    link: Link, pairs: Sequence[Pair], loaded: Loaded, encode: bool, failed: list[dict[str, Any]]
) -> list[Example]:
    """Examples of some pairs at once; where one fails, of each by itself."""
    try:
        return list(link(pairs, loaded, encode))
    except Exception as error:
        if len(pairs) == 1:
            failed.append(failed_row("link", error))
            return []
    return [example for pair in pairs for example in _together(link, [pair], loaded, encode, failed)]


def _settings(options: PathsOptions, names: Sequence[str], policies: Policies) -> PathsSettings:
    policies_named = list(dict.fromkeys(name for name, _, _ in policies.named if "@" not in name))
    # what a part is worth to the walk shows only against the walk itself
    walks = [f"{name}{part}" for name in policies_named for part in (WALK, FUSED) if f"{name}{part}" in names]
    subjects = () if options.baseline else (*policies_named, *walks)
    if options.baseline and options.baseline not in names:
        raise InputError(f"The baseline {options.baseline!r} does not run. Choose from: {', '.join(names)}")
    baseline = options.baseline or (PATHS_BASELINE if PATHS_BASELINE in names else names[0])
    return PathsSettings(options.budgets, options.pool, options.run.resamples, options.run.seed, baseline, subjects)


def _inputs(options: PathsOptions, loaded: Loaded, policies: Policies) -> dict[str, object]:
    return {
        "pairs": file_sha256(options.pairs),
        "training": file_sha256(options.training) if options.training else "",
        "graph": loaded.graph.fingerprint,
        "policies": [
            [name, *(file_sha256(folder / part) for part in (WEIGHTS, CARD))] for name, _, folder in policies.named
        ],
        "folds": options.folds,
    }
