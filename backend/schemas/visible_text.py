"""Names from outside without characters that nobody sees: they turn the reading order round, or hide one name in another."""

# bidirectional marks, embeddings, overrides and isolates; zero-width characters; invisible operators and tags
HIDDEN = dict.fromkeys(
    (
        *(0x061C, 0x200E, 0x200F, 0xFEFF),
        *range(0x200B, 0x200E),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2065),
        *range(0x2066, 0x206A),
        *range(0xE0000, 0xE0080),
    )
)


def visible(text: str) -> str:
    """The text without bidirectional controls and zero-width characters; every other character stays."""
    return text if text.isascii() else text.translate(HIDDEN)
