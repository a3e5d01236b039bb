"""Clauses of safety rows: a closed vocabulary, and the words in which a reader is told them."""

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import (
    AlsoClause,
    ConceptNames,
    DoseClause,
    DoseUnit,
    Held,
    HeldClause,
    PastClause,
    Period,
    PersonClause,
    Route,
    RouteClause,
    SettingClause,
    SexClause,
    Stage,
    StageClause,
    TurnClause,
    ValueClause,
    condition_in_words,
    parse_clause,
    parse_clauses,
)

NAMES = ConceptNames(
    {
        "cirrhosis": ("LN:cirrhosis", "disease"),
        "pacemaker": ("LN:pacemaker", "device"),
        "ACE inhibitor": ("LN:ace", "drug_class"),
    },
    {"liver scarring": "cirrhosis"},
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("eGFR<30", ValueClause("eGFR", "<", 30)),
        ("potassium>=5.5", ValueClause("potassium", ">=", 5.5)),
        ("ejection fraction<40", ValueClause("ejection fraction", "<", 40)),
        ("CD4<200", ValueClause("CD4", "<", 200)),
        ("is:acute|severe", StageClause(frozenset({Stage.ACUTE, Stage.SEVERE}))),
        ("past counts", PastClause()),
        ("has:cirrhosis|pacemaker", HeldClause(Held.HAS, ("LN:cirrhosis", "LN:pacemaker"), ("cirrhosis", "pacemaker"))),
        ("takes:ACE inhibitor", HeldClause(Held.TAKES, ("LN:ace",), ("ACE inhibitor",))),
        ("dose>20 mg/day", DoseClause(">", 20, DoseUnit.MG, Period.DAY)),
        ("dose>=1.5 mg/kg/dose", DoseClause(">=", 1.5, DoseUnit.MG_KG, Period.DOSE)),
        ("route:oral", RouteClause(frozenset({Route.ORAL}))),
        ("sex:female", SexClause("female")),
        ("setting:inpatient", SettingClause("inpatient")),
        ("pregnant", PersonClause("pregnant")),
        ("comfort care", PersonClause("comfort care")),
        ("in turn", TurnClause()),
        ("planned counts", AlsoClause("planned")),
        ("family counts", AlsoClause("family")),
    ],
)
def test_a_clause_is_read(text: str, wanted: object) -> None:
    assert parse_clause(text, NAMES) == wanted


def test_clauses_are_set_apart_by_semicolons_and_a_dash_is_none() -> None:
    assert parse_clauses("eGFR<30; age>=65", NAMES) == (ValueClause("eGFR", "<", 30), ValueClause("age", ">=", 65))
    assert parse_clauses("-", NAMES) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("serum rhubarb<3", "'serum rhubarb' is no value"),
        ("is:dreadful", "'dreadful' is unknown"),
        ("has:gout", "'gout' is the name of no concept"),
        ("has:liver scarring", "Write 'cirrhosis'"),
        ("takes:cirrhosis", "'cirrhosis' is a disease"),
        ("has:ACE inhibitor", "Write takes:ACE inhibitor"),
        ("dose>20 pounds/day", "'pounds' is unknown"),
        ("route:telepathy", "'telepathy' is unknown"),
        ("sex:other", "is no clause"),
        ("when the moon is full", "is no clause"),
    ],
)
def test_what_is_no_clause_is_refused_with_what_to_write(text: str, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        parse_clause(text, NAMES)


def test_a_condition_is_told_in_words() -> None:
    when = parse_clauses("eGFR<30; is:severe", NAMES)
    assert condition_in_words(when, parse_clauses("has:pacemaker", NAMES)) == "eGFR<30, severe, unless with pacemaker"
    assert condition_in_words((), ()) == ""
