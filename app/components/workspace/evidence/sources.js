// Sources: those of the chosen sentence first, then all, numbered in the order of the letter; each with its place.

const SHORTEST_RUN = 3; // words
const SMALL_WORDS = new Set(("about after also because before from have into more most other over some such than that their them then there these they this those under until very were what when which while with would your").split(" "));

function drawSources(app, state, letter) {
  const sentence = letter.live.find((one) => one.id === state.chosen) || null;
  const all = [...letter.numbers.keys()];
  const own = sentence ? (sentence.citations || []).filter((id) => letter.numbers.has(id)) : [];
  return v("div", { class: "sources", "data-rove": "sources" }, sentence ? [verdictOfSentence(app, state, sentence),
    own.map((id) => lazy(`own-${id}`, [sentence, state.view.draft.evidence, letter.numbers.get(id), state.chosen_source === id], () => sourceCard(app, state, letter, id, [sentence], true))),
    own.length ? null : v("p", { key: "none", class: "pad quiet" }, sentence.written_by.kind === "person" ? W.written_by_person : W.cites_nothing),
    v("details", { key: "all", class: "all-sources", open: state.filter ? true : undefined }, v("summary", {}, countWords(W.n_all_sources, all.length)), all.filter((id) => !own.includes(id)).map((id) => sourceCard(app, state, letter, id, citing(letter, id))))]
    : [v("p", { key: "hint", class: "pad small quiet" }, W.choose_sentence), all.map((id) => lazy(id, [letter.live, state.view.draft.evidence], () => sourceCard(app, state, letter, id, citing(letter, id))))]);
}

function citing(letter, id) {
  return letter.live.filter((one) => (one.citations || []).includes(id));
}

// What is to be said of the sentence itself: only if something is out of order, and who wrote it when a person did.
function verdictOfSentence(app, state, sentence) {
  const exception = exceptionOf(sentence);
  const { kind, name, at } = sentence.written_by;
  const earlier = sentence.earlier || [];
  return v("div", { key: "verdict", class: "verdict" }, v("p", { class: "verdict-words", lang: "en" }, sentence.text.replace(GAP, (whole, prompt) => fillWords(W.add_gap, { prompt: said(prompt) }))),
    exception ? v("p", { class: `verdict-mark x-${exception.kind}` }, icon(exception.mark), v("strong", {}, exception.words), exception.why ? ` ${exception.why}` : "") : null,
    sentence.raised ? v("p", { class: "small raised-level" }, icon("priority_high"), fillWords(W.raised, { said: sentence.raised.source_says, because: sentence.raised.because })) : null,
    sentence.proposed ? v("p", { class: "small" }, icon("lightbulb"), W.source_proposed) : null,
    sentence.before_repair ? v("p", { class: "small" }, icon("build"), W.reworded, " ", v("q", { lang: "en" }, sentence.before_repair)) : null,
    kind === "person" ? v("p", { class: "small quiet" }, fillWords(W.written_by, { name: (name === NOT_GIVEN ? "" : name) || state.typed.name || W.you, time: at ? timeWords(at) : "" })) : null,
    earlier.length ? v("details", { class: "small" }, v("summary", {}, countWords(W.n_earlier, earlier.length)), earlier.map((one, place) => v("p", { key: place, class: "earlier-text" }, v("span", { lang: "en" }, one.text), " ",
      v("button", { type: "button", class: "link", onclick: () => edit(app, { kind: "replace", sentence: sentence.id, text: one.text }) }, W.use_this)))) : null);
}

function sourceCard(app, state, letter, id, sentences, own) {
  const found = evidenceOf(state.view.draft).get(id);
  if (!found) return null;
  const { kind, item } = found;
  const number = letter.numbers.get(id);
  return v("article", { key: `card-${id}`, class: `card source${own && state.chosen_source === id ? " pointed" : ""}`, "data-source": id },
    v("header", {}, number ? v("span", { class: "source-number" }, number) : null, v("h4", {}, sourceTitle(kind, item)), sourceAct(app, state, id, found)),
    v("p", { class: "source-text", lang: "en" }, kind === "passages" || kind === "notes" ? markedText(item.text, sentences.map((one) => one.text)) : upperFirst(kind === "paths" ? item.supported_text || item.text : item.text)),
    kind === "passages" ? v("p", { class: "small quiet" }, [item.section, item.licence].filter(Boolean).map(said).join(" · ")) : null,
    own ? null : v("p", { class: "small quiet" }, sentences.map((one) => v("button", { key: one.id, type: "button", class: "link", lang: "en", onclick: () => { app.store.set({ column: "letter", sheet: false }); choose(app, one.id, { focus: true }); } }, shortened(one.text, 46)))));
}

