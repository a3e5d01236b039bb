"""Short forms that are words or titles elsewhere, over the starter vocabulary."""

import pytest

from tests.linking.fresh import linker


def named(text: str) -> list[str]:
    return [mention.text for mention in linker().link(text).note.mentions]


@pytest.mark.parametrize("text", ["Mrs. Ortega has gout.", "mrs smith has gout.", "MRS JONES HAS GOUT."])
def test_a_title_is_no_scale(text: str) -> None:
    assert [said.lower() for said in named(text)] == ["gout"]


@pytest.mark.parametrize("text", ["Stroke, NIHSS 4, mRS 2 at baseline.", "Premorbid mRS 1, thrombectomy done."])
def test_a_scale_of_disability_is_read_beside_what_it_measures(text: str) -> None:
    assert "mRS" in named(text)
