"""The report as a PDF: figures as lines and words, however many rows they have."""

from io import BytesIO

from pypdf import PdfReader

from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.study.reporting.report import Report
from backend.study.reporting.report_pdf import as_pdf
from backend.study.statistics.score_figures import Figure, forest


def report(*figures: Figure) -> Report:
    return Report("A study", ("Not an evaluation",), "Study 1, sha256 2", ("Methods text.",), (), figures, ())


def rows(count: int) -> list[tuple[str, Estimate]]:
    whole = Estimate(value=0.5, low=0.25, high=0.75, method=IntervalMethod.BOOTSTRAP)
    return [(f"question {n}: Ärzte", whole) for n in range(count)]


def test_the_words_of_a_figure_are_text_on_its_page() -> None:
    pages = PdfReader(BytesIO(as_pdf(report(forest("Differences", "points", rows(3)))))).pages
    (page,) = [page for page in pages if "Differences" in page.extract_text()]
    assert "question 2: Ärzte" in page.extract_text()
    assert not page.images


def test_a_figure_higher_than_a_page_is_made_to_fit() -> None:
    pages = PdfReader(BytesIO(as_pdf(report(forest("Differences", "points", rows(70)))))).pages
    (page,) = [page for page in pages if "Differences" in page.extract_text()]
    assert {f"question {n}: Ärzte" for n in (0, 69)} <= set(page.extract_text().split("\n"))


def test_each_page_says_which_study_it_is_of() -> None:
    for page in PdfReader(BytesIO(as_pdf(report(*[forest("F", "x", rows(9))] * 4)))).pages:
        assert "Study 1, sha256 2. Not an evaluation" in page.extract_text()
