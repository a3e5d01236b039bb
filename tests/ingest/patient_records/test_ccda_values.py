"""Values of C-CDA entries: words with their reference into the narrative, times, amounts."""

import pytest

from backend.ingest.documents.safe_xml import Element, parsed
from backend.ingest.patient_records import ccda_values as values


def element(text: str) -> Element:
    found = parsed(text.encode())
    assert found is not None
    return found


NARRATIVE = {"p1": element("<td>gout of\n the toe</td>")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<code displayName='Gout'/>", "Gout"),
        ("<code><originalText><reference value='#p1'/></originalText></code>", "gout of the toe"),
        ("<code><originalText>own words<reference value='#none'/></originalText></code>", "own words"),
        ("<code><translation displayName='Podagra'/></code>", "Podagra"),
        ("<code/>", ""),
    ],
)
def test_a_coded_element_says_its_display_else_the_words_it_refers_to(text: str, words: str) -> None:
    assert values.words_of(element(text), NARRATIVE) == words


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("20300102", "2030-01-02"),
        ("203001021530+0000", "2030-01-02"),
        ("203001", "2030-01"),
        ("2030", "2030"),
        ("20", ""),
    ],
)
def test_a_time_is_as_exact_as_it_is_given(value: str, day: str) -> None:
    assert values.day(element(f"<t value='{value}'/>")) == day


def test_an_entry_begins_and_may_have_ended() -> None:
    whole = element("<o><effectiveTime><low value='2010'/><high value='2011'/></effectiveTime></o>")
    moment = element("<o><effectiveTime value='20100203'/></o>")
    assert (values.low_day(whole), values.has_ended(whole)) == ("2010", True)
    assert (values.low_day(moment), values.has_ended(moment)) == ("2010-02-03", False)
    assert (values.low_day(None), values.day(None)) == ("", "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<value value='5' unit='mg'/>", (5.0, "5", "mg")),
        ("<value value='5' unit='1'/>", (5.0, "5", "")),
        ("<value><high value='5' unit='mg'/></value>", (None, "<5", "mg")),
        ("<value><low value='5' unit='mg'/></value>", (None, ">5", "mg")),
        ("<value><low value='5' unit='mg'/><high value='7' unit='mg'/></value>", (None, "5-7", "mg")),
        ("<value displayName='positive'/>", (None, "positive", "")),
        ("<value>some\n words</value>", (None, "some words", "")),
        ("<value value='five'/>", (None, "", "")),
    ],
)
def test_an_observation_is_a_number_a_range_or_words(text: str, found: tuple[float | None, str, str]) -> None:
    assert values.measured(element(text), {}) == found


def test_codes_are_the_element_s_and_its_translations_and_a_path_may_end() -> None:
    one = element("<value code='a'><translation code='b'/><translation/></value>")
    assert values.codes_of(one) == ["a", "b"]
    assert values.codes_of(None) == []
    assert values.path(one, "translation") is not None
    assert values.path(one, "translation", "none", "more") is None
    assert values.negated(element("<o negationInd='true'/>")) and not values.negated(one)


@pytest.mark.parametrize(
    ("times", "code"),
    [
        ("<effectiveTime><period value='12' unit='h'/></effectiveTime>", "Q12H"),
        ("<effectiveTime institutionSpecified='true'><period value='12' unit='h'/></effectiveTime>", "BID"),
        ("<effectiveTime value='20300102'/>", "ONCE"),
        ("<effectiveTime><low value='2030'/></effectiveTime>", ""),
        ("", ""),
    ],
)
def test_how_often_is_told_by_a_period_or_one_moment(times: str, code: str) -> None:
    assert values.timing(element(f"<s>{times}</s>")).code == code
