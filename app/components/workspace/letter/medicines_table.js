// The medicines: every row is edited where it stands, its alerts on the row; a row that is taken out comes back with undo.

const DRUG_LETTER = "discharge_instructions"; // the document that tells a patient what to take
const BY_THE_NOTE = "the note"; // the API's name for the source of a row that nobody else has decided

// The decisions that answer what is asked of a row: the action, its words where they are not the action's, whether a dose goes with it.
const OFFERS = {
  taken: [{ action: "continue" }, { action: "stopped" }],
  as_needed: [{ action: "as_needed" }, { action: "stopped" }],
  start: [{ action: "new", words: "start", dose: true }, { removed: true, words: "not_start" }],
  home: [{ action: "new", words: "at_home", dose: true }, { action: "hospital_only" }],
  dose: [{ action: "continue", words: "set_dose", dose: true, anew: true }, { action: "stopped" }],
  held: [{ action: "continue" }, { action: "on_hold" }],
};

function drawMedicines(app, state, letter) {
  const rows = letter.medicines;
  const listed = takenAsListed(letter);
  const fresh = { id: "", action: "new", name: "", dose: "", timing: "", reason: "", recognised: true, likely: false, prompt: "", old_dose: "" };
  return v("div", { key: "medicines", class: "medicines", role: "region", "aria-label": W.medicines, "data-rove": "medicines" },
    v("table", {}, v("thead", {}, v("tr", {}, [W.what_to_do, W.medicine, W.dose, W.when, W.what_for].map((words, at) => v("th", { key: at, scope: "col" }, words)), v("th", { scope: "col" }, v("span", { class: "sr" }, W.row_tools)))),
      v("tbody", {}, rows.map((row, at) => [lazy(row.id || `new-${at}`, [row, letter.flags, letter.answers, letter.state], () => medicineRow(app, letter, row)), promptRow(app, state, letter, row, at), formularyRow(letter, row, at)]),
        state.adding ? medicineRow(app, letter, fresh, true) : null)),
    listed.length > 1 ? v("button", { key: "all", type: "button", class: "button keep-all", onclick: () => edit(app, listed.map((row) => medicineChange(row, usualDecision(row)))) }, icon("done_all"), fillWords(W.keep_all, { n: listed.length })) : null,
    v("button", { key: "add", type: "button", class: "quiet-button add-row", onclick: () => addMedicine(app) }, icon("add"), W.add_medicine));
}

// The rows that somebody has to decide; one on hold by the note alone is asked about as well.
function toDecide(letter) {
  if (letter.document !== DRUG_LETTER) return [];
  return letter.medicines.filter((row) => row.action === "undecided" || isPaused(row));
}

function isPaused(row) {
  return row.action === "on_hold" && row.source === BY_THE_NOTE;
}

function offersOf(row) {
  return OFFERS[isPaused(row) ? "held" : row.question] || OFFERS.taken;
}

function usualDecision(row) {
  return { action: offersOf(row)[0].action };
}

// Those that are taken by the note and nothing speaks against: one press goes on with all of them.
function takenAsListed(letter) {
  if (letter.state === "signed") return [];
  return toDecide(letter).filter((row) => ["taken", "as_needed"].includes(row.question) && !flagsOfMedicine(letter, row).some((flag) => flag.severity === "severe" && !letter.answers[flag.id]));
}

function addMedicine(app) {
  if (app.store.state.view.state === "signed") return void askToReopen(app, () => addMedicine(app));
  app.store.set({ adding: true });
  afterDraw(() => app.root.querySelector('.medicine.fresh [name="name"]')?.focus());
}

