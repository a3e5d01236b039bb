"""The hospital's own formulary and instructions: checked, installed, shown, removed and brought back."""

from typing import Any

from fastapi import APIRouter, Query, Request
from pydantic import Field

from backend.api.guard import by_who_acts, for_people
from backend.container import Container
from backend.knowledge.hospital.hospital_tables import FILES, HEADERS, CheckedTable, HospitalTables, Table, rows_json
from backend.knowledge.hospital.tables import LARGEST, KnownNames
from backend.schemas.base import Frozen

router = APIRouter(prefix="/knowledge/hospital", dependencies=[for_people()])


class TableRequest(Frozen):
    """A table to check or install."""

    text: str = Field(max_length=LARGEST, description="The whole file, tab-separated, with its header line")
    name: str = Field(default="", max_length=200, description="Of the file, for messages")
    reviewer: str = Field(
        default="", max_length=200, description="Who answers for it; of somebody who is logged in their own name"
    )


class RestoreRequest(Frozen):
    """A table that stood before, to be installed again."""

    digest: str = Field(max_length=64, description="As `replaced` of the table has it")
    reviewer: str = Field(
        default="", max_length=200, description="Who answers for it; of somebody who is logged in their own name"
    )


@router.get("/{table}")
def shown(table: Table, request: Request) -> dict[str, Any]:
    """The table that is installed, with who installed it and what is wrong with it."""
    tables = _tables(request)
    found = tables.shown(table)
    state = {"installed": found.text is not None, "by": found.by, "at": found.at, "changed": found.changed}
    before = [one.kept._asdict() | {"by": one.by} for one in tables.replaced(table)]
    checked = _checked(found.checked, FILES[table])
    return {"header": HEADERS[table], **state, "text": found.text or "", "replaced": before, **checked}


@router.post("/{table}/check")
def check(table: Table, body: TableRequest, request: Request) -> dict[str, Any]:
    """Hold a table to its rules, every row; nothing is installed."""
    return _checked(_tables(request).check(table, body.text), body.name or FILES[table])


@router.put("/{table}")
def install(table: Table, body: TableRequest, request: Request) -> dict[str, Any]:
    """Put a table in the place of the one that is there, where every row is right; it holds from the next start on."""
    body = by_who_acts(request, body, "reviewer")
    made, found = _tables(request).install(table, body.text, body.reviewer, body.name)
    return {"decision": made.model_dump(mode="json"), **_checked(found, body.name or FILES[table])}


@router.post("/{table}/restore")
def restore(table: Table, body: RestoreRequest, request: Request) -> dict[str, Any]:
    """Install a table that stood before, where every row is still right; it holds from the next start on."""
    body = by_who_acts(request, body, "reviewer")
    made, found = _tables(request).restore(table, body.digest, body.reviewer)
    return {"decision": made.model_dump(mode="json"), **_checked(found, FILES[table])}


@router.delete("/{table}")
def remove(
    table: Table, request: Request, reviewer: str = Query(default="", max_length=200, description="Who answers for it")
) -> dict[str, Any]:
    """Take a table away; from the next start on nothing of it is told."""
    who = by_who_acts(request, TableRequest(text="", reviewer=reviewer), "reviewer").reviewer
    return _tables(request).remove(table, who).model_dump(mode="json")


def _checked(found: CheckedTable, name: str) -> dict[str, Any]:
    faults = [one.at(name) for one in found.faults]
    return {"rows": rows_json(found), "faults": faults, "unknown": list(found.unknown)}


def _tables(request: Request) -> HospitalTables:
    container: Container = request.app.state.container
    return HospitalTables(container.settings.data, lambda: KnownNames(container.starter_graph.concepts))
