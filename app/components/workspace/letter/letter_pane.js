// The letter: its kind, its problems, and its sentences, each of which is edited where it stands.

const ANSWER = "clinical_answer"; // it tells nobody what to take

function drawLetterPane(app, state, letter) {
  if (state.phase === "opening") return drawOpening();
  if (!letter) return drawGrowing(app, state);
  return v("div", { class: "scroll", "data-scroll": "letter" },
    v("div", { key: "strip", class: "strip-place" }, drawStrip(app, state, letter)),
    v("article", { key: "paper", class: `paper${letter.updating ? " is-updating" : ""}${letter.state === "signed" ? " is-signed" : ""}`, "aria-label": W.column_names.letter },
      letter.state === "signed" ? null : v("p", { key: "draft-mark", class: "draft-mark", "aria-hidden": "true" }, W.draft_line),
      paperHead(app, state, letter), drawConflicts(app, state, letter), letterNotices(app, state, letter),
      v("div", { key: "body", class: "letter-body", "data-rove": "letter", role: "group", "aria-label": W.sentences }, letter.sections.map((section, at) => drawSection(app, state, letter, section, at)),
        letter.medicines.length && letter.document !== ANSWER && !letter.sections.some((section) => holdsMedicines(section, letter)) ? drawMedicines(app, state, letter) : null),
      v("p", { key: "end", class: "paper-end small quiet" }, letter.state === "signed" ? signedWords(state.view.signature) : W.draft_line)));
}

// Kind and length of the document, and for an answer the question that was asked.
function paperHead(app, state, letter) {
  const { draft } = state.view;
  const request = state.view.request || {};
  const asked = draft.question || request.question;
  const length = draft.document === "clinical_answer" ? "" : W.lengths[request.length || "short"];
  return v("div", { key: "head", class: "paper-head" },
    v("h2", {}, W.documents[draft.document] || W.letter),
    v("button", { type: "button", class: "quiet-button", "aria-label": length ? `${length}. ${W.change_document}` : W.change_document, title: W.change_document, onclick: () => openContext(app) }, icon("tune"), length),
    v("button", { type: "button", class: "quiet-button", onclick: () => copyText(app, letter) }, icon("content_copy"), W.copy_text),
    draft.document === "clinical_answer" && asked ? v("div", { class: "asked" }, v("p", { class: "asked-question" }, icon("help"), asked),
      (draft.options || []).length ? v("ol", { class: "asked-options", type: "A" }, draft.options.map((option, at) => v("li", { key: at, class: draft.answer === "ABCDEFGHIJ"[at] ? "answer" : "" }, option))) : null,
      draft.answer ? v("p", { class: "answer-line" }, v("strong", {}, fillWords(W.answer_is, { letter: draft.answer }))) : null) : null);
}

// What is to be known of the whole letter: a part that is missing, a refusal, a letter that is no longer there.
function letterNotices(app, state, letter) {
  const { draft } = state.view;
  const rows = [];
  if (state.gone) rows.push(["delete", W.letter_gone]);
  if (draft.note.text && draft.record && !looksLikePatient(draft)) rows.push(["person_search", `${W.problems.no_patient.title}. ${W.problems.no_patient.way}`]);
  if (draft.status === "partial") rows.push(["contrast", fillWords(W.partial, { reason: partialReason(draft) })]);
  if (draft.status === "partial") rows.push(["edit_note", [v("button", { type: "button", class: "link", onclick: () => draftOnceMore(app) }, W.draft_again), otherWriter(state) ? v("button", { type: "button", class: "link", onclick: () => draftOnceMore(app, otherWriter(state)) }, W.without_model) : null]]);
  if (stoodIn(draft)) rows.push(["swap_horiz", [fillWords(W.stood_in, { reason: draft.generator.reason }), " ", v("button", { type: "button", class: "link", onclick: () => draftOnceMore(app) }, W.draft_again)]]);
  if (state.carried) rows.push(["move_down", [carriedWords(state.carried), " ", v("button", { type: "button", class: "link", onclick: () => app.store.set({ carried: null }) }, W.dismiss)]]);
  if (state.refused) rows.push(["block", state.refused]);
  if (letter.state === "signed") rows.push(["verified", W.signed_notice]);
  return rows.length ? v("div", { key: "notices", class: "letter-notices" }, rows.map(([mark, words], at) => v("p", { key: at, class: "line-notice", role: "status" }, icon(mark), words))) : null;
}

