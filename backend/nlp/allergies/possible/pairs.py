"""Pairs of something taken or touched and an effect close to it, with the named features that tell whether the one brought the other."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import Mark, Wording, phrases
from backend.nlp.allergies.effects import Effect, effects_of, of_use, only_explained, only_warned, unnamed_effects
from backend.nlp.allergies.persons import of_others
from backend.nlp.allergies.possible.expected import is_known, is_meant, is_price, is_treated
from backend.nlp.allergies.possible.features import AROUND, Around, features_of
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.findings.measured.values import is_measure, telling_values
from backend.schemas.vocabulary import SectionCategory

LEFT_OUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY, SectionCategory.INSTRUCTIONS))
EFFECTS = frozenset(("allergic", "changed", "side", "lesser_changed", "avoided", "linked", "measured", "stated"))
"""The kinds of effects that are asked about where the note does not answer for its allergies."""
_FAR = 30
"""Words between an agent and an effect."""
_OPENING = 5
"""Words at a sentence's beginning that tell whether it goes on about the one before it."""
_VERB = 3
"""Words between an agent and what it is said to have caused."""
_BY = frozenset(("with", "by", "on", "his", "her"))
_NAMED = 4
"""Words before an effect among which its measure is named: "her blood pressure goes up"."""
_AHEAD = 8
"""Words before a medicine that tell that it is only to be taken."""
_ENDS = frozenset((".", ";"))
_NOT = frozenset(("not", "never", "n't", "t", "avoid", "stop", "no"))
_BLAME = frozenset(("because", "causes", "ended", "avoided", "again"))
"""Kinds of words that tie an effect to a medicine, so that it was taken before."""
_LED = 2
"""Words before an agent that say that it followed from what was told."""
_STOPPED = 2
"""Words behind a pair in which its being stopped blames the agent."""
_INDICATED = 4
"""Words between "for" and what was treated."""


class Pair(NamedTuple):
    """An agent, an effect, and the features that hold of the two; known: the effect makes anybody think of such an agent."""

    agent: Agent
    effect: Effect
    features: tuple[str, ...]
    known: bool = False


class Candidate(NamedTuple):
    """A pair before its features are read; known as for a pair."""

    agent: Agent
    effect: Effect
    known: bool
    around: Around


