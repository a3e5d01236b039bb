// The keyboard: every step of a rating has a key. Keys can be turned off, and are off while words are typed.

const OFF = "rating-keys-off";

function keysOff() {
  try {
    return window.sessionStorage.getItem(OFF) === "1";
  } catch {
    return false;
  }
}

function setKeysOff(off) {
  try {
    window.sessionStorage.setItem(OFF, off ? "1" : "0");
  } catch { /* without storage keys stay on */ }
}

function onKey(form, event) {
  if (event.ctrlKey && event.key === "Enter" || event.key === "Escape") {
    if (leaveText(form, event) || event.key === "Escape" && escape(form)) stopKey(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || keysOff() && event.key !== "?") return;
  const target = event.composedPath()[0];
  if (target.matches && target.matches("textarea, select, input:not([type=checkbox])")) {
    if (event.key === "Enter" && target.dataset.note && form.small) {
      form.small.add();
      stopKey(event);
    }
    return;
  }
  const draft = form.small && form.small.cell.draft;
  if (event.key === "Enter" && draft && draft.type && draft.severity && !(target.matches && target.matches("button:not([data-choice])"))) {
    form.small.add();
    stopKey(event);
    return;
  }
  const action = /^[0-9]$/.test(event.key) ? () => digit(form, Number(event.key)) : KEYS[event.key];
  if (!action) return;
  action(form);
  stopKey(event);
}

const KEYS = {
  j: (form) => goCell(form, form.root.getRootNode().activeElement === form.root ? form.current : form.current + 1),
  k: (form) => goCell(form, form.current - 1),
  n: (form) => form.next(),
  p: (form) => form.previous(),
  s: (form) => stepSentence(form, 1),
  a: (form) => stepSentence(form, -1),
  x: (form) => stepSentence(form, 1, true),
  t: (form) => turnDraft(form),
  m: (form) => form.mode === "item" && openRemark(form, ""),
  e: (form) => onErrors(form, (cell) => openError(form, cell)),
  i: (form) => onErrors(form, (cell) => { form.span = null; openError(form, cell, "missing"); }),
  g: (form) => form.evidence(),
  "?": (form) => toggleHelp(form),
};

// Streamlit has keys of its own; one that was used here does not reach them.
function stopKey(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function leaveText(form, event) {
  const target = event.composedPath()[0];
  if (!target.matches || !target.matches("textarea, input[type=text]")) return false;
  if (event.key === "Enter" && target.dataset.note && form.small) form.small.add();
  else if (event.key === "Escape" && target.dataset.note && form.small) form.small.close();
  else (target.closest(".cell") || form.root).focus({ preventScroll: true });
  return true;
}

function escape(form) {
  if (form.help.open) {
    form.help.close();
    return true;
  }
  if (form.small && form.small.cell.draft) {
    form.small.close();
    return true;
  }
  if (form.span) {
    form.span = null;
    lightSpan(form);
    return true;
  }
  return false;
}

function digit(form, number) {
  const cell = form.cells[form.current];
  if (!cell) return;
  if (cell.draft) {
    const types = cell.draft.span ? Object.keys(W.error_types) : ["missing"];
    const severities = Object.keys(W.severities);
    if (types[number - 1]) form.small.set("type", types[number - 1]);
    else if (severities[number - 5]) form.small.set("severity", severities[number - 5]);
    return;
  }
  const { question } = cell;
  if (number === 0) {
    if (question.cannot_judge) answered(form, cell, { kind: "cannot_judge" });
    return;
  }
  if (question.only_cannot_judge) return;
  if (question.kind === "errors") {
    if (number === 9) {
      saveErrors(form, cell, []);
      goOpen(form);
    }
  } else if (question.kind === "ranking") {
    const parts = form.data.shown.drafts.map((d) => d.part);
    if (number > parts.length) return;
    if (parts.every((p) => (cell.places || {})[p])) cell.places = {};
    placeDraft(form, cell, parts.find((p) => !(cell.places || {})[p]), number);
    if (parts.every((p) => cell.places[p])) goOpen(form);
  } else if (question.kind !== "text") {
    const at = question.options.findIndex((_, i) => keycap(question.options, i) === String(number));
    if (at >= 0) answered(form, cell, { kind: "value", value: question.options[at].value });
  }
}

function answered(form, cell, answer) {
  answerCell(form, cell, answer);
  goOpen(form);
}

// On to the next question that is still open, else to the next one.
function goOpen(form) {
  const after = [...form.cells.keys()].map((i) => (form.current + 1 + i) % form.cells.length);
  const open = after.find((i) => form.cells[i].question.required && !form.cells[i].answer);
  goCell(form, open === undefined ? form.current : open);
}

function goCell(form, index) {
  if (index < 0 || index >= form.cells.length) return;
  form.current = index;
  const cell = form.cells[index];
  if (cell.part) form.part = cell.part;
  showPane(form, "questions");
  const text = cell.question.kind === "text" && cell.box.querySelector("textarea");
  (text || cell.box).focus({ preventScroll: true });
  cell.box.scrollIntoView({ block: "nearest" });
  lightCell(form);
  form.say(cell.question.prompt);
}

function lightCell(form) {
  form.cells.forEach((cell, i) => cell.box && cell.box.classList.toggle("current", i === form.current));
}

function onErrors(form, then) {
  const here = form.cells[form.current];
  const part = form.span ? form.span.part : here && here.part;
  const errors = form.cells.filter((c) => c.question.kind === "errors" && !c.question.only_cannot_judge);
  const cell = errors.find((c) => c.part === part) || errors[0];
  if (!cell) return;
  form.current = form.cells.indexOf(cell);
  then(cell);
}

function turnDraft(form) {
  const parts = (form.data.shown.drafts || []).map((d) => d.part);
  if (parts.length < 2) return;
  form.part = parts[(parts.indexOf(form.part) + 1) % parts.length];
  form.span = null;
  stepSentence(form, 1);
}

function helpDialog(form) {
  const off = h("input", { type: "checkbox", onchange: () => setKeysOff(off.checked) });
  off.checked = keysOff();
  const dialog = h("dialog", { class: "help", "aria-label": W.keys }, h("h2", {}, W.keys),
    h("dl", {}, Object.entries(W.key_list).map(([name, what]) => [h("dt", {}, key(name)), h("dd", {}, what)])),
    h("label", {}, off, " " + W.keys_off),
    h("div", { class: "options" }, h("button", { type: "button", class: "option", onclick: () => dialog.close() }, key("esc"), W.close)));
  return dialog;
}

function toggleHelp(form) {
  if (form.help.open) form.help.close();
  else form.help.showModal();
}
