// Errors marked by sentence or by selected words, and remarks. Both open a small form; both are saved when it is left.

function errorsOf(cell) {
  return cell.answer && cell.answer.kind === "errors" ? cell.answer.errors : [];
}

function errorsInput(form, cell) {
  const errors = errorsOf(cell);
  const none = cell.answer && cell.answer.kind === "errors" && !errors.length;
  const rows = errors.map((error, i) => h("li", {}, h("strong", {}, `E${i + 1} ${W.error_types[error.type]}, ${W.severities[error.severity].toLowerCase()}`),
    error.start_char === null ? null : h("q", {}, wordsAt(form, cell.part, error)), error.note ? h("span", {}, " " + error.note) : null,
    h("button", { type: "button", class: "plain", "aria-label": fillWords(W.remove_error, { n: i + 1 }),
      onclick: () => saveErrors(form, cell, errors.filter((_, at) => at !== i)) }, W.remove)));
  return h("div", { class: "errors" }, errors.length ? h("ol", { class: "error-list" }, rows) : null,
    cell.draft ? errorForm(form, cell) : h("div", { class: "options" },
      h("button", { type: "button", class: "option", "data-add": "span", onclick: () => openError(form, cell) }, key("e"), W.mark_words),
      h("button", { type: "button", class: "option", "data-add": "missing", onclick: () => openError(form, cell, "missing") }, key("i"), W.something_missing),
      h("button", { type: "button", class: "option", "data-add": "none", "aria-pressed": String(Boolean(none)), onclick: () => saveErrors(form, cell, []) }, key("9"), W.no_errors)));
}

function saveErrors(form, cell, errors) {
  answerCell(form, cell, { kind: "errors", errors });
  redrawMarks(form);
}

function wordsAt(form, part, span) {
  const draft = form.data.shown.drafts.find((d) => d.part === part);
  const words = codePoints(draft.text).slice(span.start_char, span.end_char).join("").trim();
  return words.length > 80 ? words.slice(0, 77) + "…" : words;
}

function openError(form, cell, type) {
  const span = form.span && form.span.part === cell.part ? form.span : null;
  if (!span && type !== "missing") {
    cell.message = W.choose_words_first;
    fillCell(form, cell);
    form.say(cell.message);
    return;
  }
  cell.draft = { type: type || "", severity: "", note: "", span: type === "missing" && !span ? null : span };
  cell.message = "";
  fillCell(form, cell);
  showPane(form, "questions");
  cell.box.scrollIntoView({ block: "nearest" });
  cell.box.querySelector(".small-form button").focus({ preventScroll: true });
}

function errorForm(form, cell) {
  const { draft } = cell;
  const choice = (field, words, from) => h("div", { class: "options", role: "group", "aria-label": field === "type" ? W.error_kind : W.severity },
    Object.entries(words).map(([value, word], i) => h("button", { type: "button", class: "option", "data-field": field, "data-choice": value, "aria-pressed": String(draft[field] === value),
      onclick: () => { draft[field] = value; refresh(`[data-choice="${value}"]`); } }, key(String(from + i)), word)));
  const note = h("input", { type: "text", "aria-label": W.what_is_wrong, placeholder: W.what_is_wrong, maxlength: 1900, "data-note": true });
  note.value = draft.note;
  note.addEventListener("input", () => { draft.note = note.value; });
  const refresh = (selector) => {
    fillCell(form, cell);
    const node = cell.box.querySelector(selector);
    if (node) node.focus({ preventScroll: true });
  };
  const close = () => {
    cell.draft = null;
    fillCell(form, cell);
    cell.box.focus({ preventScroll: true });
  };
  const add = () => {
    if (!draft.type || !draft.severity) {
      cell.message = W.choose_kind;
      fillCell(form, cell);
      return;
    }
    const at = draft.span || { start_char: null, end_char: null };
    const error = { type: draft.type, severity: draft.severity, start_char: at.start_char, end_char: at.end_char, note: draft.note };
    cell.draft = null;
    saveErrors(form, cell, [...errorsOf(cell), error]);
    cell.box.focus({ preventScroll: true });
  };
  form.small = { cell, add, close, set: (field, value) => { draft[field] = value; refresh(`[data-choice="${value}"]`); } };
  return h("div", { class: "small-form" }, draft.span ? h("p", { class: "small" }, h("q", {}, wordsAt(form, cell.part, draft.span))) : h("p", { class: "small" }, W.missing_words),
    choice("type", draft.span ? W.error_types : { missing: W.error_types.missing }, 1), choice("severity", W.severities, 5), note,
    h("div", { class: "options" }, h("button", { type: "button", class: "option go", "data-do": "add", onclick: add }, key("↵"), W.add),
      h("button", { type: "button", class: "option", onclick: close }, key("esc"), W.cancel)));
}

