"""What Leapnote is and what it is not, and how its marks are read."""

import streamlit as st

TEXT = """
Leapnote helps a clinician write from a pre-admission note: discharge instructions, a progress note, or an answer to a
question. It lays open what every sentence rests on, so that it can be checked before anyone uses it.

## What it is not

- **It is no medical device and gives no diagnosis.** Conditions that fit the findings are candidates to confirm or rule out.
- **It does not know the stay.** What only the ward can know stays a visible gap: “[team to complete: …]”.
- **It tells no patient to start, stop or dose a medicine** unless the patient's own notes say so.
- **Its knowledge as shipped is a starter:** written for this project, not reviewed by a clinician, not a guideline, adults only.
- **“No conflict found among N checked” is not “safe”.** It speaks of what was compared; the tab *Checks* lists that.

## How to read the marks

| mark | it means |
|---|---|
| ● stated in the cited text | the words that the sentence cites say the same. It does not say that the sentence is correct |
| ◐ partly | the cited text supports a part of it |
| ○ not found | the cited text does not support it: check it, or remove it |
| – not scored | it was not compared, with the reason |
| possible: confirm | it rests on a condition that nobody has confirmed yet |
| general: check that it fits this patient | general knowledge, not from this note |
| dashed line, “leap” | a step of a path that is no edge of the graph: a search hint, which supports no sentence |
| ▶ chosen | in the tab *Policy*: the semantic group that the policy chose at a step, among those it could |
| ◇ citation proposed by the program | a model wrote the sentence without a citation, and the program looked for one: check that it supports the sentence |
| ▂ ▅ █ uncertainty low, moderate, high | how far further samples of the model say otherwise, 0 to 1, in thirds. Samples that agree may all be wrong |
| ↻ reworded by a repair | the model was asked once more, since nothing cited supported the sentence; the earlier wording stands under it |
| ✂ removed | a repair took the sentence out; the list is below the draft |
| K1, G1, P1, N1 | a reasoning path, a graph fact, a passage, a piece of the patient's own notes |

In the note, a letter and an underline name the semantic group. A word after a mention says what the note says of it:
*no* (negated, struck through), *past* (history, dotted), *family*, *?* (uncertain), *if* (hypothetical), and a box for
what the patient reacts to.

## By keyboard

Tab and Shift+Tab move, Enter or Space chooses, arrow keys switch the tabs of the evidence and the steps of
the policy, Escape closes a concept or clears a choice.

## With and without a language model

The line above says who writes and where the text goes: before a draft as it is set, afterwards as it was. Without a model
the composer writes sentences from the evidence. With one, *Writer* on the screen *Write* chooses between the two for the
next draft. A model that breaks off costs the sentence it broke in: what it wrote stays and is marked, *Try again* asks the
same once more, and the composer can write in its place. What a model is asked stands on the screen *Settings*, word for word.

## Where the text goes

The note stays in this tab and in the programs on this machine. The page's memory holds what a tab held for half an hour
after it was last used, so that a reload loses nothing; logging out ends that. Nothing is sent to another machine except to the
addresses in the settings: ⌂ says that the text stays, ↗ that it goes to a server, and to which. A model that plans or
judges may have an address of its own; the line names it too. Logs hold counts and timings, never a note's text.
"""


def screen() -> None:
    """Draw the page."""
    st.title("About Leapnote")
    with st.container(key="prose"):
        st.markdown(TEXT)


screen()
