"""The page's client of a coordinator's routes of studies: one method a route."""

from collections.abc import Sequence
from typing import Any, cast

from app.clients.rater_client import RaterClient
from backend.schemas.studies.study import StudyCase, StudySetup
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_instrument import Instrument
from backend.schemas.studies.study_judge import CasesNeeded, JudgeRequest, JudgeView
from backend.schemas.studies.study_rating import StudyEvent
from backend.schemas.studies.study_views import (
    CasesRequest,
    FreezeRequest,
    GivenLink,
    InviteRequest,
    LeakReport,
    LinkView,
    NewStudy,
    SetupChange,
    StudyProgress,
    StudySummary,
    StudyView,
    UploadedDraft,
    UploadRequest,
)

ANALYSIS_S = 600.0  # the whole analysis of a large study, bootstrap and models


class ApiStudyClient(RaterClient):
    """A coordinator's routes over HTTP, and a rater's."""

    def instruments(self) -> tuple[Instrument, ...]:
        rows = cast(dict[str, Any], self._get("/instruments"))["instruments"]
        return tuple(self._value(Instrument, row) for row in rows)

    def study_templates(self) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._get("/study-templates"))

    def studies(self) -> tuple[StudySummary, ...]:
        return tuple(self._value(StudySummary, row) for row in self._get("/studies"))

    def study(self, study_id: str) -> StudyView:
        return self._value(StudyView, self._get(f"/studies/{study_id}"))

    def new_study(self, setup: StudySetup, author: str) -> StudyView:
        return self._value(StudyView, self._post("/studies", NewStudy(setup=setup, author=author)))

    def import_study(self, text: str, author: str) -> StudyView:
        sent = self._send("POST", "/study-imports", content=text.encode(), params={"author": author})
        return self._value(StudyView, self._json(sent))

    def change_study(self, study_id: str, setup: StudySetup, version: int, author: str) -> StudyView:
        body = SetupChange(setup=setup, version=version, author=author).model_dump(mode="json")
        return self._value(StudyView, self._json(self._send("PUT", f"/studies/{study_id}/setup", json=body)))

    def add_cases(
        self,
        study_id: str,
        cases: Sequence[StudyCase],
        demonstration: Sequence[str],
        author: str,
        saved: Sequence[str] = (),
    ) -> StudyView:
        """demonstration: names. saved: ids of saved cases."""
        body = CasesRequest(cases=tuple(cases), demonstration=tuple(demonstration), saved=tuple(saved), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/cases", body))

    def upload_drafts(self, study_id: str, drafts: Sequence[UploadedDraft], author: str) -> StudyView:
        body = UploadRequest(drafts=tuple(drafts), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/drafts", body))

    def generate(self, study_id: str, author: str, retry_failed: bool = False) -> StudyProgress:
        body = {"author": author, "retry_failed": retry_failed}
        return self._value(StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/generation", json=body)))

    def stop_generation(self, study_id: str) -> StudyProgress:
        return self._value(StudyProgress, self._json(self._send("DELETE", f"/studies/{study_id}/generation")))

    def leaks(self, study_id: str) -> LeakReport:
        return self._value(LeakReport, self._get(f"/studies/{study_id}/leaks"))

    def freeze(self, study_id: str, request: FreezeRequest) -> StudyView:
        return self._value(StudyView, self._post(f"/studies/{study_id}/freeze", request))

    def rater_links(self, study_id: str) -> tuple[LinkView, ...]:
        return tuple(self._value(LinkView, row) for row in self._get(f"/studies/{study_id}/links"))

    def invite(self, study_id: str, rater: str, label: str, author: str) -> GivenLink:
        body = InviteRequest(rater=rater, label=label, author=author)
        return self._value(GivenLink, self._post(f"/studies/{study_id}/links", body))

    def withdraw(self, study_id: str, link_id: str, author: str) -> LinkView:
        sent = self._send("DELETE", f"/studies/{study_id}/links/{link_id}", params={"author": author})
        return self._value(LinkView, self._json(sent))

    def progress(self, study_id: str) -> StudyProgress:
        return self._value(StudyProgress, self._get(f"/studies/{study_id}/progress"))

    def close(self, study_id: str, author: str) -> StudyView:
        sent = self._send("POST", f"/studies/{study_id}/close", json={"author": author})
        return self._value(StudyView, self._json(sent))

    def unlock(self, study_id: str, author: str, reason: str) -> StudyView:
        sent = self._send("POST", f"/studies/{study_id}/unlock", json={"author": author, "reason": reason})
        return self._value(StudyView, self._json(sent))

    def adjudicate(self, study_id: str, items: int, author: str) -> StudyProgress:
        body = {"items": items, "author": author}
        return self._value(
            StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/adjudication", json=body))
        )

    def analysis(self, study_id: str) -> Analysis:
        return self._value(Analysis, self._json(self._send("GET", f"/studies/{study_id}/analysis", timeout=ANALYSIS_S)))

    def charts(self, study_id: str) -> list[dict[str, Any]]:
        """Plotly figures of the analysis."""
        sent = self._send("GET", f"/studies/{study_id}/analysis/charts", timeout=ANALYSIS_S)
        return cast(list[dict[str, Any]], self._json(sent))

    def judges(self, study_id: str) -> tuple[JudgeView, ...]:
        return tuple(self._value(JudgeView, row) for row in self._get(f"/studies/{study_id}/judges"))

    def add_judge(self, study_id: str, request: JudgeRequest) -> tuple[JudgeView, ...]:
        return tuple(self._value(JudgeView, row) for row in self._post(f"/studies/{study_id}/judges", request))

    def cases_needed(self, difference: float, sd: float) -> CasesNeeded:
        return self._value(CasesNeeded, self._get("/study-power", difference=difference, sd=sd))

    def report(self, study_id: str, file_format: str, author: str) -> bytes:
        path = f"/studies/{study_id}/reports/{file_format}"
        return self._send("GET", path, params={"author": author}, timeout=ANALYSIS_S).content

    def export(self, study_id: str, file_format: str, author: str) -> bytes:
        return self._send("GET", f"/studies/{study_id}/exports/{file_format}", params={"author": author}).content

    def trail(self, study_id: str) -> tuple[StudyEvent, ...]:
        return tuple(self._value(StudyEvent, row) for row in self._get(f"/studies/{study_id}/audit"))
