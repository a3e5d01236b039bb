"""The page's client of a coordinator's routes of studies: one method a route.

Every method raises ApiError; RefusedError where the API answered.
"""

from collections.abc import Sequence
from typing import Any, cast

from app.clients.rater_client import RaterClient
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_design import StudyCase, StudySetup
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


class StudyClient(RaterClient):
    """A coordinator's routes, and a rater's."""

    def instruments(self) -> tuple[Instrument, ...]:
        """The instruments that ship."""
        rows = cast(dict[str, Any], self._get("/instruments"))["instruments"]
        return tuple(self._value(Instrument, row) for row in rows)

    def study_templates(self) -> list[dict[str, Any]]:
        """Published study designs that fill the form."""
        return cast(list[dict[str, Any]], self._get("/study-templates"))

    def studies(self) -> tuple[StudySummary, ...]:
        """Every study, in short."""
        return tuple(self._value(StudySummary, row) for row in self._get("/studies"))

    def study(self, study_id: str) -> StudyView:
        """A study with its setup, cases and state."""
        return self._value(StudyView, self._get(f"/studies/{study_id}"))

    def new_study(self, setup: StudySetup, author: str) -> StudyView:
        """Make a study from a setup."""
        return self._value(StudyView, self._post("/studies", NewStudy(setup=setup, author=author)))

    def import_study(self, text: str, author: str) -> StudyView:
        """Make a study from the JSONL text of an export."""
        sent = self._send("POST", "/study-imports", content=text.encode(), params={"author": author})
        return self._value(StudyView, self._json(sent))

    def change_study(self, study_id: str, setup: StudySetup, version: int, author: str) -> StudyView:
        """Change the setup of a study that is not frozen. version: the one that was shown."""
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
        """Add cases to a study.

        Args:
            study_id: the study.
            cases: new cases with their texts.
            demonstration: names of demonstration cases.
            author: who adds them, for the trail.
            saved: ids of saved cases, whose notes are copied.

        Returns:
            The study as it is now.
        """
        body = CasesRequest(cases=tuple(cases), demonstration=tuple(demonstration), saved=tuple(saved), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/cases", body))

    def upload_drafts(self, study_id: str, drafts: Sequence[UploadedDraft], author: str) -> StudyView:
        """Add drafts that were made elsewhere."""
        body = UploadRequest(drafts=tuple(drafts), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/drafts", body))

    def generate(self, study_id: str, author: str, retry_failed: bool = False) -> StudyProgress:
        """Write the missing drafts, and with retry_failed the failed ones again."""
        body = {"author": author, "retry_failed": retry_failed}
        return self._value(StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/generation", json=body)))

    def stop_generation(self, study_id: str) -> StudyProgress:
        """Stop after the draft in progress."""
        return self._value(StudyProgress, self._json(self._send("DELETE", f"/studies/{study_id}/generation")))

    def leaks(self, study_id: str) -> LeakReport:
        """What could reveal the arms to raters, and what was removed from each arm."""
        return self._value(LeakReport, self._get(f"/studies/{study_id}/leaks"))

    def freeze(self, study_id: str, request: FreezeRequest) -> StudyView:
        """Freeze a study with its analysis plan."""
        return self._value(StudyView, self._post(f"/studies/{study_id}/freeze", request))

    def rater_links(self, study_id: str) -> tuple[LinkView, ...]:
        """The personal links of a study, without their tokens."""
        return tuple(self._value(LinkView, row) for row in self._get(f"/studies/{study_id}/links"))

    def invite(self, study_id: str, rater: str, label: str, author: str) -> GivenLink:
        """Make a personal link for a rater's place; its token is shown only in this answer."""
        body = InviteRequest(rater=rater, label=label, author=author)
        return self._value(GivenLink, self._post(f"/studies/{study_id}/links", body))

    def withdraw(self, study_id: str, link_id: str, author: str) -> LinkView:
        """Withdraw a personal link."""
        sent = self._send("DELETE", f"/studies/{study_id}/links/{link_id}", params={"author": author})
        return self._value(LinkView, self._json(sent))

    def progress(self, study_id: str) -> StudyProgress:
        """Drafts written and ratings given so far."""
        return self._value(StudyProgress, self._get(f"/studies/{study_id}/progress"))

    def close(self, study_id: str, author: str) -> StudyView:
        """Close a study: no more ratings are accepted."""
        sent = self._send("POST", f"/studies/{study_id}/close", json={"author": author})
        return self._value(StudyView, self._json(sent))

    def unlock(self, study_id: str, author: str, reason: str) -> StudyView:
        """Show which arm is which, with a recorded reason."""
        sent = self._send("POST", f"/studies/{study_id}/unlock", json={"author": author, "reason": reason})
        return self._value(StudyView, self._json(sent))

    def adjudicate(self, study_id: str, items: int, author: str) -> StudyProgress:
        """Make a place for a third rater on the items with most disagreement."""
        body = {"items": items, "author": author}
        return self._value(
            StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/adjudication", json=body))
        )

    def analysis(self, study_id: str) -> Analysis:
        """The analysis of a study; takes up to ANALYSIS_S seconds."""
        return self._value(Analysis, self._json(self._send("GET", f"/studies/{study_id}/analysis", timeout=ANALYSIS_S)))

    def charts(self, study_id: str) -> list[dict[str, Any]]:
        """Plotly figures of the analysis."""
        sent = self._send("GET", f"/studies/{study_id}/analysis/charts", timeout=ANALYSIS_S)
        return cast(list[dict[str, Any]], self._json(sent))

    def judges(self, study_id: str) -> tuple[JudgeView, ...]:
        """The judge models whose scores were uploaded."""
        return tuple(self._value(JudgeView, row) for row in self._get(f"/studies/{study_id}/judges"))

    def add_judge(self, study_id: str, request: JudgeRequest) -> tuple[JudgeView, ...]:
        """Add the scores of a judge model."""
        return tuple(self._value(JudgeView, row) for row in self._post(f"/studies/{study_id}/judges", request))

    def cases_needed(self, difference: float, sd: float) -> CasesNeeded:
        """The number of cases for a power of 0.8. difference, sd: in points of the scale."""
        return self._value(CasesNeeded, self._get("/study-power", difference=difference, sd=sd))

    def report(self, study_id: str, file_format: str, author: str) -> bytes:
        """The bytes of a report."""
        path = f"/studies/{study_id}/reports/{file_format}"
        return self._send("GET", path, params={"author": author}, timeout=ANALYSIS_S).content

    def export(self, study_id: str, file_format: str, author: str) -> bytes:
        """The bytes of an export."""
        return self._send("GET", f"/studies/{study_id}/exports/{file_format}", params={"author": author}).content

    def trail(self, study_id: str) -> tuple[StudyEvent, ...]:
        """The study's audit trail."""
        return tuple(self._value(StudyEvent, row) for row in self._get(f"/studies/{study_id}/audit"))
