"""knowledge review: what of the knowledge a clinician has reviewed, and their decisions."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.tables import print_table
from backend.errors import InputError
from backend.settings import settings

if TYPE_CHECKING:
    from backend.knowledge.review.knowledge_review import KnowledgeReview

app = CommandLine(
    "what clinicians have reviewed; accept, change or refuse chapters and rows, sign standing instructions"
)
Item = Annotated[
    str, typer.Argument(metavar="ID", help="id of a chapter or row, as list prints it", show_default=False)
]
Reviewer = Annotated[
    str, typer.Option("--reviewer", metavar="NAME", help="the clinician who decides", show_default=False)
]
Reason = Annotated[str, typer.Option("--reason", help="why, kept with the decision")]
Sources = Annotated[str, typer.Option("--sources", help="what the reviewer consulted, kept with the decision")]
KINDS = "chapter, dose, interaction, contraindication, monitoring, untreated, red_flag, applicability or standing"
STATES = "unreviewed, accepted, changed, refused, signed, added or outdated"
NEXT_START = "It holds from the next start on."


def open_review() -> "KnowledgeReview":
    """The review of the knowledge that is set."""
    from backend.knowledge.review.knowledge_review import KnowledgeReview

    chosen = settings()
    return KnowledgeReview(chosen.knowledge, chosen.data)


@app.add("status", "how many chapters and rows of each kind stand how")
def status(as_json: Json = False) -> None:
    """Print the counts, and decisions about rows that are no more."""
    from backend.knowledge.review.knowledge_review import State, counted

    review = open_review()
    table, orphans = counted(review.items()), review.orphans()
    if as_json:
        print(json.dumps({"kinds": table, "without_item": [one.item for one in orphans]}))
        return
    states = [state.value for state in State]
    rows = [[kind, *(str(row[state]) for state in states)] for kind, row in table.items()]
    print_table(["kind", *states], rows, lambda cells: "  ".join([cells[0], *map("{} {}".format, cells[1:], states)]))
    if orphans:
        names = ", ".join(one.item for one in orphans)
        print(f"Decisions about what the knowledge holds no more, or in other words: {names}", file=sys.stderr)


@app.add("list", "chapters and rows with their state")
def list_items(
    kind: Annotated[str, typer.Option("--kind", help=KINDS)] = "",
    state: Annotated[str, typer.Option("--state", help=STATES)] = "",
    words: Annotated[str, typer.Option("--words", help="only items whose text holds all these words")] = "",
    as_json: Json = False,
) -> None:
    """Print a line an item."""
    from backend.knowledge.review import knowledge_review
    from backend.knowledge.review.items import Kind
    from backend.knowledge.review.knowledge_review import State

    _known(kind, [one.value for one in Kind], "kind")
    _known(state, [one.value for one in State], "state")
    found = knowledge_review.chosen(open_review().items(), kind, state, words)
    rows = [knowledge_review.as_json(one) for one in found]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    heads = ("id", "state", "title", "reviewer", "date", "sources")
    print_table(heads, [[str(row[head]) for head in heads] for row in rows])


@app.add("show", "one chapter or row, with every decision about it")
def show(item: Item, as_json: Json = False) -> None:
    """Print the text and the decisions."""
    from backend.knowledge.review import knowledge_review

    review = open_review()
    one = review.one(item)
    history = review.history(item)
    if as_json:
        decisions = [decision.model_dump(mode="json") for decision in history]
        print(json.dumps(knowledge_review.as_json(one, whole=True) | {"history": decisions}, ensure_ascii=False))
        return
    print(f"{one.item.id}: {one.state}, {one.item.file}:{one.item.line}\n")
    print("\n".join(f"{name}: {cell}" for name, cell in one.item.cells.items()) or one.item.text)
    for decision in history:
        print(
            f"\n{decision.at:%Y-%m-%d %H:%M} {decision.verdict} by {decision.reviewer}, {decision.version}. {decision.reason}"
        )
        print(f"sources consulted: {decision.sources or '-'}")
        if decision.text:
            print(decision.text)


@app.add("accept", "the text is right as it stands")
def accept(item: Item, reviewer: Reviewer, reason: Reason = "", sources: Sources = "", as_json: Json = False) -> None:
    """Accept a chapter or row."""
    _decide(item, "accepted", reviewer, "", reason, as_json, sources)


@app.add("change", "another text stands in its place")
def change(
    item: Item,
    reviewer: Reviewer,
    source: Annotated[
        Path,
        typer.Option(
            "--from", metavar="FILE", help="the whole chapter or row; - for standard input", show_default=False
        ),
    ],
    reason: Reason = "",
    sources: Sources = "",
    as_json: Json = False,
) -> None:
    """Change a chapter or row."""
    _decide(item, "changed", reviewer, _text(source), reason, as_json, sources)


@app.add("add", "a chapter of the hospital's own, of a concept that has none")
def add(
    reviewer: Reviewer,
    source: Annotated[
        Path,
        typer.Option("--from", metavar="FILE", help="the whole chapter; - for standard input", show_default=False),
    ],
    reason: Reason = "",
    sources: Sources = "",
    as_json: Json = False,
) -> None:
    """Add a chapter, or put another in the place of one that was added."""
    decision = open_review().add(_text(source), reviewer, reason, sources)
    print(decision.model_dump_json() if as_json else f"{decision.item} added by {decision.reviewer}. {NEXT_START}")


@app.add("refuse", "it is not used")
def refuse(item: Item, reviewer: Reviewer, reason: Reason = "", sources: Sources = "", as_json: Json = False) -> None:
    """Refuse a chapter or row."""
    _decide(item, "refused", reviewer, "", reason, as_json, sources)


@app.add("sign", "a standing instruction is told in letters")
def sign(item: Item, reviewer: Reviewer, reason: Reason = "", sources: Sources = "", as_json: Json = False) -> None:
    """Sign a standing instruction."""
    _decide(item, "signed", reviewer, "", reason, as_json, sources)


@app.add("withdraw", "what was decided holds no more")
def withdraw(item: Item, reviewer: Reviewer, reason: Reason = "", as_json: Json = False) -> None:
    """Withdraw the decision about a chapter or row."""
    _decide(item, "withdrawn", reviewer, "", reason, as_json)


@app.add("undo", "the last decision about it is taken back, and the one before holds again")
def undo(item: Item, reviewer: Reviewer, reason: Reason = "", as_json: Json = False) -> None:
    """Undo the last decision about a chapter or row."""
    _decide(item, "undone", reviewer, "", reason, as_json)


@app.add("journal", "who decided, installed and took back what, the last first")
def journal(
    last: Annotated[int, typer.Option("--last", metavar="N", min=1, help="only so many")] = 100, as_json: Json = False
) -> None:
    """Print a line for everything that was done."""
    done = open_review().journal()[:last]
    if as_json:
        print(json.dumps([one.model_dump(mode="json") for one in done], ensure_ascii=False))
        return
    heads = ("time", "what", "who", "item", "version", "reason", "sources")
    rows = [
        [f"{one.at:%Y-%m-%d %H:%M}", one.verdict.value, one.reviewer, one.item, one.version, one.reason, one.sources]
        for one in done
    ]
    print_table(heads, rows)


@app.add("export", "what was changed and refused, as a diff against the shipped files")
def export(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="a new file; standard output where none is named")
    ] = None,
) -> None:
    """Write the diff.

    Raises:
        InputError: where the file is there already, or cannot be written.
    """
    text = open_review().difference()
    if out is None:
        print(text, end="")
        return
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(
            f"{out} cannot be written: {error.strerror}. Name a new file in a folder that is there."
        ) from None
    print(f"{out} written, {sum(1 for line in text.splitlines() if line.startswith('+++'))} files")


def _text(source: Path) -> str:
    try:
        return sys.stdin.read() if str(source) == "-" else source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read as text: {type(error).__name__}. Name a UTF-8 file.") from None


def _decide(item: str, verdict: str, reviewer: str, text: str, reason: str, as_json: bool, sources: str = "") -> None:
    from backend.knowledge.review.decisions import Verdict

    decision = open_review().decide(item, Verdict(verdict), reviewer, text, reason, sources)
    print(decision.model_dump_json() if as_json else f"{item} {verdict} by {decision.reviewer}. {NEXT_START}")


def _known(value: str, names: list[str], what: str) -> None:
    if value and value not in names:
        raise InputError(f"There is no {what} {value!r}. Choose one of: {', '.join(names)}")