function upperFirst(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

function sourceTitle(kind, item) {
  if (kind === "notes") return item.note_type === PASTED ? W.this_note : [item.note_type, item.date].filter(Boolean).join(", ") || W.earlier_note;
  if (kind === "passages") return `${W.source_names[item.source] || item.source}: ${item.title}`;
  return W.source_names.graph;
}

// What a source can be opened with: each in the document it is from, its place lit.
function sourceAct(app, state, id, { kind, item }) {
  const act = (words, onclick) => v("button", { type: "button", class: "link open-source", onclick }, words);
  if (kind === "notes") {
    const place = placeInNotes(state.view, item);
    return place ? act(W.show_in_note, () => showInNote(app, place.start, place.end, place.part)) : null;
  }
  if (kind === "passages") return act(W.open_document, () => openDocument(app, id));
  if (kind === "paths") return act(W.how_found, () => { app.store.set({ how: true }); });
  return kind === "graph" ? act(W.look_up, () => openConcept(app, item)) : null;
}

// The words that the sentences took from it are marked: runs of three and more, and where there is none, single words of meaning.
function markedText(text, sentences) {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((m) => ({ start: m.index, end: m.index + m[0].length, word: m[0].toLowerCase() }));
  const marked = new Array(words.length).fill(false);
  const wanted = sentences.map((sentence) => sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []);
  for (const sentence of wanted) markRuns(words, sentence, marked);
  if (!marked.some(Boolean)) {
    const single = new Set(wanted.flat().filter((word) => word.length > 3 && !SMALL_WORDS.has(word)));
    words.forEach((word, i) => { marked[i] = single.has(word.word); });
  }
  const parts = [];
  let at = 0;
  for (let i = 0; i < words.length; i++) {
    if (!marked[i]) continue;
    let j = i;
    while (j + 1 < words.length && marked[j + 1]) j++;
    parts.push(text.slice(at, words[i].start), v("mark", {}, text.slice(words[i].start, words[j].end)));
    at = words[j].end;
    i = j;
  }
  return [...parts, text.slice(at)];
}

// The longest run of a sentence's words first, and each of its words at one place: what other sentences of a source begin with alike is
// not marked.
function markRuns(words, sentence, marked) {
  const starts = new Map();
  sentence.forEach((word, i) => starts.set(word, [...(starts.get(word) || []), i]));
  const taken = new Array(sentence.length).fill(false);
  for (;;) {
    let best = { length: 0 };
    for (let i = 0; i < words.length; i++) {
      for (const start of starts.get(words[i].word) || []) {
        let length = 0;
        while (start + length < sentence.length && !taken[start + length] && words[i + length]?.word === sentence[start + length]) length++;
        if (length > best.length) best = { length, i, start };
      }
    }
    if (best.length < SHORTEST_RUN) return;
    marked.fill(true, best.i, best.i + best.length);
    taken.fill(true, best.start, best.start + best.length);
  }
}

// A preview at the number under the pointer.
function showPreview(app, id, target) {
  const box = target.getBoundingClientRect();
  const frame = app.root.getBoundingClientRect();
  app.store.set({ hover: { id, x: box.left - frame.left, y: box.bottom - frame.top, above: box.bottom > window.innerHeight - 220 ? frame.bottom - box.top : null } });
}

function drawPreview(state, letter) {
  const { hover } = state;
  const found = evidenceOf(state.view.draft).get(hover.id);
  if (!found) return null;
  const place = hover.above !== null ? `left:${hover.x}px;bottom:${hover.above + 6}px` : `left:${hover.x}px;top:${hover.y + 6}px`;
  return v("div", { key: "preview", class: "preview", role: "tooltip", style: place }, v("p", { class: "small quiet" }, sourceTitle(found.kind, found.item)),
    v("p", { lang: "en" }, shortened(upperFirst(found.item.supported_text || found.item.text), 260)));
}
