"""Saved cases in memory: the API's own steps from version to version, without its database and its checks."""

from datetime import UTC, datetime

from app.clients.api_errors import ApiError, SignatureRefusedError, StaleError
from backend.review.case_content import draft_of_version, gaps, identified, live, saved
from backend.review.editing.edits import applied
from backend.review.exports.exporting import export_formats
from backend.schemas.drafts.draft import Draft
from backend.schemas.patients.saved_case import (
    AuditEntry,
    CasePage,
    CaseState,
    CaseSummary,
    CaseView,
    EditRecord,
    EditsRequest,
    SaveRequest,
    Signature,
    SignatureRequest,
    VersionContent,
)
from backend.schemas.vocabulary import Severity

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
CASE_ID = "99999999-2222-4333-8444-555555555555"
STALE = "Version 1 is no longer the newest: the case is at version 2. Nothing was saved; load the case."


class FakeCases:
    """One case at most; exported holds the downloads, as (format, copy, version, author)."""

    def __init__(self) -> None:
        self.saved: list[SaveRequest] = []
        self.versions: list[VersionContent] = []
        self.edits: list[EditRecord] = []
        self.signature: Signature | None = None
        self.exported: list[tuple[str, str, int, str]] = []

    def save_case(self, request: SaveRequest) -> CaseView:
        self.saved.append(request)
        self.versions = [saved(request.draft)]
        return self.saved_case(CASE_ID)

    def saved_cases(
        self, limit: int = 50, offset: int = 0, state: CaseState | None = None, words: str = ""
    ) -> CasePage:
        found = [self.saved_case(CASE_ID)] if self.versions else []
        rows = [case for case in found if (state is None or case.state == state) and words in case.label]
        summaries = tuple(CaseSummary(**{f: getattr(c, f) for f in CaseSummary.model_fields}) for c in rows)
        return CasePage(total=len(rows), limit=limit, offset=offset, cases=summaries[offset : offset + limit])

    def saved_case(self, case_id: str, version: int | None = None) -> CaseView:
        if not self.versions:
            raise ApiError(f"There is no case {case_id}.")
        content, newest = self.versions[-1], len(self.versions)
        state = CaseState.SIGNED if self.signature else CaseState.DRAFT if newest == 1 else CaseState.IN_REVIEW
        return CaseView(
            id=CASE_ID, label=self.saved[0].label, state=state, version=newest, created_at=NOW, updated_at=NOW,
            newest=newest, author=self.saved[0].author, draft=draft_of_version(self._saved_draft(), content),
            sentences=content.sentences, flags=content.flags, gaps=gaps(content), edits=tuple(self.edits), versions=(),
            signature=self.signature, exports=export_formats(),
        )  # fmt: skip

    def edit_case(self, case_id: str, request: EditsRequest) -> CaseView:
        self._newest(request.version)
        evidence = self._saved_draft().evidence
        made = applied(
            self.versions[-1], request.edits, request.version, NOW, evidence, lambda version: self.versions[version - 1]
        )
        # the API numbers flags anew after an edit; here those of a deleted sentence go
        stored = [flag for flag in made.content.flags if flag.sentence is None]
        flags = identified(stored, live(made.content.sentences))
        self.versions.append(made.content.model_copy(update={"flags": flags}))
        self.edits += made.records
        self.signature = None
        return self.saved_case(case_id)

    def sign_case(self, case_id: str, request: SignatureRequest) -> CaseView:
        self._newest(request.version)
        view = self.saved_case(case_id)
        answered = {one.flag for one in request.acknowledgements}
        open_flags = tuple(f for f in view.flags if f.severity == Severity.SEVERE and f.id not in answered)
        if open_flags or view.gaps:
            raise SignatureRefusedError("This version cannot be signed yet.", open_flags, view.gaps)
        self.signature = Signature(**request.model_dump(), at=NOW)
        return self.saved_case(case_id)

    def export_case(self, case_id: str, file_format: str, copy: str, version: int, author: str) -> bytes:
        self.exported.append((file_format, copy, version, author))
        return b"a file"

    def case_audit(self, case_id: str) -> tuple[AuditEntry, ...]:
        return (AuditEntry(id="1", at=NOW, actor="Dr Ames", action="create", case_id=case_id, version=1),)

    def delete_case(self, case_id: str, author: str) -> None:
        self.versions, self.edits, self.signature = [], [], None

    def _saved_draft(self) -> Draft:
        return self.saved[0].draft

    def _newest(self, version: int) -> None:
        newest = len(self.versions)
        if version < newest:
            raise StaleError(STALE, newest, tuple(edit for edit in self.edits if edit.version > version))