// ---- remarks

function remarksOf(shown) {
  return (shown.answers || []).filter((a) => a.key === "comment" && a.phase === shown.phase && !a.answer.deleted)
    .map((a) => ({ thread: a.answer.thread, part: a.part, text: a.answer.text, start_char: a.answer.start_char, end_char: a.answer.end_char, revision: a.revision, pending: 0, state: "saved", message: "" }));
}

function openRemark(form, part) {
  const span = form.span && (!part || form.span.part === part) ? form.span : null;
  form.remarks.push({ thread: newId(), part: span ? span.part : "", text: "", revision: 0, pending: 0, state: "", message: "",
    start_char: span ? span.start_char : null, end_char: span ? span.end_char : null });
  drawRemarks(form);
  redrawMarks(form);
  showPane(form, "questions");
  const last = form.remarkBox.querySelector("li:last-child textarea");
  last.scrollIntoView({ block: "nearest" });
  last.focus({ preventScroll: true });
}

function drawRemarks(form) {
  clear(form.remarkBox);
  form.remarkBox.append(h("h3", {}, W.remarks));
  const rows = form.remarks.map((remark, i) => {
    remark.sentText = remark.state ? remark.text : "";
    const area = textBox(remark, { rows: 2, "aria-label": fillWords(W.remark_n, { n: i + 1 }), "data-remark": remark.thread }, remark.text,
      (typed) => { remark.text = typed; }, (written) => { if (written !== remark.sentText && written.trim()) sendRemark(form, remark, written, false); });
    return h("li", {}, h("span", { class: "small" }, `R${i + 1} `, remark.start_char === null ? W.on_whole : h("q", {}, wordsAt(form, remark.part, remark))), area,
      h("span", { class: "state small" }, stateWords(remark)),
      h("button", { type: "button", class: "plain", "aria-label": fillWords(W.remove_remark, { n: i + 1 }), onclick: () => dropRemark(form, remark) }, W.remove));
  });
  form.remarkBox.append(rows.length ? h("ol", { class: "remark-list" }, rows) : "",
    h("button", { type: "button", class: "plain", onclick: () => { form.span = null; lightSpan(form); openRemark(form, ""); } }, W.add_remark));
}

function sendRemark(form, remark, text, deleted) {
  const { shown } = form.data;
  const entry = { id: newId(), kind: "answer", number: shown.number, cell: "remark|" + remark.thread,
    body: { key: "comment", part: remark.part, phase: shown.phase, seen_revision: remark.revision + remark.pending, visible_ms: form.watch.take(), tab: form.tab,
      answer: { kind: "comment", thread: remark.thread, text, start_char: remark.start_char, end_char: remark.end_char, deleted } } };
  remark.sentText = text;
  remark.pending += 1;
  remark.state = "saving";
  form.outbox.add(entry);
  showRemarkState(form, remark);
  form.post();
}

function showRemarkState(form, remark) {
  const area = form.remarkBox && form.remarkBox.querySelector(`[data-remark="${remark.thread}"]`);
  if (area) area.parentNode.querySelector(".state").textContent = stateWords(remark);
}

function dropRemark(form, remark) {
  clearTimeout(remark.timer);
  form.remarks = form.remarks.filter((one) => one !== remark);
  if (remark.state) sendRemark(form, remark, remark.text, true);
  drawRemarks(form);
  redrawMarks(form);
}
