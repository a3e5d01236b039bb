"""Does training teach what it is meant to? Small models raised from nothing, before and after, over several seeds.

Run: python -m backend.bench.learning.learning_proof --seeds 3. Everything but the model, the facts, and SPO's expert and judge is
the program's own: prompts, sampling, labels, pairs, search, DPO and fine-tuning. It prints a table of held-out shares,
mean and standard deviation over the seeds. It says nothing about a real model or about medicine.
"""

import json
import statistics
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from backend.bench.learning.toy_facts import World, every_word, finder, make_world, raising
from backend.bench.learning.toy_model import ToyModel, flat, make_model
from backend.bench.learning.toy_sources import ToySources, expert, plan_raising, questions, served
from backend.bench.learning.toy_sources import every_word as every_plan_word
from backend.generation.model.option_choice import choose
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.schemas.chat import Message
from backend.schemas.drafts.evidence import Evidence
from backend.training.plans.plan_pairs import plan_prompt
from backend.training.plans.plan_values import JudgeValuer
from backend.training.plans.plans_training_run import DPO, SFT, PlanDataSettings, build_plans
from backend.training.thoughts.pairs_run import build_pairs
from backend.training.thoughts.thought_pairs import AskedQuestion, SamplingSettings, evidence_of, sample_thoughts
from backend.training.watched_model import WatchedModel
from models.tuning.dpo import train_dpo
from models.tuning.sft import train_sft
from models.tuning.tuning import TuningSettings
from models.tuning.tuning_run import Trained

Figures = dict[str, dict[str, float]]
Say = Callable[[str], None]
GREEDY = SamplingSettings(thoughts=1, temperature=0.0, top_p=1.0)


SMALL = TuningSettings(
    learning_rate=2e-4, epochs=4, batch=16, micro=16, beta=0.2, device="cpu", checkpointing=False, save_every=100_000
)
RAR2 = SMALL
SFT_SETTINGS = replace(SMALL, learning_rate=5e-4, epochs=5)
DPO_SETTINGS = replace(SMALL, learning_rate=2e-5, epochs=3, beta=0.1)


@dataclass(frozen=True)
class ProofSettings:
    """Of small models, far from the papers' settings for large ones. Chosen on seeds from 100 on, which no table counts.

    raising: optimiser steps of 64 samples that raise the model, for RAR2 and for SPO; the rest are passes and peak learning rates.
    """

    raising: int = 250
    raising_rate: float = 5e-3
    plan_raising: int = 300
    plan_raising_rate: float = 3e-3
    rar2: TuningSettings = RAR2
    sft: TuningSettings = SFT_SETTINGS
    dpo: TuningSettings = DPO_SETTINGS


