"""evaluate planted: wrong statements planted in true sentences, and how many the verifier finds."""

import json
import random
from pathlib import Path
from typing import Annotated, Literal

import typer

from backend.cli.cli_options import Seed
from backend.cli.evaluate.evaluate_parts import Limit, evaluation_container
from backend.cli.program import CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError

app = CommandLine()
Half = Literal["tune", "held", "all"]


@app.add("planted", "wrong statements planted in true sentences, judged by the verifier")
def planted(
    notes: Annotated[
        list[Path] | None,
        typer.Option(
            "--notes",
            metavar="FILE",
            help="ACI-Bench's CSV or PriMock57's folder of notes; may be repeated; default: drafts of the demonstration cases",
        ),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            "--corpus",
            metavar="FILE",
            help="PubTator file; its names that the vocabulary does not know are put in as well",
        ),
    ] = None,
    vignettes: Annotated[
        list[str] | None,
        typer.Option(
            "--vignettes",
            metavar="[FILE ...]",
            help="made-up cases with one wrong statement and nothing cited, instead; without a file those that ship",
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            "--texts",
            metavar="FILE",
            help="CSV of whole texts of which some have a wrong sentence, by its number, instead: nothing cited",
        ),
    ] = None,
    patients: Annotated[
        Path | None,
        typer.Option(
            "--patients",
            metavar="FILE",
            help="patients' notes as evaluate notes takes them: the SOAP notes that cli-rag and the composer write of them, instead",
        ),
    ] = None,
    curve: Annotated[
        bool, typer.Option("--curve", help="print risk against coverage over all pairs, instead of the figures by kind")
    ] = False,
    half: Annotated[Half, typer.Option("--half", help="which notes, by their names")] = "held",
    limit: Limit = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print the figures as JSON")] = False,
) -> None:
    """Print how many wrong statements are found, and how many true ones are marked.

    Raises:
        InputError: flags that exclude each other.
    """
    from backend.evaluation.planted.planted_figures import figures, risk_curve
    from backend.evaluation.planted.planted_run import PlantedOptions, curve_table, figure_table, judged_pairs

    if patients is not None and notes:
        raise InputError("--notes and --patients are changed in runs of their own. Leave one out.")
    if curve and (vignettes is not None or texts is not None):
        raise InputError("--curve is of pairs of sentences; --vignettes and --texts have none. Leave it out.")
    if vignettes is not None:
        _vignettes([Path(name) for name in vignettes if name], half, seed, as_json)
        return
    if texts is not None:
        _texts(texts, limit, seed, as_json)
        return
    options = PlantedOptions(tuple(notes or ()), tuple(corpus or ()), half, limit, seed, ProgressLine(), patients)
    with evaluation_container() as container:
        judged = judged_pairs(container, container.assembly.verifier(container.models.chosen()), options)
    found = risk_curve(judged) if curve else figures(judged)
    if as_json:
        print(json.dumps([one._asdict() for one in found]))
    else:
        print(curve_table(risk_curve(judged)) if curve else figure_table(figures(judged)))


def _vignettes(files: list[Path], half: Half, seed: int, as_json: bool) -> None:
    """A table a file, or one JSON object with a list a file."""
    from backend.evaluation.planted.planted_vignettes import SHIPPED, figures_of, vignette_table

    shown = ProgressLine()
    with evaluation_container() as container:
        found = {
            path: figures_of(container, path, half, seed, lambda done, total: shown(done, total, "vignettes"))
            for path in files or SHIPPED
        }
    if as_json:
        print(json.dumps({path.name: [figure._asdict() for figure in rows] for path, rows in found.items()}))
    else:
        print("\n\n".join(f"{path.name}\n\n{vignette_table(rows)}" for path, rows in found.items()))


def _texts(file: Path, limit: int | None, seed: int, as_json: bool) -> None:
    from backend.evaluation.planted.planted_marked import marked_figures, marked_table, read_marked
    from backend.verification.consistency.consistency import TextConsistency

    texts, shown = read_marked(file), ProgressLine()
    if limit is not None:
        texts = random.Random(seed).sample(texts, min(limit, len(texts)))
    with evaluation_container() as container:
        checker = TextConsistency(container.linker, container.graph)
        found = marked_figures(texts, container.linker, checker, seed, lambda done, total: shown(done, total, "texts"))
    rows = [row._asdict() for row in found.rows]
    print(json.dumps(found._asdict() | {"rows": rows}) if as_json else marked_table(found))
