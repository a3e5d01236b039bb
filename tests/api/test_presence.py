from backend.api.presence import GONE_S, MOST_LETTERS, OpenLetters
from backend.review.editing.letter_edits import NOT_GIVEN


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_two_people_in_one_letter_see_each_other_and_where() -> None:
    clock = Hands()
    letters = OpenLetters(clock)
    assert letters.seen("a", "Ada", "S3") == ()
    clock.now += 5
    (ada,) = letters.seen("a", "Ben")
    assert (ada.name, ada.sentence, ada.seen_s) == ("Ada", "S3", 5.0)
    assert [one.name for one in letters.seen("a", "Ada")] == ["Ben"]
    assert letters.seen("b", "Cem") == ()


def test_whoever_was_not_heard_of_for_a_while_is_gone() -> None:
    clock = Hands()
    letters = OpenLetters(clock)
    letters.seen("a", "Ada")
    clock.now += GONE_S
    assert [one.name for one in letters.seen("a", "Ben")] == ["Ada"]
    clock.now += 0.1
    assert letters.seen("a", "Ben") == ()


def test_what_is_held_has_an_end() -> None:
    letters = OpenLetters(Hands())
    for number in range(MOST_LETTERS + 1):
        letters.seen(str(number), "Ada")
    assert letters.seen("0", "Ben") == ()
    assert [one.name for one in letters.seen(str(MOST_LETTERS), "Ben")] == ["Ada"]


def test_two_who_gave_no_name_see_each_other_and_nobody_sees_their_own_windows() -> None:
    clock = Hands()
    letters = OpenLetters(clock)
    letters.seen("a", NOT_GIVEN, "S1", window="w1")
    assert [(one.name, one.sentence) for one in letters.seen("a", NOT_GIVEN, window="w2")] == [(NOT_GIVEN, "S1")]
    # the one of w1 now gives a name, and opens the letter in a second window
    assert [one.name for one in letters.seen("a", "Ada", window="w1")] == [NOT_GIVEN]
    assert [one.name for one in letters.seen("a", "Ada", window="w3")] == [NOT_GIVEN]
    assert [one.name for one in letters.seen("a", NOT_GIVEN, window="w2")] == ["Ada"]
