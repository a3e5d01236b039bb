"""Write the discharge instructions of a synthetic patient: why, what was done, medicines, advice, warnings, visits."""

import re

from backend.training.synthetic.scenario_library import Change, Library, Pools
from backend.training.synthetic.synthetic_note import listing
from backend.training.synthetic.synthetic_patient import Patient, Voice, capital

_LAYOUTS = ("paragraphs", "paragraphs", "headings", "one block")
_ENOUGH_WORDS = 170  # from here on comorbidities add nothing more


def write_letter(library: Library, patient: Patient, voice: Voice) -> str:
    """The letter's text in one of the layouts. The scenario speaks first, comorbidities while it is not long."""
    texts, own, rng = library.frames.texts, patient.scenario.instructions, voice.rng
    others = [item.instructions for item in patient.comorbidities]
    rng.shuffle(others)
    why, course = voice.say_all(own.why, letter=True), voice.say_all(own.course, letter=True)
    changes = [text for change in own.changes if (text := _change(change, voice, texts))]
    medicines, advice = voice.say_all(own.medicines, letter=True), voice.say_all(own.advice, letter=True)
    follow_up = voice.say_all(own.follow_up, letter=True)
    warnings = voice.some(own.warnings, 3, 5, letter=True)
    for letter in others:
        # What happens to a home medicine matters more than length; the rest waits for room.
        changes += [text for change in letter.changes if (text := _change(change, voice, texts))]
        written = (*why, *course, *changes, *medicines, *advice, *follow_up)
        if sum(len(text.split()) for text in written) < _ENOUGH_WORDS:
            course += voice.say_all(letter.course, letter=True)
            medicines += voice.say_all(letter.medicines, letter=True)
            advice += voice.say_all(letter.advice, letter=True)
            follow_up += voice.say_all(letter.follow_up, letter=True)
            warnings += voice.some(letter.warnings, 0, 1, letter=True)
    warning = [capital(voice.pick(texts["warning"], list=listing(dict.fromkeys(warnings), "or")))] if warnings else []
    if rng.random() < 0.7:
        follow_up.append(voice.pick(texts["primary_care"]))
    rng.shuffle(advice)
    changed = _changes(changes, voice, texts) + medicines
    return _laid_out((why, course, changed, advice, warning, follow_up), voice, texts)


def _change(change: Change, voice: Voice, texts: Pools) -> str:
    """One change as a sentence; empty if it is not said. Stopping or holding may name what is excluded."""
    block = change.what
    if voice.rng.random() >= block.p or not block.when.holds(voice.tags):
        return ""
    against = change.kind in ("stop", "hold")
    eligible = [option for option in block.options if option.when.holds(voice.tags)]
    what = (voice.pick(eligible) if eligible else "") if against else voice.one(block.options, letter=True)
    # Stopping may name what the stay forbids, but nobody takes at home what they are allergic to.
    if not what or (against and voice.excludes(what, letter=False)):
        return ""
    reasons = [option for option in change.reasons if option.when.holds(voice.tags)]
    why = f" {voice.pick(reasons)}" if reasons and voice.rng.random() < 0.85 else ""
    return capital(voice.pick(texts[change.kind], what=what, why=why))


def _changes(sentences: list[str], voice: Voice, texts: Pools) -> list[str]:
    """The sentences, or a list with an introduction, and what of the other medicines."""
    rng = voice.rng
    if not sentences:
        return [voice.pick(texts["no_changes"])] if rng.random() < 0.4 else []
    rest = [voice.pick(texts["rest_same"])] if rng.random() < 0.35 else []
    if len(sentences) > 1 and rng.random() < 0.4:
        return [voice.pick(texts["changes_intro"]) + "".join(f"\n- {text}" for text in sentences) + "\n", *rest]
    return sentences + rest


def _laid_out(parts: tuple[list[str], ...], voice: Voice, texts: Pools) -> str:
    why, course, changed, advice, warning, follow_up = parts
    layout, rng = voice.rng.choice(_LAYOUTS), voice.rng
    greeting = voice.pick(texts["greeting"])
    farewell = voice.pick(texts["farewell"]) if rng.random() < 0.7 else ""
    if layout == "headings":
        heads = ("head_why", why), ("head_course", course), ("head_next", changed + advice + follow_up + warning)
        body = [
            f"{voice.pick(texts[head])}\n" + "\n".join(f"- {text}".rstrip() for text in part)
            for head, part in heads
            if part
        ]
    elif layout == "paragraphs":
        groups = (why + course, changed, advice, follow_up + warning)
        body = [" ".join(group) for group in groups if group]
    else:
        body = [" ".join(why + course + changed + advice + warning + follow_up)]
    text = "\n\n".join(filter(None, (greeting, *body, farewell)))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"\n +", "\n", text)).replace("- - ", "- ")
