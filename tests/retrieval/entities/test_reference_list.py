"""The reference list: what counts as the same, the order, the style."""

from typing import Any

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.entities.reference_list import SAME_TEXT, reference_list, styled, without_duplicates
from backend.schemas.drafts.evidence import GraphItem, Passage, Reference
from backend.schemas.vocabulary import Source

LONG = (
    "Call the clinic when you gain more than 1 kg in a day, when your legs swell, when you wake up short of breath, or when "
    "you need more pillows to sleep. Weigh yourself each morning before breakfast and write it down for the visit."
)


def passage(number: int, text: str, title: str = "Heart failure: Warning signs", **fields: Any) -> Passage:
    return Passage(
        id=f"P{number}",
        source=Source(fields.pop("source", "book")),
        document_id=fields.pop("document", f"d{number}"),
        title=title,
        text=text,
        start_char=0,
        end_char=len(text),
        **fields,
    )


def kept(linker: DictionaryLinker, *passages: Passage) -> list[str]:
    found = without_duplicates(passages, linker)
    assert found.dropped == len(passages) - len(found.passages)
    return [p.id for p in found.passages]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (LONG, "Heart failure: Warning signs"),
        (LONG.upper().replace(",", " -"), "heart failure - warning signs"),  # case, marks and spacing
        (LONG.replace("each morning", "every morning"), "Heart failure"),  # a word of 40, under a shorter title
    ],
)
def test_the_same_text_again_is_left_out_and_the_first_stays(
    tiny_linker: DictionaryLinker, text: str, title: str
) -> None:
    first, again = passage(1, LONG), passage(2, text, title)
    assert kept(tiny_linker, first, again) == ["P1"]
    assert kept(tiny_linker, again, first) == ["P2"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (LONG.replace("1 kg", "2 kg"), "Heart failure: Warning signs"),  # a number
        (LONG.replace("when your legs swell", "when your legs do not swell"), "Heart failure: Warning signs"),
        (LONG.replace("gain more", "gain less"), "Heart failure: Warning signs"),
        (LONG.replace("short of breath", "in chest pain"), "Heart failure: Warning signs"),  # another concept
        (LONG, "Pneumonia: Activity"),  # what holds of one page may be said of another thing on another
        (LONG.split(". ", maxsplit=1)[0], "Heart failure: Warning signs"),  # half of it
    ],
)
def test_a_text_that_says_another_thing_stays_however_alike(
    tiny_linker: DictionaryLinker, text: str, title: str
) -> None:
    assert kept(tiny_linker, passage(1, LONG), passage(2, text, title)) == ["P1", "P2"]


def test_nothing_has_no_duplicates(tiny_linker: DictionaryLinker) -> None:
    assert kept(tiny_linker) == []
    assert 0 < SAME_TEXT <= 100


def test_a_reference_is_a_document_in_the_order_of_its_best_passage_and_the_graph_comes_last() -> None:
    passages = [
        passage(1, "x", "Gout: Diet", document="gout", section="Diet", licence="CC0"),
        passage(2, "y", "Sodium", document="na", source="wiki", url="https://x.test/na"),
        passage(3, "z", "Gout: Tests", document="gout", section="Tests", licence="CC0"),
    ]
    graph = [GraphItem(id="G1", concept_id="a", text="A."), GraphItem(id="G2", concept_id="a", text="B.")]
    listed = reference_list(passages, graph, "Starter graph", "CC0")
    assert [(r.number, r.title, r.evidence) for r in listed] == [
        (1, "Gout", ("P1", "P3")),
        (2, "Sodium", ("P2",)),
        (3, "Starter graph", ("G1", "G2")),
    ]
    assert reference_list(passages, [], "Starter graph") == listed[:2]
    assert reference_list([], [], "Starter graph") == ()


def test_the_style_gives_title_kind_licence_and_address_and_leaves_out_what_is_not_known() -> None:
    whole = Reference(number=2, title="Sodium.", source=Source.WIKI, url="https://x.test/na", licence="CC BY-SA 4.0")
    assert styled(whole) == (
        "2. Sodium [online encyclopaedia]. Licence: CC BY-SA 4.0. Available from: https://x.test/na"
    )
    assert styled(Reference(number=1, title="Gout", source=Source.BOOK)) == "1. Gout [book]."
