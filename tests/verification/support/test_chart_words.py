"""Plain wordings put back into the words of the cited text, and only where it has them."""

import pytest

from backend.verification.support.chart_words import as_cited


@pytest.mark.parametrize(
    ("text", "cited", "put_back"),
    [
        ("AST (a liver test) 71.", "AST 71, ALT 38.", "AST 71."),
        ("You had belly pain.", "Abdominal pain since noon.", "You had abdominal pain."),
        ("You had belly pain.", "Belly pain since noon.", "You had belly pain."),
        ("You take it three times a day.", "Ibuprofen 600 TID.", "You take it tid."),
        ("You take it three times a day.", "Ibuprofen 600 once daily.", "You take it three times a day."),
        (
            "Please ask for a visit if there is no improvement.",
            "Review INB.",
            "Please ask for a Review INB.",
        ),
        (
            "Please ask for a visit if there is no improvement.",
            "Home today.",
            "Please ask for a visit if there is no improvement.",
        ),
    ],
)
def test_plain_words_are_put_back_where_the_written_ones_are_cited(text: str, cited: str, put_back: str) -> None:
    assert as_cited(text, [cited]).lower() == put_back.lower()


def test_lay_words_are_put_back_the_longest_first() -> None:
    text = "You had pain in the lower right belly and kidney stones."
    cited = ["Right lower quadrant\npain.", "Nephrolithiasis."]
    assert as_cited(text, cited).lower() == "you had right lower quadrant pain and nephrolithiasis."
