"""Every name of every concept, and where a text says one.

Takes the concepts; gives, for a text, the longest names it holds with exact offsets, and for a phrase, its concept.
A name is found as written, in another form of its words, in another order ("pain in the chest"), or misspelt; each
scores lower than the one before. Names in order are found by the hashes of runs of word stems (see word_runs), names in
another order by those of sets (see word_sets). What is filed lies in arrays: a large terminology has ten million names. It
does not know context: senses and linker do.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from backend.nlp.document.tokens import tokens, word_set
from backend.nlp.lexicon.capitals import written_so
from backend.nlp.lexicon.clipped_names import usual_clips
from backend.nlp.lexicon.matches import Candidate, Match, without_overlap
from backend.nlp.lexicon.name_forms import LONGEST, Read, first_word, forms, reordered, usable
from backend.nlp.lexicon.name_words import Word, Words, words_of
from backend.nlp.lexicon.spelling import Spelling
from backend.nlp.lexicon.variants import FILLERS, SIDES, english_words, near_forms, stem
from backend.nlp.lexicon.word_runs import RunFiling
from backend.nlp.lexicon.word_sets import Filing
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.text_column import TextWriter

EXACT, INFLECTED, REORDERED, MISSPELT = 1.0, 0.95, 0.85, 0.7
_BAG = range(2, 5)
_MOST_BETWEEN = 4
_NUMERALS = word_set("1 2 3 4 i ii iii iv")
_ACTED = frozenset(("symptom", "disease", "finding"))
"""Categories whose one-word names may stand as a verb: "vomited", "coughing"; "tested" is no test's name."""


_made = partial(tuple.__new__, Match)
"""A Match of its four fields, at half the cost of calling it: a note has hundreds."""
_MOST_HELD = 50_000
"""Phrases kept with the concepts they may name; beyond it they are read anew, so that no text can fill the memory."""


