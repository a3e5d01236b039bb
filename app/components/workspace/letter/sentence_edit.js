// Choosing a sentence, editing it in place, adding after it, deleting it, checking it.

function choose(app, id, { focus } = {}) {
  const { store } = app;
  if (store.state.chosen !== id) store.set({ chosen: id, chosen_source: null, opened: null, tab: store.state.tab === "problems" ? "sources" : store.state.tab === "safety" && !sentenceHasFlag(app, id) ? "sources" : store.state.tab });
  afterDraw(() => {
    const row = app.root.querySelector(`[data-sentence="${CSS.escape(id)}"]`);
    if (!row) return;
    if (focus) (row.querySelector(".words") || row.querySelector("[data-gap]"))?.focus({ preventScroll: true });
    intoSight(row);
  });
}

function sentenceHasFlag(app, id) {
  const letter = letterOf(app.store.state);
  const at = letter.live.findIndex((one) => one.id === id);
  return letter.flags.some((flag) => flag.sentence === at);
}

// Scrolls its own column alone, and only as far as needed.
function intoSight(row) {
  const pane = row.closest("[data-scroll]");
  if (!pane) return;
  const [outer, inner] = [pane.getBoundingClientRect(), row.getBoundingClientRect()];
  const head = pane.querySelector(".strip-place")?.offsetHeight || 0;
  if (inner.top < outer.top + head + 8) pane.scrollTop += inner.top - outer.top - head - 24;
  else if (inner.bottom > outer.bottom - 8) pane.scrollTop += inner.bottom - outer.bottom + 48;
}

function clicked(app, sentence, event) {
  const selection = selectionIn(app);
  if (selection && !selection.isCollapsed && String(selection).trim()) return;
  const caret = caretAt(app, event);
  choose(app, sentence.id, {});
  if (app.store.state.phase === "letter" && app.store.state.view.state !== "signed") startEdit(app, sentence.id, caret);
}

function selectionIn(app) {
  const inside = app.root.getRootNode();
  return inside.getSelection ? inside.getSelection() : document.getSelection();
}

function caretAt(app, event) {
  const found = document.caretPositionFromPoint ? document.caretPositionFromPoint(event.clientX, event.clientY, { shadowRoots: [app.root.getRootNode()] }) : null;
  return found && found.offsetNode.nodeType === Node.TEXT_NODE ? found.offset : null;
}

function startEdit(app, id, caret = null) {
  const { store } = app;
  const sentence = letterOf(store.state).live.find((one) => one.id === id);
  if (!sentence) return;
  if (store.state.view.state === "signed") return void askToReopen(app, () => startEdit(app, id, caret));
  const letter = letterOf(store.state);
  if (letter.gaps.some((gap) => gap.sentence === id && asksTable(letter, gap))) return void goToDecision(app);
  store.set({ chosen: id, editing: { kind: "text", id, text: sentence.text, seen: { text: sentence.text } } });
  focusEditor(app, caret);
}

function startInsert(app, id, text = "") {
  if (app.store.state.view.state === "signed") return void askToReopen(app, () => startInsert(app, id, text));
  app.store.set({ chosen: id, editing: { kind: "insert", id, text } });
  focusEditor(app, null);
}

function focusEditor(app, caret) {
  afterDraw(() => {
    const box = app.root.querySelector(".sentence .editor"); // a gap is a text field too
    if (!box) return;
    box.focus({ preventScroll: true });
    const at = caret === null ? box.value.length : caret;
    box.setSelectionRange(at, at);
  });
}

function editorBox(app, label, editing) {
  return v("textarea", { class: "editor", rows: 1, "aria-label": label, value: editing.text, maxlength: 5000,
    oninput: (event) => { app.store.state.editing.text = event.target.value; grow(event.target); }, made: (node) => afterDraw(() => grow(node)),
    onkeydown: (event) => editorKey(app, event), onblur: (event) => app.store.state.editing === editing && finishEdit(app, event.target.value) });
}

