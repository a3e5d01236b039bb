// The note as pasted: what was recognised is lightly underlined; a click on a word, or words that are selected, open the corrections.

function drawNotePane(app, state, letter) {
  const linked = letter ? linkedOf(state.view.draft) : state.run?.linked;
  const text = linked?.note?.text ?? state.run?.request.text ?? "";
  const corrections = letter?.corrections || [];
  return [v("div", { key: "head", class: "column-head" }, v("h2", {}, W.column_names.note), letter ? v("div", { class: "column-acts", "data-rove": "note-tools" },
    v("button", { type: "button", class: "quiet-button", onclick: () => app.store.set({ marking: !state.marking }) }, icon("ink_highlighter"), W.mark_words),
    v("button", { type: "button", class: "quiet-button", onclick: () => editNote(app) }, icon("edit_note"), W.edit_note)) : null),
  state.marking ? markWordsForm(app, state, text) : null,
  v("div", { key: "body", class: "scroll note-scroll", "data-scroll": "note", tabindex: 0, role: "region", "aria-label": W.note_text },
    text ? lazy("text", [linked?.note, corrections, state.place, state.chosen, letter && letter.live, state.view?.draft.evidence], () => noteText(app, state, letter, linked, text, corrections)) : v("p", { class: "pad quiet" }, W.no_note),
    letter && state.view.request ? besideNote(state.view.request, state.place) : null)];
}

// What was given beside the note stands below it, read only; the part that holds a place is open.
function besideNote(request, place) {
  const parts = partsBeside(request);
  return parts.length ? v("div", { key: "beside", class: "beside-note" }, parts.map(({ part, title, text }) => v("details", { key: part, open: place?.part === part ? true : undefined }, v("summary", {}, title),
    v("p", { class: "note-text", lang: "en" }, place?.part === part ? litPlace(codePoints(text), place) : text)))) : null;
}

function litPlace(chars, { start, end }) {
  return [chars.slice(0, start).join(""), v("span", { class: "place" }, chars.slice(start, end).join("")), chars.slice(end).join("")];
}

function noteText(app, state, letter, linked, text, corrections) {
  const chars = codePoints(text);
  const mentions = linked?.note ? linked.note.mentions : [];
  const place = state.place && !state.place.part ? state.place : null;
  const lit = litSpans(app, state, letter);
  const cuts = new Set([0, chars.length]);
  const add = (from, to) => { if (from !== null && from >= 0 && to <= chars.length) cuts.add(from).add(to); };
  mentions.forEach((one) => add(one.start_char, one.end_char));
  corrections.forEach((one) => add(one.start_char, one.end_char));
  lit.forEach((one) => add(one.start_char, one.end_char));
  if (place) add(place.start, place.end);
  (linked?.note?.sections || []).forEach((one) => add(one.start_char, Math.max(one.start_char, one.body_char)));
  const order = [...cuts].sort((a, b) => a - b);
  const titles = (linked?.note?.sections || []).filter((one) => one.title);
  return v("div", { class: "note-text", lang: "en", onmouseup: (event) => selectedInNote(app, event), onclick: (event) => clickedInNote(app, event) },
    order.slice(0, -1).map((from, at) => segment(app, { chars, from, to: order[at + 1], mentions, corrections, lit, place, titles })));
}

function segment(app, { chars, from, to, mentions, corrections, lit, place, titles }) {
  const text = chars.slice(from, to).join("");
  const covers = (one) => one.start_char <= from && to <= one.end_char;
  const mention = mentions.filter(covers).sort((a, b) => a.end_char - a.start_char - (b.end_char - b.start_char))[0];
  const correction = corrections.find(covers);
  const classes = [lit.some(covers) ? "lit" : "", place && place.start <= from && to <= place.end ? "place" : "", titles.some((one) => one.start_char <= from && to <= one.body_char) ? "section-title" : ""];
  if (!mention && !correction) return v("span", { key: from, class: classes.filter(Boolean).join(" ") || null, "data-from": from }, text);
  const state = correction ? correction.kind : mention.allergen ? "allergy" : mention.assertion;
  const whole = correction || mention;
  const label = `${text}: ${correction ? W.corrected : ""} ${W.said_of[state] || state}`;
  const first = from === whole.start_char;
  return v("span", { key: from, "data-from": from, class: ["mention", `m-${state}`, correction ? "corrected" : "", ...classes].filter(Boolean).join(" "), title: label, ...(first ? { role: "button", "aria-label": label, "aria-haspopup": "menu", "data-mention": `${whole.start_char}-${whole.end_char}` } : {}),
    onclick: (event) => { event.stopPropagation(); if (noSelection(app)) openCorrect(app, whole, event.currentTarget); }, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); openCorrect(app, whole, event.currentTarget); } } }, text);
}

