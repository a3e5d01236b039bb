"""Whether a sentence of running text may tell an allergy at all, so that most sentences cost no reading.

Takes a text; answers for its sentences. It reads nothing: allergies does.
"""


class Cues:
    """The cues that one text holds; most texts hold few, and only those are looked for in its sentences."""

    def __init__(self, text: str) -> None:
        whole = text.lower()
        self._plain = [cue for cue in _CUES if cue in whole]
        self._faint = [cue for cue in _FAINT_CUES if cue in whole]

    def told(self, sentence: str, names_allergen: bool) -> bool:
        """Whether to read a sentence. names_allergen: it holds the name of something one can react to."""
        lowered = sentence.lower()
        return any(cue in lowered for cue in self._plain) or (
            names_allergen and any(cue in lowered for cue in self._faint)
        )


_CUES = (
    "allerg", "nkda", "nka", "nkfa", "n.k.", "intoleran", "tolerat", "sensitiv", "anaphyla", "hives", "rash", "angio",
    "urticaria", "swell", "itch", "cannot take", "can't take", "cant ", "unable to take", "react", "nkma", "side effect", "cannot have",
    "can't have", "avoid", "broke out", "not be given", "red man", "not have", "not receive", "spasm", "wheez", "blister", "flush", "dystoni",
    "stevens", "exanthem", "welts", "throat", "made h", "makes h", "gave h", "gives h", "made p", "makes p",
)  # fmt: skip
# Words that tell an allergy only beside the name of something one can react to.
_FAINT_CUES = (
    "agree", "with h", " all", "sick", "=", "->", "\u2192", "cough", "stomach", "belly", "gut", "skin", "jaw", "lips", "tongue", "again", "trouble",
    "problem", "breath", "passed out", "shock", "contraindicated", "bracelet", "sticker", "alert", "nausea", "poorly", "badly", "not do well", "because",
    "turned", "left h", "sent h", "drove h", "knocked", "kill", "same", "not be used", "not to", "instead", "in place", "rather than", "eruption", "stopped",
    "fail", "completed only", "took only", "got only", "puff", "welt", "hit ", "vomit", "never", "rxn", "adverse", "bad ", "effect", "induced", "(", " - ", "owing",
    "d/t", "due to", "positive",
)  # fmt: skip