function medicineRow(app, letter, row, fresh) {
  const flags = flagsOfMedicine(letter, row);
  const name = row.name || W.new_medicine;
  const signed = letter.state === "signed";
  const noted = row.prompt || isPaused(row) || changedFrom(row, letter);
  return v("tr", { key: fresh ? "fresh" : row.id, "data-row": row.id, class: `medicine${noted ? " noted" : ""} a-${row.action}${row.waiting ? " waiting" : ""}${fresh ? " fresh" : ""}` },
    v("td", { "data-label": W.what_to_do }, v("select", { name: "action", "aria-label": `${W.what_to_do}: ${name}`, value: row.action, onkeydown: (event) => cellKey(event), onchange: (event) => (fresh ? null : changeMedicine(app, row, { action: event.target.value })) },
      Object.entries(W.actions).map(([action, words]) => v("option", { value: action, selected: action === row.action }, words)))),
    [["name", W.medicine], ["dose", W.dose], ["timing", W.when], ["reason", W.what_for]].map(([key, words]) => medicineCell(app, row, key, words, { name, signed, fresh })),
    v("td", { class: "row-tools" }, flags.length ? v("button", { type: "button", class: "row-alert" + (flags.some((flag) => flag.severity === "severe" && !letter.answers[flag.id]) ? " severe" : ""),
      "aria-label": countWords(W.alerts_of, flags.length, { name }), title: flags.map((flag) => W_DATA.flags[flag.kind] || flag.message).join("\n"), onclick: () => showAlerts(app, medicineName(flags[0], letter)) },
    icon(flags.some((flag) => flag.severity === "severe") ? "error" : "warning")) : row.recognised ? null : v("span", { class: "row-alert", title: W.unknown_medicine }, icon("help"), v("span", { class: "sr" }, W.unknown_medicine)),
    fresh ? null : v("button", { type: "button", class: "icon-button", "aria-label": fillWords(W.remove_medicine, { name }), title: W.remove_row, onclick: () => removeMedicine(app, row) }, icon("close"))));
}

// What is typed is held against the row as it was when the typing began: another may have changed it since.
function medicineCell(app, row, key, words, { name, signed, fresh }) {
  const cellOf = (cell) => app.root.querySelector(`[data-row="${CSS.escape(row.id)}"] [name="${cell}"]`);
  const taken = ({ target }) => {
    const { begun } = target;
    target.begun = undefined;
    changeMedicine(app, row, { [key]: target.value.trim(), ...decisionWith(app, row, key) }, begun);
    afterDraw(() => showGiven(target)); // as it stands in the letter, taken or not
  };
  return v("td", { key, "data-label": words }, v("textarea", { rows: 1, name: key, value: row[key] || "", "aria-label": `${words}: ${name}`, placeholder: fresh ? words : "–", maxlength: 300, readonly: signed,
    onclick: signed ? (event) => { const { name: cell } = event.target; askToReopen(app, () => afterDraw(() => cellOf(cell)?.focus())); } : null, onkeydown: (event) => cellKey(event),
    oninput: (event) => { event.target.begun ??= rowFields(row); }, onchange: fresh ? null : taken, onblur: (event) => (fresh ? leaveFresh(app, event) : leaveCell(app, row, key, event.target)) }));
}

// What has to be decided of a row, with the decisions that answer it at one click, or its dose before, stands below it; words that stand
// below the row before as well are seen once.
function promptRow(app, state, letter, row, at) {
  const words = row.prompt || (isPaused(row) ? W.paused_asked : "") || changedFrom(row, letter);
  const again = row.prompt && row.prompt === letter.medicines[at - 1]?.prompt;
  const open = (row.action === "undecided" || isPaused(row)) && letter.state !== "signed";
  return words ? v("tr", { key: `prompt-${row.id || at}`, class: "row-prompt" }, v("td", { colspan: 6 }, v("span", { lang: row.prompt ? "en" : null, class: again ? "sr" : null }, words),
    open ? v("span", { class: "decide", "data-decide": row.id }, offersOf(row).map((offer) => decideButton(app, row, offer)), state.deciding?.row === row.id ? v("span", { class: "dose-asked", role: "status" }, W.dose_asked) : null) : null)) : null;
}

// The dose before a change, and that no rule decided the row but a likely reading of the whole note.
function changedFrom(row, letter) {
  const before = row.action === "changed" && row.old_dose ? fillWords(W.was_dose, { dose: row.old_dose }) : "";
  return [before, row.likely && letter.state !== "signed" ? W.likely_row : ""].filter(Boolean).join(" \u00b7 ");
}

function decideButton(app, row, offer) {
  const words = W.offers[offer.words] || W.actions[offer.action];
  return v("button", { key: words, type: "button", class: "link", "aria-label": `${words}: ${row.name}`, onclick: (event) => decide(app, row, offer, event.detail === 0) }, words);
}