// A model was asked and something else wrote: the reason then stands both beside the writer and among what ran otherwise.
function stoodIn(draft) {
  return draft.generator.name === PLAIN_WRITER && (draft.fallbacks || []).includes(draft.generator.reason);
}

// The same note again: a letter that broke off is left where it is saved.
function draftOnceMore(app, generator = "") {
  editNote(app);
  startDraft(app, generator);
}

function partialReason(draft) {
  const stage = draft.stages.find((one) => one.name === "write");
  return stage ? stage.reason : "";
}

function holdsMedicines(section, letter) {
  return letter.document === "discharge_instructions" && section.title === W_DATA.medicines_heading;
}

function drawSection(app, state, letter, section, at) {
  const live = section.sentences.filter((one) => !one.deleted);
  const left = live.filter((one) => !one.checked_by);
  return v("section", { key: `${section.title}-${at}`, class: "letter-section" },
    v("div", { class: "section-head" }, v("h3", { lang: "en" }, section.title),
      left.length ? v("button", { type: "button", class: "check-section", "data-skip": "", onclick: () => edit(app, left.map((one) => ({ kind: "check", sentence: one.id }))) }, countWords(W.check_section, left.length)) : v("span", { class: "section-done" }, icon("done_all"), W.section_checked)),
    holdsMedicines(section, letter) && letter.medicines.length ? drawMedicines(app, state, letter) : null,
    section.sentences.map((sentence) => (sentence.deleted ? null : drawSentence(app, state, letter, sentence))),
    drawUntold(app, letter, section, at === letter.sections.length - 1));
}

function drawSentence(app, state, letter, sentence) {
  const chosen = state.chosen === sentence.id;
  const editing = state.editing && state.editing.id === sentence.id ? state.editing : null;
  const conflict = state.queue.find((one) => one.state === "conflict" && one.change.sentence === sentence.id) || null;
  const other = state.others.find((one) => one.sentence === sentence.id) || null;
  const gaps = letter.gaps.filter((one) => one.sentence === sentence.id);
  const numbers = (sentence.citations || []).map((id) => letter.numbers.get(id)).join(",");
  const made = [sentence, chosen, editing, conflict, other, numbers, gaps.map((one) => [one.id, one.required, JSON.stringify(state.held[gapKey(one)] || 0)]).join(), state.view.state, state.tab === "sources" && chosen ? state.chosen_source : null];
  return lazy(shownAs(sentence.id), made, () => sentenceRow(app, letter, sentence, { chosen, editing, conflict, other, gaps }));
}

function sentenceRow(app, letter, sentence, { chosen, editing, conflict, other, gaps }) {
  const exception = exceptionOf(sentence);
  const checked = Boolean(sentence.checked_by);
  return v("div", { class: `sentence${chosen ? " chosen" : ""}${checked ? " checked" : ""}${exception ? ` x-${exception.kind}` : ""}${sentence.waiting ? " waiting" : ""}`, "data-sentence": sentence.id },
    v("button", { type: "button", class: "tick", "data-skip": "", "aria-pressed": String(checked), "aria-label": checked ? W.uncheck_one : W.check_one, title: `${checked ? W.uncheck_one : W.check_one} (c)`,
      onclick: () => check(app, sentence.id, !checked) }, icon(checked ? "check_circle" : "radio_button_unchecked")),
    v("div", { class: "said" },
      editing && editing.kind === "text" ? sentenceEditor(app, sentence, editing) : gaps.length ? withGaps(app, letter, sentence, gaps) : wordsButton(app, sentence),
      editing ? null : [gaps.length ? null : "\u00a0", citationMarks(app, letter, sentence), exception ? v("span", { class: "mark", title: exception.why || null }, icon(exception.mark), exception.words) : null,
        other ? v("span", { class: "other-here" }, v("span", { class: "other" }, initials(other)), fillWords(W.is_here, { name: otherName(other) })) : null],
      conflict ? conflictBox(app, letter, conflict) : null,
      editing && editing.kind === "insert" ? insertEditor(app, sentence, editing) : null),
    chosen && !editing ? sentenceTools(app, sentence, checked) : null);
}

