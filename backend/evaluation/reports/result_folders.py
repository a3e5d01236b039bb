"""Where results lie: `<LEAPNOTE_DATA>/results/<kind>-<date>-<first 8 of the key>/`.

A finished run holds result.json, table.md and rows.jsonl; an unfinished one rows.partial.jsonl alone.
"""

from pathlib import Path

from pydantic import ValidationError

from backend.evaluation.reports.result_report import as_table
from backend.schemas.evaluation_results import Result, ResultKind

RESULT, ROWS, PARTIAL, TABLE = "result.json", "rows.jsonl", "rows.partial.jsonl", "table.md"


def run_folder(root: Path, kind: ResultKind, key: str, day: str) -> Path:
    """The folder of an unfinished run with this key, whatever its day; else the folder of today."""
    begun = sorted(path.parent for path in root.glob(f"{kind.value}-*-{key[:8]}/{PARTIAL}"))
    return begun[-1] if begun else root / f"{kind.value}-{day}-{key[:8]}"


def write_result(folder: Path, result: Result) -> None:
    """Write the table, the rows' last name and the result, which comes last: a folder that has it is whole."""
    _replace(folder / TABLE, as_table(result))
    if (folder / PARTIAL).is_file():
        (folder / PARTIAL).replace(folder / ROWS)
    _replace(folder / RESULT, result.model_dump_json(indent=1))


def read_results(root: Path) -> tuple[Result, ...]:
    """All finished runs, the newest first. A file that cannot be read becomes a result that says so."""
    found = [_read(path) for path in sorted(root.glob(f"*/{RESULT}"))]
    return tuple(sorted(found, key=lambda result: (result.date, result.id), reverse=True))


def _read(path: Path) -> Result:
    try:
        return Result.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        broken = (
            f"Its {RESULT} cannot be read ({type(error).__name__}). Run the evaluation again, or delete the folder."
        )
        return Result(id=path.parent.name, problem=broken)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
