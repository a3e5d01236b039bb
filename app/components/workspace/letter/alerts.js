// Alerts: grouped by medicine, severe ones first. A severe one ends when the letter has changed, or with an answer from the list and a name.

const SEVERITY_ORDER = { severe: 0, warning: 1, info: 2 };

// A flag stands with its medicine; one that names none stands with the row that it speaks of.
function medicineName(flag, letter) {
  if (flag.medicine) return flag.medicine;
  const row = letter.medicines.find((one) => flagsOfMedicine(letter, one).includes(flag));
  return row ? row.name : W.other_alerts;
}

function flagsOfMedicine(letter, row) {
  const name = row.name.toLowerCase();
  if (!name) return [];
  return letter.flags.filter((flag) => flag.severity !== "info" && (flag.medicine.toLowerCase() === name || (flag.evidence || []).some((one) => one.toLowerCase() === name) || (!flag.medicine && flag.message.toLowerCase().startsWith(name))));
}

function groupsOfFlags(flags, letter) {
  const groups = new Map();
  for (const flag of [...flags].sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity])) {
    const name = medicineName(flag, letter);
    groups.set(name, [...(groups.get(name) || []), flag]);
  }
  return [...groups];
}

function showAlerts(app, medicine) {
  openEvidence(app, "safety", medicine);
}

function drawAlerts(app, state, letter) {
  const shown = letter.flags.filter((flag) => flag.kind !== "gap");
  if (!shown.length) return v("p", { class: "pad" }, checkedWords(state.view.draft));
  const loud = shown.filter((flag) => flag.severity !== "info");
  const quiet = shown.filter((flag) => flag.severity === "info");
  return v("div", { key: "alerts", class: "alerts" }, groupsOfFlags(loud, letter).map(([name, flags]) => alertGroup(app, state, letter, name, flags)),
    quiet.length ? v("details", { key: "quiet", class: "quiet-alerts" }, v("summary", {}, countWords(W.n_for_information, quiet.length)), groupsOfFlags(quiet, letter).map(([name, flags]) => alertGroup(app, state, letter, name, flags))) : null);
}

function alertGroup(app, state, letter, name, flags) {
  return v("section", { key: name, class: "alert-group", "data-medicine": name }, v("h4", {}, name), flags.map((flag) => alertRow(app, state, letter, flag)));
}

function alertRow(app, state, letter, flag) {
  const answer = letter.answers[flag.id];
  const sentence = flag.sentence !== null && flag.sentence !== undefined ? letter.live[flag.sentence] : null;
  const row = letter.medicines.find((one) => flagsOfMedicine(letter, one).includes(flag));
  const change = letter.state === "signed" ? null : row ? () => goToRow(app, row) : sentence ? () => goToSentence(app, sentence) : null;
  return v("div", { key: flag.id, class: `alert s-${flag.severity}${answer ? " answered" : ""}`, "data-flag": flag.id },
    v("p", { class: "alert-words" }, icon(flag.severity === "severe" ? "error" : flag.severity === "warning" ? "warning" : "info"), v("span", {}, v("strong", {}, W.severities[flag.severity]), " ", flagWords(flag, letter))),
    answer ? v("p", { class: "alert-answer small" }, icon("check"), answerWords(state, answer), v("button", { type: "button", class: "link", onclick: () => edit(app, { kind: "unanswer_flag", flag: flag.id }) }, W.take_back))
      : v("div", { class: "alert-acts" }, change && flag.severity !== "info" ? v("button", { type: "button", class: "link", onclick: change }, W.change_letter) : null,
        flag.severity === "severe" ? answerForm(app, state, flag) : null));
}

// What an alert is about is changed where it stands: the row of its medicine, else its sentence.
function goToRow(app, row) {
  app.store.set({ column: "letter", sheet: false });
  const id = CSS.escape(row.id);
  afterDraw(() => (app.root.querySelector(`[data-decide="${id}"] button`) || app.root.querySelector(`[data-row="${id}"] select`))?.focus());
}

function goToSentence(app, sentence) {
  app.store.set({ column: "letter", sheet: false });
  startEdit(app, sentence.id);
}

// The answers are a closed list; some ask for a few words. The name is of who answers.
function answerForm(app, state, flag) {
  if (!state.answers.length) return null;
  const id = `answer-${flag.id}`;
  return v("form", { class: "answer-form", onsubmit: (event) => { event.preventDefault(); giveAnswer(app, flag, event.target); } },
    v("select", { name: "code", onkeydown: (event) => cellKey(event), "aria-label": `${W.answer_with}: ${W_DATA.flags[flag.kind] || flag.message}`, onchange: (event) => answerChosen(app, flag, event.target) },
      v("option", { value: "" }, W.choose_answer), state.answers.filter((one) => !(one.fits || []).length || one.fits.includes(flag.kind)).map((one) => v("option", { key: one.code, value: one.code }, said(one.label)))),
    v("label", { class: "answer-words" }, v("span", { class: "small quiet" }, W.in_words), v("input", { type: "text", name: "words", maxlength: 500, onkeydown: keepArrows })),
    state.locked ? null : v("label", { class: "answer-more" }, v("span", { class: "small quiet" }, W.your_name), v("input", { type: "text", name: "name", id: `${id}-name`, value: state.typed.name, autocomplete: "name", maxlength: 120, onkeydown: keepArrows })),
    v("button", { type: "submit", class: "button answer-more" }, W.give_answer), v("p", { class: "form-hint", role: "alert" }));
}

// In a text field left and right move the caret.
function keepArrows(event) {
  if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) event.stopPropagation();
}

// What needs no more than the choice is given with it; else what is missing is asked for.
function answerChosen(app, flag, select) {
  const found = app.store.state.answers.find((one) => one.code === select.value);
  select.form.classList.toggle("begun", Boolean(found));
  select.form.classList.toggle("needs-words", Boolean(found && found.needs_words));
  if (found && !found.needs_words && app.store.state.typed.name.trim()) giveAnswer(app, flag, select.form);
}

function giveAnswer(app, flag, form) {
  const { store } = app;
  const code = form.code.value;
  const words = form.words.value.trim();
  const name = store.state.locked ? store.state.typed.name : form.querySelector('[name="name"]').value.trim();
  const found = store.state.answers.find((one) => one.code === code);
  const hint = !found ? W.choose_answer_first : found.needs_words && !words ? W.words_needed : !name ? W.name_needed : "";
  form.querySelector(".form-hint").textContent = hint;
  if (hint) return;
  typeField(app, "name", name);
  edit(app, { kind: "answer_flag", flag: flag.id, answer: { code, words } });
}

function answerWords(state, answer) {
  const found = state.answers.find((one) => one.code === answer.code);
  return [found ? said(found.label) : answer.code, answer.words, answer.name].filter(Boolean).join(" · ");
}

// Nothing found reads as what was compared, never as safe.
function checkedWords(draft) {
  return fillWords(W.no_conflict, { n: draft.checks.compared.length });
}
