"""Every wording of a frequency is one code and one number of times a day."""

import pytest

from backend.nlp.measures.timing import frequencies_in, per_day, timing_code

WORDINGS = [
    ("QD", 1, ["QD", "q.d.", "OD", "daily", "once daily", "once a day", "a day", "per day", "every day"]),
    ("BID", 2, ["BID", "b.i.d.", "BD", "twice daily", "twice a day", "two times a day", "2x daily", "morning and evening", "q.a.m. and q.h.s."]),
    ("TID", 3, ["TID", "t.i.d.", "TDS", "three times a day", "3 times daily", "3x a day"]),
    ("QID", 4, ["QID", "q.i.d.", "QDS", "four times daily", "4 times a day", "4 times per day"]),
    ("HS", 1, ["HS", "q.h.s.", "nocte", "nightly", "at bedtime", "every night", "at night"]),
    ("QAM", 1, ["q.a.m.", "mane", "every morning", "in the morning"]),
    ("Q8H", 3, ["q8h", "q.8h.", "q 8 h", "every 8 hours", "every eight hours", "8 hourly", "q.8"]),
    ("Q6-8H", 4, ["q6-8h", "q.6-8h.", "every 6 to 8 hours", "every 6-8 hours"]),
    ("QOD", 0.5, ["QOD", "q.o.d.", "every other day", "on alternate days"]),
    ("QW", 1 / 7, ["once a week", "weekly", "every week", "on Mondays", "every Sunday", "once a week on Mondays"]),
    ("BIW", 2 / 7, ["twice a week", "twice weekly", "Monday and Thursday"]),
    ("Q72H", 1 / 3, ["every 72 hours", "q72h"]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "times", "wording"), [(c, t, w) for c, t, words in WORDINGS for w in words])
def test_a_wording_is_a_code_and_times_a_day(code: str, times: float, wording: str) -> None:
    assert timing_code(wording) == code
    assert per_day(wording) == pytest.approx(times, abs=1e-4)


@pytest.mark.parametrize(
    "text", ["stopped a week ago", "last night", "for 3 days", "in 2019", "the other day", "within 6 hours"]
)
def test_what_is_no_frequency_is_none(text: str) -> None:
    assert timing_code(text) == ""


def test_words_that_need_a_dose_state_no_frequency_of_a_sentence() -> None:
    assert frequencies_in("She woke in the morning on Monday.")[0] == frozenset()
    names, left = frequencies_in("5 mg BID for pain")
    assert names == {"twice a day"} and left == "5 mg     for pain"