// A click chooses the sentence and puts the caret where it fell; a drag leaves the words selected for copying.
function wordsButton(app, sentence) {
  return v("span", { lang: "en", class: "words", role: "button", "data-words": sentence.id, "aria-describedby": "ws-how-to-edit",
    onclick: (event) => clicked(app, sentence, event), onkeydown: (event) => { if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey && !event.metaKey) { event.preventDefault(); event.stopPropagation(); startEdit(app, sentence.id); } },
    onfocus: () => choose(app, sentence.id, {}) }, sentence.text);
}

function citationMarks(app, letter, sentence) {
  return (sentence.citations || []).map((id) => v("span", { key: `c-${id}`, role: "button", class: "cite", "data-skip": "", "data-cite": id, "aria-label": fillWords(W.source_n, { n: letter.numbers.get(id) }),
    onclick: (event) => { event.stopPropagation(); showSource(app, sentence.id, id); }, onmouseenter: (event) => showPreview(app, id, event.target), onmouseleave: () => app.store.set({ hover: null }) }, letter.numbers.get(id)));
}

function sentenceTools(app, sentence, checked) {
  const tool = (name, words, key, action) => v("button", { key: name, type: "button", class: "icon-button", "aria-label": words, title: `${words} (${key})`, onclick: action }, icon(name));
  return v("div", { class: "tools", role: "toolbar", "aria-label": W.sentence_tools, "data-rove": "tools" },
    tool("edit", W.edit, "e", () => startEdit(app, sentence.id)),
    tool(checked ? "remove_done" : "done", checked ? W.uncheck_one : W.check_one, "c", () => check(app, sentence.id, !checked)),
    tool("add", W.add_after, "a", () => startInsert(app, sentence.id)),
    tool("delete", W.delete, "d", () => removeSentence(app, sentence.id)));
}

// While it is being written, with what is already known beside it.
function drawGrowing(app, state) {
  const { run } = state;
  const sections = [];
  for (const sentence of run.written) {
    if (!sections.length || sections[sections.length - 1].title !== sentence.section) sections.push({ title: sentence.section, sentences: [] });
    sections[sections.length - 1].sentences.push(sentence);
  }
  return v("div", { class: "scroll", "data-scroll": "letter" },
    v("div", { key: "strip", class: "strip-place" }),
    v("article", { key: "paper", class: "paper growing-paper", tabindex: -1, "aria-busy": "true", "aria-label": W.column_names.letter },
      v("div", { key: "head", class: "paper-head" }, v("h2", {}, W.documents[run.request.document] || W.letter)),
      v("div", { key: "body", class: "letter-body" }, run.written.length || run.piece ? null : skeleton(), sections.map((section, at) => v("section", { key: at, class: "letter-section" }, v("div", { class: "section-head" }, v("h3", { lang: "en" }, section.title)),
        section.sentences.map((sentence, place) => v("div", { key: place, class: "sentence" }, v("span", { class: "tick" }), v("div", { class: "said" }, v("span", { lang: "en", class: "words" }, sentence.text)))))),
        run.piece ? v("div", { key: "piece", class: "sentence growing" }, v("span", { class: "tick" }), v("div", { class: "said" }, v("span", { lang: "en", class: "words" }, run.piece))) : null)));
}

// A letter on its way has the shape of a letter, so that nothing jumps when it comes.
function drawOpening() {
  return v("div", { class: "scroll", "data-scroll": "letter" }, v("div", { key: "strip", class: "strip-place" }),
    v("article", { key: "opening", class: "paper", "aria-busy": "true", "aria-label": W.opening }, v("div", { class: "paper-head" }, v("h2", {}, v("span", { class: "sr" }, W.opening))), skeleton()));
}

function skeleton() {
  return v("div", { class: "skeleton", "aria-hidden": "true" }, [70, 92, 84, 60, 88, 75].map((width, at) => v("span", { key: at, style: `width:${width}%` })));
}