function grow(box) {
  if (CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

function sentenceEditor(app, sentence, editing) {
  return editorBox(app, W.edit_sentence, editing);
}

function insertEditor(app, sentence, editing) {
  return v("div", { class: "insert" }, editorBox(app, W.new_sentence, editing));
}

function editorKey(app, event) {
  event.stopPropagation();
  if (event.key === "Escape") {
    event.preventDefault();
    leaveEditor(app);
  } else if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    const id = finishEdit(app, event.target.value);
    if (id) choose(app, id, { focus: true });
  }
}

function leaveEditor(app) {
  const { editing } = app.store.state;
  app.store.set({ editing: null });
  if (editing) choose(app, editing.id, { focus: true });
}

// Saved when the field is left, however it is left; an emptied sentence is deleted, and that can be undone. Gives the sentence that
// the person is at then: the one that was written.
function finishEdit(app, typed) {
  const { store } = app;
  const { editing } = store.state;
  if (!editing) return null;
  store.set({ editing: null });
  const text = typed.trim();
  if (editing.kind === "insert") {
    const added = text && edit(app, { kind: "insert_after", sentence: editing.id, text });
    return added ? addedName(added) : editing.id;
  }
  const sentence = letterOf(store.state).live.find((one) => one.id === editing.id);
  if (!sentence && text) store.set({ refused: fillWords(W.gap_gone, { text }) });
  if (sentence && !text) return void removeSentence(app, editing.id); // which goes to the one after it
  if (sentence && text !== sentence.text) edit(app, { kind: "replace", sentence: editing.id, text }, editing.seen && editing.seen.text !== sentence.text ? { seen: editing.seen } : {});
  return editing.id;
}

function removeSentence(app, id) {
  const letter = letterOf(app.store.state);
  const at = letter.live.findIndex((one) => one.id === id);
  if (at < 0) return;
  const gap = letter.gaps.find((one) => one.sentence === id && one.required);
  if (gap) return toast(app, fillWords(W.required_stays, { prompt: said(gap.prompt) }));
  const next = letter.live[at + 1] || letter.live[at - 1];
  edit(app, { kind: "delete", sentence: id });
  if (app.store.state.dialog) return;
  toast(app, W.deleted, () => edit(app, { kind: "restore", sentence: id }));
  if (next) choose(app, next.id, { focus: true });
}

function check(app, id, on) {
  edit(app, { kind: on ? "check" : "uncheck", sentence: id });
}

// A letter that nobody has signed says so before its first word, wherever it is pasted.
function copyText(app, letter) {
  navigator.clipboard.writeText(plainText(letter)).then(() => toast(app, W.copied)).catch(() => toast(app, W.not_copied));
}

const BLANK = "____________";

// The letter as plain text, for pasting into another system: whom it is of, what an answer was asked, and in a signed one a blank for
// each place that was left open.
function plainText(letter) {
  const signed = letter.state === "signed";
  const words = (one) => (signed ? one.text.replace(GAP, (_, prompt) => (prompt ? `${BLANK} (${prompt})` : BLANK)) : one.text);
  const sections = letter.sections.map((section) => [section.title, ...section.sentences.filter((one) => !one.deleted).map(words)].join("\n"));
  return [signed ? "" : W.draft_line, whoseLines(letter.details).join("\n"), askedLines(letter).join("\n"), ...sections].filter(Boolean).join("\n\n");
}

function whoseLines(details) {
  const known = { patient_name: details.patient_name, date_of_birth: details.date_of_birth && wholeDay(details.date_of_birth), record_number: details.record_number };
  return Object.entries(known).filter(([, value]) => value).map(([name, value]) => `${W.details[name]}: ${value}`);
}

function askedLines(letter) {
  const { question, options } = letter.context;
  return letter.document === ANSWER && question ? [`${W.question}: ${question}`, ...(options || []).map((option, at) => `${"ABCDEFGHIJ"[at]}: ${option}`)] : [];
}