// The pieces of the note that the chosen sentence rests on.
function litSpans(app, state, letter) {
  const sentence = letter && letter.live.find((one) => one.id === state.chosen);
  if (!sentence) return [];
  const found = evidenceOf(state.view.draft);
  return (sentence.citations || []).map((id) => found.get(id)).filter((one) => one && one.kind === "notes" && placeInNotes(state.view, one.item)?.part === PASTED_PART).map((one) => one.item);
}

function noSelection(app) {
  const selection = selectionIn(app);
  return !selection || selection.isCollapsed || !String(selection).trim();
}

// Offsets count code points: those of the segment, and those before the place in its text.
function offsetOf(node, at) {
  const segmentNode = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest?.("[data-from]");
  if (!segmentNode) return null;
  const before = node.nodeType === Node.TEXT_NODE ? node.data.slice(0, at) : at ? segmentNode.textContent : "";
  return Number(segmentNode.dataset.from) + codePoints(before).length;
}

function selectedInNote(app, event) {
  const selection = selectionIn(app);
  if (!selection || selection.isCollapsed || !app.store.state.view || !selection.rangeCount) return;
  const range = selection.getRangeAt(0);
  const [start, end] = [offsetOf(range.startContainer, range.startOffset), offsetOf(range.endContainer, range.endOffset)];
  if (start === null || end === null || end <= start || end - start > 500) return;
  const box = range.getBoundingClientRect();
  openCorrectAt(app, trimmed(app, start, end), { left: event.clientX, bottom: box.bottom + 4, top: box.top });
}

function trimmed(app, start, end) {
  const chars = codePoints(app.store.state.view.draft.note.text);
  while (start < end && /\s/.test(chars[start])) start += 1;
  while (end > start && /\s/.test(chars[end - 1])) end -= 1;
  return { start_char: start, end_char: end, text: chars.slice(start, end).join("") };
}

// A click on a word that was not recognised opens the corrections for that word.
function clickedInNote(app, event) {
  if (!app.store.state.view || !noSelection(app)) return;
  const found = document.caretPositionFromPoint?.(event.clientX, event.clientY, { shadowRoots: [app.root.getRootNode()] });
  if (!found || found.offsetNode.nodeType !== Node.TEXT_NODE) return;
  const text = found.offsetNode.data;
  let [from, to] = [found.offset, found.offset];
  while (from > 0 && /[\p{L}\p{N}-]/u.test(text[from - 1])) from -= 1;
  while (to < text.length && /[\p{L}\p{N}-]/u.test(text[to])) to += 1;
  if (to - from < 2) return;
  const start = offsetOf(found.offsetNode, from);
  const end = offsetOf(found.offsetNode, to);
  if (start !== null) openCorrectAt(app, { start_char: start, end_char: end, text: text.slice(from, to) }, { left: event.clientX, bottom: event.clientY + 10, top: event.clientY });
}

// Words that were missed can be named by keyboard too.
function markWordsForm(app, state, text) {
  return v("form", { key: "marking", class: "marking", onsubmit: (event) => { event.preventDefault(); markWords(app, event.target, text); } },
    v("label", {}, v("span", { class: "small quiet" }, W.words_in_note), v("input", { type: "text", name: "words", maxlength: 200, made: (node) => afterDraw(() => node.focus()) })),
    v("button", { type: "submit", class: "button" }, W.mark), v("p", { class: "form-hint", role: "alert" }));
}

function markWords(app, form, text) {
  const wanted = form.words.value.trim().toLowerCase();
  const at = wanted ? text.toLowerCase().indexOf(wanted) : -1;
  form.querySelector(".form-hint").textContent = at < 0 ? W.not_in_note : "";
  if (at < 0) return;
  const start = codePoints(text.slice(0, at)).length;
  const end = start + codePoints(text.slice(at, at + wanted.length)).length;
  app.store.set({ marking: false, place: { start, end } });
  afterDraw(() => {
    const node = app.root.querySelector(".note-text .place");
    node?.scrollIntoView({ block: "center" });
    openCorrectAt(app, { start_char: start, end_char: end, text: text.slice(at, at + wanted.length) }, node.getBoundingClientRect());
  });
}

// The note goes back into the box with all that was given beside it and done with its letter: the same patient, a new letter; the
// former stays saved.
function editNote(app) {
  const { store } = app;
  const { view } = store.state;
  const request = view.request || { text: view.draft.note.text };
  const [carry, details] = [carriedOf(view), knownDetails(asServed(view).details)];
  const left = leaveLetter(app);
  store.set(freshLetter(store.state));
  nameLetter("");
  store.set((state) => ({ typed: { ...state.typed, note: request.text || "", course: request.hospital_course || "", medicines: (request.discharge_medicines || []).join("\n"), earlier: earlierText(request.patient_notes),
    question: request.question || "", options: (request.options || []).join("\n"), document: view.draft.document, filed: request.text || "", details, carry }, more: Boolean(request.hospital_course || (request.discharge_medicines || []).length) }));
  keepTyped(app);
  toast(app, carry || details ? W.former_carried : W.former_kept, () => goBack(app, left, view.id));
  app.focusNote();
}
