from backend.review.exports.copies import one_line, printable


def test_printable_text_loses_control_characters_and_what_turns_the_reading_order() -> None:
    assert printable("a\x00b\x1b[31m\u202ec\ufffe\ud800") == "ab[31mc"
    assert printable("one\r\ntwo\u2028three\tfour") == "one\ntwo\nthree four"
    assert printable("é 中 🫀 א\u200f") == "é 中 🫀 א\u200f"


def test_a_heading_is_one_line() -> None:
    assert one_line("  two\n\tlines\x07 ") == "two lines"