class PairReader:
    """Gives the pairs of one note. tied: the tokens of effects that the note itself says were of an agent it lists."""

    def __init__(
        self,
        note: ParsedNote,
        wording: Wording,
        agents: Agents,
        ills: Sequence[tuple[int, int]],
        tied: Sequence[tuple[int, int]] = (),
    ) -> None:
        self._note = note
        self._wording = wording
        self._words = wording.words
        self._agents = agents
        self._marks = wording.effects
        self._relations = wording.relations
        self._ills = ills
        self._tied = tied
        self._named: dict[int, tuple[list[Agent], list[tuple[int, int]]]] = {}

    def pairs(
        self,
        kept: Callable[[Agent], bool],
        kinds: Collection[str],
        chosen: Callable[[Sequence[Candidate]], Sequence[Candidate]] | None = None,
    ) -> Iterator[Pair]:
        """The pairs of each sentence, and of each that goes on about the one before it with that one.

        Args:
            kept: whether an agent is one to ask about.
            kinds: the kinds of effects that are asked about; one that is known of its agent always is.
            chosen: of all candidates those whose features are worth reading, in order; all of them where it is None. A long list
                of medicines has thousands, of which next to none is asked about.

        Yields:
            The pairs with their features.
        """
        candidates = list(self._candidates(kept, kinds))
        for one in candidates if chosen is None else chosen(candidates):
            features = tuple(features_of(self._wording, one.agent, one.effect, one.around))
            yield Pair(one.agent, one.effect, features, one.known)

    def _candidates(self, kept: Callable[[Agent], bool], kinds: Collection[str]) -> Iterator[Candidate]:
        before: Sentence | None = None
        effects_before: list[Effect] = []
        left_out = [self._note.sections[one.section].category in LEFT_OUT for one in self._note.sentences]
        if not any(self._told(one)[0] for one, out in zip(self._note.sentences, left_out, strict=True) if not out):
            return
        for sentence, out in zip(self._note.sentences, left_out, strict=True):
            if out:
                before = None
                continue
            here = self._effects(sentence, unnamed="stated" in kinds)
            near = before if before is not None and before.section == sentence.section else None
            joined = near if near is not None and self._goes_on(sentence) else None
            effects = [*effects_before, *here] if joined else here
            if effects:
                yield from self._of(sentence, joined, effects, kept, kinds)
            if (
                near is not None and joined is None
            ):  # what is known of an agent is thought of in whatever sentence it stands
                over = self._of(sentence, near, [*effects_before, *here], kept, ())
                yield from (one for one in over if min(one.agent.first, one.effect.first) < sentence.first)
            # a sentence that only goes on about what the one before it named: "she took it for a week"
            of_it = "it" in self._words[sentence.first : sentence.last] and not self._told(sentence)[0]
            if here or near is None or not of_it:
                before, effects_before = sentence, here

    def _goes_on(self, sentence: Sentence) -> bool:
        """Whether a sentence tells on from the one before it: "Within minutes she was covered in hives", "Bactrim stopped"."""
        first, last = sentence.first, min(sentence.last, sentence.first + _OPENING)
        goes_on = any("goes_on" in phrases("relations").of(word) for word in self._words[first:last])
        return goes_on or "ended" in self._marks.kinds(first, last)

    def _effects(self, sentence: Sentence, unnamed: bool) -> list[Effect]:
        found = list(effects_of(self._words, self._marks.within(sentence.first, sentence.last)))
        if not unnamed:
            return found
        begin = bisect_left(self._ills, (sentence.first, 0))
        end = bisect_left(self._ills, (sentence.last, 0))
        return [*found, *unnamed_effects(self._wording, self._ills[begin:end], found, sentence.first, sentence.last)]

    def _told(self, sentence: Sentence | None) -> tuple[list[Agent], list[tuple[int, int]]]:
        """The agents of a sentence, and what it tells of somebody else."""
        if sentence is None:
            return [], []
        first, last = sentence.first, sentence.last
        if first not in self._named:
            agents = self._agents.among(first, last)
            self._named[first] = agents, of_others(self._wording, first, last) if agents else []
        return self._named[first]

    def _of(
        self,
        sentence: Sentence,
        before: Sentence | None,
        effects: Sequence[Effect],
        kept: Callable[[Agent], bool],
        kinds: Collection[str],
    ) -> Iterator[Candidate]:
        first = before.first if before else sentence.first
        (named_before, others_before), (named, others) = self._told(before), self._told(sentence)
        agents, others = [*named_before, *named], [*others_before, *others]
        asked = [one for one in agents if kept(one) and not self._agents.is_replacement(one, first)]
        if not asked:
            return
        marks = self._marks.within(first, sentence.last)
        around = Around(sentence, agents, sorted(one.first for one in effects), marks, {}, {})
        for agent in asked:
            if _within(agent, others) or self._choked_on(agent) or self._in_spite_of(agent):
                continue
            for effect in effects:
                apart = max(effect.first - agent.last, agent.first - effect.last)
                told_before = max(agent.first, effect.first) < sentence.first
                if told_before or not 0 <= apart <= _FAR or _within(effect, others):
                    continue
                known = self._known(agent, effect, sentence)
                if not known and (effect.kind not in kinds or self._unrelated(agent, effect, marks)):
                    continue
                left, right = min(agent.first, effect.first), max(agent.last, effect.last)
                told_of = (
                    self._given_for(agent, effect) or self._eased_by(agent, effect) or self._limited(agent, effect)
                )
                told_of = told_of or self._given_instead(agent, effect) or self._only_explained(agent, effect)
                told_of = told_of or self._is_to_come(agent, effect) or self._is_purpose(agent, effect)
                if not told_of and not only_warned(self._relations, left, right):
                    yield Candidate(agent, effect, known, around)

    def _unrelated(self, agent: Agent, effect: Effect, marks: Sequence[Mark]) -> bool:
        """Whether an infection has the effect as well and nothing blames the agent, or it is the price of a cytotoxic."""
        if effect.kind == "measured" and self._within_limits(effect):
            return True
        left, right = min(agent.last, effect.last), max(agent.first, effect.first)
        feverish = effect.kind == "side" and "feverish" in self._marks.kinds(effect.first, effect.last)
        if feverish and not self._marks.kinds(left, right) & {"because", "causes", "ended"}:
            return True
        if self._came_with(agent, effect):
            return True
        blamed = self._marks.kinds(min(agent.first, effect.first), max(agent.last, effect.last) + _STOPPED) & _BLAME
        if is_treated(self._words, agent[:2], effect) and not blamed:
            return True
        return "cytotoxic" in self._marks.held and is_price(agent[:2], effect, marks)

    def _in_spite_of(self, agent: Agent) -> bool:
        """Whether an ill went on although an agent was taken: "breathless despite furosemide"."""
        before = self._words[max(0, agent.first - _VERB) : agent.first]
        return any("despite" in phrases("relations").of(word) for word in before)

    def _only_explained(self, agent: Agent, effect: Effect) -> bool:
        """Whether a verb between an agent and an effect tells what may come, and of nobody."""
        verbs = range(agent.last, effect.first)
        return any(only_explained(self._words, agent.last, verb, effect) for verb in verbs)

    def _is_to_come(self, agent: Agent, effect: Effect) -> bool:
        """Whether a medicine is only to be taken: "I will prescribe some Mobic, and to get the swelling down"; not "will avoid it, it made her sick"."""
        if effect.kind == "avoided":
            return False
        if effect.kind == "stated" and "asks" in self._relations.kinds(effect.first, effect.last):
            return agent.first < effect.first  # "and inquired if his dose could be increased"
        near = range(agent.first - 1, max(0, agent.first - _AHEAD) - 1, -1)
        begin = next((i + 1 for i in near if self._words[i] in _ENDS), max(0, agent.first - _AHEAD))
        before = self._words[begin : agent.first]
        between = (effect.last, agent.first) if effect.first < agent.first else (agent.last, effect.last)
        ahead = [i for i, word in enumerate(before) if "ahead" in phrases("relations").of(word)]
        if not ahead or _NOT.intersection(before):
            return False
        blamed = (m for m in self._marks.within(*between) if m.kinds & _BLAME and self._words[m.first - 1] != "to")
        return not any(blamed) and "past" not in self._relations.kinds(*between)

    def _is_purpose(self, agent: Agent, effect: Effect) -> bool:
        """Whether an effect is what a medicine is for: "meloxicam to treat the swelling", or in its own name ("blood pressure tablets")."""
        if agent.first > effect.first:
            return False
        words, gap = self._words, range(agent.last, effect.first - 1)
        eases = any(words[i] == "to" and "eased" in self._marks.kinds(i + 1, i + _VERB) for i in gap)
        named = {word for word in words[agent.first : agent.last] if "vague" not in phrases("lists").of(word)}
        told = words[max(agent.last, effect.first - _NAMED) : effect.last]
        return (eases and self._marks.kinds(agent.last, effect.first).isdisjoint(_BLAME)) or (
            len(named) > 1 and named <= set(told)
        )

    def _given_instead(self, agent: Agent, effect: Effect) -> bool:
        """Whether an agent was chosen for an effect of another: "vancomycin, because of hives with Keflex", "a rash. Since then vancomycin"."""
        if agent.first > effect.first:
            led = self._words[max(effect.last, agent.first - _LED) : agent.first]
            behind = self._words[agent.last : agent.last + _LED + 1]
            ended = any(phrases("effects").of(word) & {"ended", "avoided"} for word in behind)
            return not ended and any("follows" in phrases("lists").of(word) for word in led)
        if not any(a < effect.last and effect.first < b for a, b in self._tied):
            return False
        said = [word for word in self._words[agent.last : effect.first] if word.isalpha()]
        reason = any(phrases("lists").of(word) & {"reason", "given"} for word in said)
        return reason and self._marks.kinds(agent.last, effect.first).isdisjoint(("ended", "avoided", "causes"))

    def _eased_by(self, agent: Agent, effect: Effect) -> bool:
        """Whether an effect went away by an agent: "the swelling has gone with furosemide"; not "gone on stopping lisinopril"."""
        return any(
            "eased" in mark.kinds and agent.first > mark.last and _BY.issuperset(self._words[mark.last : agent.first])
            for mark in self._marks.within(effect.last, agent.first)
        )

    def _limited(self, agent: Agent, effect: Effect) -> bool:
        """Whether what is avoided is only how or beside what it is taken: "not to take it with his warfarin"."""
        if effect.kind not in ("avoided", "stated"):
            return False
        lists = phrases("lists")
        for mark in self._marks.within(effect.first, effect.last):
            i = agent.last if 0 <= agent.first - mark.last <= 1 else mark.last
            following = [word for word in self._words[i : i + 2] if "pronoun" not in lists.of(word)]
            if "avoided" in mark.kinds and following and "limits" in phrases("relations").of(following[0]):
                return True
        return False

    def _within_limits(self, effect: Effect) -> bool:
        """Whether a value tells nothing: "BP 128/78 on losartan"."""
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        telling = any(
            starts[effect.first] <= one.start < ends[effect.last - 1] for one in self._note.once(telling_values)
        )
        return not telling and any(
            is_measure(self._note.text, starts[effect.first], ends[i]) for i in range(effect.first, effect.last - 1)
        )

    def _choked_on(self, agent: Agent) -> bool:
        """Whether something went down the wrong way: "choked on a peanut"."""
        return "choked" in self._relations.kinds(max(0, agent.first - 3), min(len(self._words), agent.last + 3))

    def _given_for(self, agent: Agent, effect: Effect) -> bool:
        """Whether an agent was given for what follows: "penicillin was given for an itchy rash"; not "stopped for a rash"."""
        words = self._words
        if agent.first > effect.first or "for" not in words[agent.last : effect.first]:
            return False
        blamed = self._marks.kinds(max(0, agent.first - 3), agent.first) & {"because"}
        eased = self._marks.kinds(effect.last, min(len(words), effect.last + 2)) & {"eased"}
        if blamed or (effect.kind == "stated" and effect.first > agent.last + 1):
            return False  # "quinine for cramps dropped her platelets"
        if words[agent.last] == "for" and effect.first > agent.last + _INDICATED:
            return words[effect.first] in words[agent.last + 1 : agent.last + 1 + _INDICATED]
        at = max(i for i in range(agent.last, effect.first) if words[i] == "for")
        if "contrasts" in self._relations.kinds(at, effect.first) or any(
            w in (",", ";", ".", "she", "he", "they", "i") or (w == ":" and not eased) for w in words[at : effect.first]
        ):
            return False  # "given Percocet for pain but became confused"
        kinds = self._marks.kinds(agent.last, at)
        return effect.first - at <= _INDICATED and not kinds & {"ended", "because", "causes", "avoided"}

    def _known(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether anybody thinks of the agent: by what such medicines do, by a verb between the two, or as they stand as one."""
        blamed = self._blamed(agent, effect) and not is_meant(self._words, agent[:2], effect)
        if blamed or is_known(self._words, agent[:2], effect):
            return not self._relations.kinds(sentence.first, effect.first) & {"hypothetical", "warning"}
        if self._ended_for(agent, effect) and not is_meant(self._words, agent[:2], effect):
            return True
        if effect.kind == "worse":
            return self._worsened(agent, effect, sentence)
        return sentence.first <= agent.first < effect.first and self._beside(agent, effect, sentence)

    def _ended_for(self, agent: Agent, effect: Effect) -> bool:
        """Whether an agent was ended for a reaction told right before it: "came out in a rash, so amoxicillin was stopped"."""
        if effect.kind != "allergic" or not 0 < agent.first - effect.last <= _LED + 1:
            return False
        led = self._words[effect.last : agent.first]
        if not any("follows" in phrases("lists").of(word) for word in led):
            return False
        return any("ended" in phrases("effects").of(word) for word in self._words[agent.last : agent.last + _LED + 1])

    def _blamed(self, agent: Agent, effect: Effect) -> bool:
        """Whether a verb right between the two says that an agent, or one in a row with it, caused an ill that the linker knows."""
        words, apart = self._words, effect.first - agent.last
        if not 0 < apart <= _VERB * 2 or (apart > _VERB and words[agent.last] not in (",", "and")):
            return False
        ill = effect.kind == "linked" or any(a < effect.first and effect.last == b for a, b in self._ills)
        return ill and "causes" in self._marks.kinds(agent.last, effect.first)

    def _worsened(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether an ill grew with what was taken: "took two and it got worse within the hour", "worse each time he takes it"."""
        first, last = min(agent.first, effect.first), max(agent.last, effect.last)
        begin = sentence.first if agent.first < effect.first else effect.last
        taken = "exposed" in self._marks.kinds(max(begin, agent.first - AROUND), agent.first)
        soon = self._relations.kinds(first, min(sentence.last, last + AROUND)) & {"soon", "habit"}
        return taken and bool(soon)

    def _beside(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether a reaction stands right behind its agent: "ceftriaxone at 0215, by 0222 hives", "albumin 2021 - rigors", "nickel rash"."""
        words, strong = self._words, effect.kind in ("allergic", "changed")
        gap = words[agent.last : effect.first]
        if strong and any(word == "by" and after[:1].isdigit() for word, after in pairwise(gap)):
            return True
        after = self._marks.kinds(effect.last, min(sentence.last, effect.last + AROUND))
        if "eased" in after or "remedy" in phrases("effects").of(words[agent.first]):
            return False
        if gap and gap[-1] in _MARKS:
            tried = self._marks.kinds(agent.last, sentence.last) & {"ended", "again"}
            return (strong or (effect.kind == "side" and bool(tried))) and all(map(of_use, gap))
        opens = agent.first == sentence.first or words[agent.first - 1] in _EDGES
        closes = effect.last >= sentence.last or words[effect.last] in _EDGES
        return strong and opens and closes and (not gap or (len(gap) == 1 and gap[0].isalpha() and not of_use(gap[0])))

    def _came_with(self, agent: Agent, effect: Effect) -> bool:
        """Whether an effect is what somebody came with who had long taken an agent: no "given at noon and presents with hives"."""
        if agent.first >= effect.first or "came" not in self._relations.kinds(agent.last, effect.first):
            return False
        before = self._relations.kinds(max(0, agent.first - AROUND), agent.first)
        return before.isdisjoint(("new", "remedied"))


def _within(one: Agent | Effect, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(a <= one.first < b for a, b in stretches)


_MARKS = frozenset(("-", "\u2013", "\u2014", ":"))
_EDGES = frozenset((".", ",", ";", "(", "\n"))