class Rows(dict[str, Any]):
    """A ledger that nobody resumes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, dict[str, Any]] = {}

    def add(self, item: str, row: Mapping[str, Any]) -> None:
        """Keep the row of an item."""
        self.rows[item] = dict(row)


def prove_rar2(seed: int, folder: Path, chosen: ProofSettings, say: Say) -> Figures:
    """Held-out accuracy with retrieval: the untrained model, then trained on all pairs, and without each kind."""
    world = make_world(seed)
    rows = list(raising(world, 64 * chosen.raising))
    base = _raised(every_word(world), rows, seed, folder, chosen.raising_rate, say)
    found: Figures = {"untrained": _rar2_figures(world, ToyModel(base))}
    say(f"seed {seed}: untrained {found['untrained']}")
    asked = world.questions(held_out=False)
    built = build_pairs(asked, ToyModel(base), finder(world), SamplingSettings(seed=seed), Rows(), folder, _quiet)
    say(f"seed {seed}: pairs {built.kinds}, labels {built.labels}")
    rows = [json.loads(line) for line in built.path.read_text(encoding="utf-8").splitlines()]
    for name, kinds in (
        ("thought and answer pairs", ("thought", "answer")),
        ("without answer pairs", ("thought",)),
        ("without thought pairs", ("answer",)),
    ):
        data = _flattened([row for row in rows if row["kind"] in kinds], folder / f"{'-'.join(kinds)}.jsonl")
        trained = train_dpo(data, str(base), chosen.rar2, folder / f"dpo-{'-'.join(kinds)}")
        found[name] = {**_rar2_figures(world, ToyModel(trained.model)), "margin": _last_margin(trained)}
        say(f"seed {seed}: {name} {found[name]}")
    return found


def prove_spo(seed: int, folder: Path, chosen: ProofSettings, say: Say) -> Figures:
    """Held-out share of plans that find the answer: untrained, fine-tuned, DPO alone, both, and the negative plans."""
    world, search = make_world(seed), ToySources(make_world(seed))
    raised_on = list(plan_raising(world, 64 * chosen.plan_raising))
    base = _raised(every_plan_word(world), raised_on, seed, folder, chosen.plan_raising_rate, say)
    found: Figures = {"untrained": _plan_figures(world, search, ToyModel(base))}
    say(f"seed {seed}: untrained {found['untrained']}")
    asked, ledger = questions(world, held_out=False), Rows()
    for name, negative in (("good", False), ("bad", True)):
        settings = PlanDataSettings(negative_alone=negative, seed=seed)
        built = build_plans(asked, expert(world), search, JudgeValuer(), settings, ledger, folder / name, _quiet)
        say(f"seed {seed}: {built}")
    files = {
        part: _flattened(
            [json.loads(line) for line in (folder / part).read_text(encoding="utf-8").splitlines()],
            folder / f"{part.replace('/', '-')}",
        )
        for part in (f"good/{SFT}", f"good/{DPO}", f"bad/{SFT}")
    }
    tuned = train_sft(files[f"good/{SFT}"], str(base), chosen.sft, folder / "sft")
    pairs, kept = files[f"good/{DPO}"], replace(chosen.dpo, sft_weight=1.0)
    runs = {
        "SFT": tuned,
        "SFT, then DPO": train_dpo(pairs, str(tuned.model), chosen.dpo, folder / "both"),
        "SFT, then DPO with SFT's loss": train_dpo(pairs, str(tuned.model), kept, folder / "kept"),
        "DPO alone": train_dpo(pairs, str(base), chosen.dpo, folder / "alone"),
        "SFT on negative plans": train_sft(files[f"bad/{SFT}"], str(base), chosen.sft, folder / "negative"),
    }
    for name, trained in runs.items():
        found[name] = _plan_figures(world, search, ToyModel(trained.model))
        say(f"seed {seed}: {name} {found[name]}")
    return found


def table(runs: Sequence[Figures]) -> str:
    """A Markdown table: a row a variant, mean and standard deviation over the seeds."""
    measures = list(runs[0]["untrained"])
    lines = ["| | " + " | ".join(measures) + " |", "|---" * (len(measures) + 1) + "|"]
    for variant in runs[0]:
        cells = [_mean_and_spread([run[variant][name] for run in runs]) for name in measures]
        lines.append(f"| {variant} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _raised(
    texts: Sequence[str], rows: Sequence[Mapping[str, str]], seed: int, folder: Path, rate: float, say: Say
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    make_model(texts, folder / "fresh", seed)
    data = folder / "raising.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = replace(SMALL, learning_rate=rate, epochs=1, batch=64, micro=64, warmup=0.05, seed=seed)
    trained = train_sft(data, str(folder / "fresh"), settings, folder / "raised")
    say(f"seed {seed}: raised, loss {trained.history[0]['loss']:.2f} to {trained.history[-1]['loss']:.2f}")
    return trained.model


def _rar2_figures(world: World, model: ToyModel) -> dict[str, float]:
    """right: answers right. found: thoughts that found the illness's passage. read: answers that cite it, of these."""
    right = found = read = 0
    asked = world.questions(held_out=True)
    search = finder(world)
    for question in asked:
        at_work = AskedQuestion.of(question, WatchedModel(model), 0)
        thoughts = sample_thoughts(at_work, GREEDY)
        evidence = evidence_of(question, thoughts[0][0], search, GREEDY) if thoughts else Evidence()
        answered = choose(model, question.request(0), at_work.material(evidence), question.fence())
        there = any(question.answer in passage.text for passage in evidence.passages)
        found += there
        right += answered.letter == question.letter
        read += there and "P1" in answered.cited
    return {"right": right / len(asked), "found": found / len(asked), "read": read / found if found else 0.0}


def _plan_figures(world: World, search: ToySources, model: ToyModel) -> dict[str, float]:
    """plans: with a query that finds the answer. queries: that do, of all. a plan: queries of a plan."""
    tallies = [
        served(world, search, question, model.chat(plan_prompt(question, TEXT_SOURCES))[0].text)
        for question in questions(world, held_out=True)
    ]
    written = sum(count for _, _, count in tallies)
    return {
        "plans": sum(some for some, _, _ in tallies) / len(tallies),
        "queries": sum(good for _, good, _ in tallies) / written if written else 0.0,
        "a plan": written / len(tallies),
    }


def _flattened(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Rendered samples as the small model reads them: a prompt as text, replies as text."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            prompt = flat([Message(**message) for message in row["prompt"]])
            replies = {k: row[k][0]["content"] for k in ("completion", "chosen", "rejected") if k in row}
            file.write(json.dumps({"prompt": prompt, **replies}) + "\n")
    return path


def _last_margin(trained: Trained) -> float:
    return trained.history[-1]["rewards/margins"]


def _mean_and_spread(values: Sequence[float]) -> str:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.2f} ± {spread:.2f}"


def _quiet(done: int, total: int, what: str) -> None:
    """Nobody watches a construction that takes seconds."""


def main(
    seeds: Annotated[int, typer.Option("--seeds", help="how many, from --first on")] = 3,
    first: Annotated[int, typer.Option("--first")] = 1,
    only: Annotated[Literal["rar2", "spo"] | None, typer.Option("--only")] = None,
) -> None:
    """Measure over several seeds whether labels and losses teach, and print the figures."""
    import torch

    warnings.filterwarnings("ignore", category=FutureWarning)  # of libraries, about names of arguments
    torch.set_num_threads(1)
    for name, prove in (("rar2", prove_rar2), ("spo", prove_spo)):
        if only in (None, name):
            runs = []
            for seed in range(first, first + seeds):
                with tempfile.TemporaryDirectory() as folder:
                    say = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
                    runs.append(prove(seed, Path(folder), ProofSettings(), say))
            print(f"{name}, {seeds} seeds from {first}\n\n{table(runs)}\n")


if __name__ == "__main__":
    typer.run(main)