class NameIndex:
    """Names of concepts, ready to be found. Picklable. Make one with NameIndex.build."""

    def __init__(self, concepts: Iterable[ConceptRow]) -> None:
        self._by_id: dict[str, int] | None = None
        self._heard: dict[str, Read] = {}
        self._held: dict[tuple[str, int, bool, bool], tuple[int, tuple[Candidate, ...]]] = {}
        self._clips: dict[str, Candidate | None] = {}
        self._codes: dict[str, int] = {}
        self._owners, self._kinds_of = array("i"), array("H")
        kinds: dict[tuple[str, str], int] = {}
        names, said, ids, preferred = TextWriter(), TextWriter(), TextWriter(), TextWriter()
        codes, sizes, bagged = array("I"), array("B"), array("i")
        bags: list[tuple[int, ...]] = []
        drug_words: dict[str, bool] = defaultdict(bool)
        for concept in concepts:
            drug = concept.group == "CHEM"
            for name in dict.fromkeys((concept.name, *concept.synonyms)):
                for form in forms(name):
                    stems = [stem(word) for word in form]
                    if not usable(form):
                        continue
                    codes.extend(self._codes.setdefault(s, len(self._codes) + 1) for s in stems)
                    sizes.append(len(stems))
                    if concept.group not in ("CHEM", "GENE") and (bag := self._bag(stems)):
                        bags.append(bag)
                        bagged.append(len(names))
                    plain = " ".join(form)
                    names.add(name)
                    said.add("" if plain == name else plain)
                    self._owners.append(len(ids))
                    for word in form:
                        drug_words[word] |= drug
            ids.add(concept.concept_id)
            preferred.add(concept.name)
            self._kinds_of.append(kinds.setdefault((concept.group, concept.category), len(kinds)))
        self._names, self._plain, self._ids, self._preferred = (w.column() for w in (names, said, ids, preferred))
        self._kinds = tuple(kinds)
        self._ordered = RunFiling(codes, sizes)
        self._bags = Filing(bags, bagged)
        self._spelling = Spelling(drug_words, (word for word, drug in drug_words.items() if drug))

    @classmethod
    def build(cls, concepts: Iterable[ConceptRow]) -> "NameIndex":
        """File every name and synonym; about 2 s for 100,000 names. A name of digits alone is not filed."""
        return cls(concepts)

    def __len__(self) -> int:
        """How many names are filed."""
        return len(self._names)

    def find(self, text: str) -> list[Match]:
        """The longest names in a text, in order, without overlap."""
        return without_overlap(self.matches(text, words_of(text, tokens(text))))

    def concept(self, concept_id: str) -> Candidate | None:
        """The concept of an id, or None."""
        if self._by_id is None:
            self._by_id = {one: place for place, one in enumerate(self._ids)}
        place = self._by_id.get(concept_id)
        return None if place is None else Candidate(*self._concept(place), 1.0, "by its id")

    def lookup(self, phrase: str) -> Candidate | None:
        """The concept that a whole phrase names, or None. Of several, the one with the best score, then first filed."""
        whole = self.candidates(phrase)
        return whole[0] if whole else None

    def clipped(self, word: str) -> Candidate | None:
        """The medicine of which an unknown word, in its normal form, is the beginning; None where more than one begins so."""
        if word not in self._clips:
            if len(self._clips) >= _MOST_HELD:
                self._clips.clear()
            self._clips[word] = self._begun(word)
        return self._clips[word]

    def _begun(self, word: str) -> Candidate | None:
        usual = usual_clips().get(word)
        if usual is None and (word in english_words() or stem(word) in self._codes):
            return None
        wholes = [usual.read] if usual else self._spelling.begun_by(word)
        named = [self.lookup(whole) for whole in wholes]
        meant = named[0] if named else None
        if meant is None or meant.category != "drug" or any(one is None or one[0] != meant[0] for one in named):
            return None
        whole = usual.read if usual else next(filter(self._is_generic, wholes), None)
        if whole is None:
            return None
        return meant._replace(score=MISSPELT, why=f"'{word}' read as the beginning of '{whole}'")

    def _is_generic(self, word: str) -> bool:
        """Whether a word as a name is written small: brands, which people may be called by, are not."""
        return any(self._names[row][:1].islower() for row in self._ordered.rows([self._codes.get(stem(word), 0)]))

    def candidates(self, phrase: str) -> tuple[Candidate, ...]:
        """All concepts that a whole phrase may name, best first; leading articles and outer marks do not count."""
        words = words_of(phrase, tokens(phrase))
        bounds = [i for i, word in enumerate(words) if word.normal not in _ARTICLES]
        if not bounds:
            return ()
        first, last = bounds[0], bounds[-1] + 1
        if any(word.glued for word in words):  # it may be one word with the one before it
            span = (words[first].start, words[last - 1].end)
            whole = [match for match in self.matches(phrase, words) if (match.start_char, match.end_char) == span]
        else:
            whole = self._whole(phrase, words.part(first, last))
        best: dict[str, Candidate] = {}
        for match in whole:
            for candidate in match.candidates:
                if candidate.score > (best[candidate.concept_id].score if candidate.concept_id in best else 0):
                    best[candidate.concept_id] = candidate
        return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))

    def _whole(self, phrase: str, words: Words) -> list[Match]:
        """The matches that take in all of a phrase, which begins and ends with a word of some weight and holds no glued ones."""
        heard = self._heard
        read = [heard.get(word.normal) or self._read(word) for word in words]
        codes = [code for _, _, code in read]
        found: list[Match | None] = []
        if all(codes) and words.blocks[0] == words.blocks[-1] and (rows := self._ordered.rows(codes)):
            found.append(self._match(phrase, words, read, range(len(words)), rows, False))
        content = [i for i, word in enumerate(words) if word.normal not in _WEIGHTLESS]
        edges = len(content) in _BAG and (content[0], content[-1]) == (0, len(words) - 1)
        if edges and len(words) - len(content) <= _MOST_BETWEEN:
            in_line = words.lines[content[0]] == words.lines[content[-1]]
            if in_line and (rows := self._bags.rows([codes[i] for i in content])):
                found.append(self._match(phrase, words, read, content, rows, True))
        return [match for match in found if match]

    def matches(self, text: str, words: Words) -> list[Match]:
        """Every name in a text, overlapping ones too. words: the text's, as words_of gives them."""
        joined, places = words.joined(lambda normal: stem(normal) in self._codes)
        words = words.part(0, len(words)) if places else words
        done = 0
        for place in places:  # only what a joined word can be part of is new
            if place >= done:
                done = place + LONGEST
                words.add_apart(joined.part(place - LONGEST, done + LONGEST))
        heard = self._heard
        read = [heard.get(word.normal) or self._read(word) for word in words]
        matches: list[Match | None] = []
        codes = [code for _, _, code in read]
        for first, size, rows in self._ordered.windows(codes, words.blocks):
            matches.append(self._match(text, words, read, range(first, first + size), rows, False))
        content = [i for i, word in enumerate(words) if word.normal not in _WEIGHTLESS]
        lines = [words.lines[i] for i in content]
        for first, size, rows in self._bags.windows([codes[i] for i in content], lines, _BAG):
            window = content[first : first + size]
            if window[-1] - window[0] + 1 - size <= _MOST_BETWEEN:
                matches.append(self._match(text, words, read, window, rows, True))
        return [match for match in matches if match]

    def unknown(self, word: str) -> bool:
        """Whether a word in lower case is in no name and is no English word."""
        return stem(word) not in self._codes and word not in english_words()

    def meant_in_question(self, word: str) -> str | None:
        """The one known word that an unknown topic of a question stands for, or None."""
        return self._spelling.correct_topic(word)

    def _read(self, word: Word) -> Read:
        """The normal form, stem and number of a word as it is, or as the word it must be a misspelling of."""
        root = stem(word.normal)
        read = word.normal, root, self._codes.get(root, 0)
        if not read[2]:
            if word.titled:
                return read  # a person's name is no misspelling, and says nothing of the word elsewhere
            meant = self._spelling.correct(word.normal)
            if meant is not None:
                read = meant, stem(meant), self._codes.get(stem(meant), 0)
        if len(self._heard) >= _MOST_HELD:
            self._heard.clear()
        self._heard[word.normal] = read
        return read

    def _match(
        self, text: str, words: Words, read: Sequence[Read], places: Sequence[int], rows: list[int], bag: bool
    ) -> Match | None:
        begin = words[places[0]]
        start, end = begin.start, words[places[-1]].end
        said = text[start:end]
        key = (said, rows[0], begin.shouted, bag)  # the same rows for the same text: it was read in the same way
        held = self._held.get(key)
        if held is None:
            if len(self._held) >= _MOST_HELD:
                self._held.clear()
            window, heard = [words[i] for i in places], [read[i] for i in places]
            content = sum(normal not in FILLERS for normal, _, _ in heard)
            held = self._held[key] = content, self._meant(text, window, heard, rows, said, bag)
        content, candidates = held
        return _made((start, end, content, candidates)) if candidates else None

    def _meant(
        self,
        text: str,
        window: Sequence[Word],
        read: Sequence[Read],
        rows: list[int],
        said: str,
        bag: bool,
    ) -> tuple[Candidate, ...]:
        """The concepts that a window of words may name, best first."""
        shouted = window[0].shouted
        heard = " ".join([normal for normal, _, _ in read])
        wrong = ", ".join(
            f"'{text[word.start : word.end]}' read as '{normal}'"
            for word, (normal, _, _) in zip(window, read, strict=True)
            if word.normal != normal
        )
        best: dict[int, Candidate] = {}
        for row in rows:
            name, owner = self._names[row], self._owners[row]
            said_so = self._plain[row] or name
            concept_id, preferred, group, category = self._concept(owner)
            if not bag:  # the stems were compared
                score, why = (EXACT, f"'{name}'") if said_so == heard else (INFLECTED, f"a form of '{name}'")
                if score == INFLECTED and len(read) == 1 and not (name == preferred and category in _ACTED):
                    first = first_word(name) if "-" in name else said_so
                    score = score if near_forms(heard, first) else 0
            elif reordered(said_so, read):
                score, why = REORDERED, f"the words of '{name}' in another order"
            else:
                continue
            if not score or not written_so(said, name, group, shouted):
                continue
            if name != preferred:
                why = f"{why}, a name of {preferred}"
            if wrong:
                score, why = min(score, MISSPELT), f"{wrong}: {why}"
            if owner not in best or score > best[owner].score:
                best[owner] = Candidate(concept_id, preferred, group, category, score, why)
        return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))

    def _concept(self, place: int) -> tuple[str, str, str, str]:
        """Id, preferred name, group and category."""
        return self._ids[place], self._preferred[place], *self._kinds[self._kinds_of[place]]

    def _bag(self, stems: Sequence[str]) -> tuple[int, ...]:
        content = [s for s in stems if s not in FILLERS]
        if len(content) not in _BAG or len(set(content)) < len(content):
            return ()
        if any(s in _TIES for s in content):
            return ()  # "with child" is pregnancy, "child with cough" is not
        numbered = "type" in content  # "diabetes mellitus, type 2"
        if any(s in SIDES or not ((numbered and s in _NUMERALS) or (len(s) > 2 and s.isalpha())) for s in content):
            return ()
        return tuple(self._codes[s] for s in content)


_TIES = word_set("with without no not for by when after")
_WEIGHTLESS = FILLERS | SIDES
_ARTICLES = word_set("a an the her his my your their some any")