// A decision that a dose goes with waits for the dose: its cell is asked for it.
function decide(app, row, offer, byKey) {
  if (offer.removed) return removeMedicine(app, row);
  if (offer.dose && (offer.anew || !row.dose)) {
    app.store.set({ deciding: { row: row.id, action: offer.action } });
    return afterDraw(() => { const cell = app.root.querySelector(`[data-row="${CSS.escape(row.id)}"] [name="dose"]`); cell?.focus(); cell?.select(); });
  }
  edit(app, medicineChange(row, { action: offer.action }));
  if (byKey) afterDraw(() => goToDecision(app));
  return null;
}

function decisionWith(app, row, key) {
  const { deciding } = app.store.state;
  if (key !== "dose" || deciding?.row !== row.id) return {};
  app.store.set({ deciding: null });
  return { action: deciding.action };
}

// A dose that is left as it stood is the one that was meant, and no dose is no decision.
function leaveCell(app, row, key, cell) {
  cell.begun = undefined;
  const decided = decisionWith(app, row, key);
  if (decided.action && cell.value.trim()) edit(app, medicineChange(row, { ...decided, dose: cell.value.trim() }));
}

// The next row that somebody has to decide.
function goToDecision(app) {
  app.store.set({ column: "letter", sheet: false });
  afterDraw(() => {
    const place = app.root.querySelector("[data-decide] button");
    place?.focus();
    if (place) intoSight(place.closest("tr"));
  });
}

// What the hospital's own formulary says of a medicine stands below its row, for information.
function formularyRow(letter, row, at) {
  const name = row.name.toLowerCase();
  const said = letter.flags.filter((flag) => flag.kind === "formulary" && [flag.medicine, ...(flag.evidence || [])].some((one) => one && one.toLowerCase() === name));
  return said.length ? v("tr", { key: `formulary-${row.id || at}`, class: "row-prompt" }, v("td", { colspan: 6 }, said.map((flag) => flag.message).join(" "))) : null;
}

function medicineChange(row, change) {
  const { id, name, action, dose, timing, reason } = { ...row, ...change };
  return { kind: "medicine", medicine: { id: id || "", name, action, dose: dose || "", timing: timing || "", reason: reason || "", removed: Boolean(change.removed) } };
}

// seen: the row as its author saw it when the change was begun; what was not touched stays as it is now.
function changeMedicine(app, row, change, seen) {
  if ("name" in change && !change.name) return removeMedicine(app, row);
  if (Object.entries(change).every(([key, value]) => (row[key] || "") === value)) return null;
  return edit(app, medicineChange(seen ? { ...row, ...seen, removed: false } : row, change), seen ? { seen } : {});
}

function removeMedicine(app, row) {
  edit(app, medicineChange(row, { removed: true }));
  if (!app.store.state.dialog) toast(app, fillWords(W.removed_medicine, { name: row.name }), () => edit(app, medicineChange(row, {})));
}

// The new row is taken when the focus leaves it; one without a name is none.
function leaveFresh(app, event) {
  const row = event.target.closest("tr");
  if (!row || row.contains(event.relatedTarget)) return;
  const value = (name) => row.querySelector(`[name="${name}"]`).value.trim();
  const name = value("name");
  app.store.set({ adding: false });
  if (name) edit(app, medicineChange({ id: "", name, action: row.querySelector("select").value, dose: value("dose"), timing: value("timing"), reason: value("reason") }, {}));
}

// In the table the arrows move from cell to cell; Enter opens a list or takes what is typed, Escape leaves the cell as it was.
function cellKey(event) {
  const { key, target } = event;
  if (key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    if (target.tagName === "SELECT") target.showPicker?.();
    else target.blur();
    return;
  }
  if (key === "Escape") { showGiven(target); target.blur(); return; }
  if (target.tagName === "TEXTAREA" && !["ArrowUp", "ArrowDown", "Tab"].includes(key)) {
    const edge = key === "ArrowLeft" ? target.selectionStart === 0 && target.selectionEnd === 0 : key === "ArrowRight" ? target.selectionStart === target.value.length : false;
    if (!edge) event.stopPropagation();
  }
}
