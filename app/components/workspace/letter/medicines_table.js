// The medicines: every row is edited where it stands, its alerts on the row; a row that is taken out comes back with undo.

const MEDICINE_FIELDS = ["name", "dose", "timing", "reason"];

function drawMedicines(app, state, letter) {
  const rows = letter.medicines;
  const adding = state.adding;
  return v("div", { key: "medicines", class: "medicines", role: "region", "aria-label": W.medicines, "data-rove": "medicines" },
    v("table", {}, v("thead", {}, v("tr", {}, [W.what_to_do, W.medicine, W.dose, W.when, W.what_for].map((words, at) => v("th", { key: at, scope: "col" }, words)), v("th", { scope: "col" }, v("span", { class: "sr" }, W.row_tools)))),
      v("tbody", {}, rows.map((row, at) => [lazy(row.id || `new-${at}`, [row, letter.flags, letter.answers, letter.state], () => medicineRow(app, letter, row)), promptRow(app, letter, row, at), formularyRow(letter, row, at)]),
        adding ? medicineRow(app, letter, { id: "", action: "new", name: "", dose: "", timing: "", reason: "", recognised: true, prompt: "", old_dose: "" }, true) : null)),
    v("button", { key: "add", type: "button", class: "quiet-button add-row", onclick: () => addMedicine(app) }, icon("add"), W.add_medicine));
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
  const field = (key, words) => v("td", { key, "data-label": words }, v("textarea", { rows: 1, name: key, value: row[key] || "", "aria-label": `${words}: ${name}`, placeholder: fresh ? words : "–", maxlength: 300, readonly: signed,
    onclick: signed ? (event) => { const { name: cell } = event.target; askToReopen(app, () => afterDraw(() => app.root.querySelector(`[data-row="${CSS.escape(row.id)}"] [name="${cell}"]`)?.focus())); } : null, onkeydown: (event) => cellKey(event), onchange: (event) => (fresh ? null : changeMedicine(app, row, { [key]: event.target.value.trim() })), onblur: fresh ? (event) => leaveFresh(app, event) : null }));
  const noted = row.prompt || (row.action === "changed" && row.old_dose);
  return v("tr", { key: fresh ? "fresh" : row.id, "data-row": row.id, class: `medicine${noted ? " noted" : ""} a-${row.action}${row.waiting ? " waiting" : ""}${fresh ? " fresh" : ""}` },
    v("td", { "data-label": W.what_to_do }, v("select", { name: "action", "aria-label": `${W.what_to_do}: ${name}`, value: row.action, onkeydown: (event) => cellKey(event), onchange: (event) => (fresh ? null : changeMedicine(app, row, { action: event.target.value })) },
      Object.entries(W.actions).map(([action, words]) => v("option", { value: action, selected: action === row.action }, words)))),
    field("name", W.medicine), field("dose", W.dose), field("timing", W.when), field("reason", W.what_for),
    v("td", { class: "row-tools" }, flags.length ? v("button", { type: "button", class: "row-alert" + (flags.some((flag) => flag.severity === "severe" && !letter.answers[flag.id]) ? " severe" : ""),
      "aria-label": countWords(W.alerts_of, flags.length, { name }), title: flags.map((flag) => W_DATA.flags[flag.kind] || flag.message).join("\n"), onclick: () => showAlerts(app, medicineName(flags[0], letter)) },
    icon(flags.some((flag) => flag.severity === "severe") ? "error" : "warning")) : row.recognised ? null : v("span", { class: "row-alert", title: W.unknown_medicine }, icon("help"), v("span", { class: "sr" }, W.unknown_medicine)),
    fresh ? null : v("button", { type: "button", class: "icon-button", "aria-label": fillWords(W.remove_medicine, { name }), title: W.remove_row, onclick: () => removeMedicine(app, row) }, icon("close"))));
}

// What has to be decided of a row, with the two usual decisions at one click, or its dose before, stands below it; words that stand
// below the row before as well are seen once.
function promptRow(app, letter, row, at) {
  const words = row.prompt || (row.action === "changed" && row.old_dose ? fillWords(W.was_dose, { dose: row.old_dose }) : "");
  const again = row.prompt && row.prompt === letter.medicines[at - 1]?.prompt;
  return words ? v("tr", { key: `prompt-${row.id || at}`, class: "row-prompt" }, v("td", { colspan: 6 }, v("span", { lang: "en", class: again ? "sr" : null }, words), row.action === "undecided" && letter.state !== "signed"
    ? v("span", { class: "decide" }, ["continue", "stopped"].map((action) => v("button", { key: action, type: "button", class: "link", "aria-label": `${W.actions[action]}: ${row.name}`, onclick: () => changeMedicine(app, row, { action }) }, W.actions[action]))) : null)) : null;
}

// What the hospital's own formulary says of a medicine stands below its row, for information.
function formularyRow(letter, row, at) {
  const name = row.name.toLowerCase();
  const said = letter.flags.filter((flag) => flag.kind === "formulary" && [flag.medicine, ...(flag.evidence || [])].some((one) => one && one.toLowerCase() === name));
  return said.length ? v("tr", { key: `formulary-${row.id || at}`, class: "row-prompt" }, v("td", { colspan: 6 }, said.map((flag) => flag.message).join(" "))) : null;
}

function medicineEdit(row, change) {
  const { id, name, action, dose, timing, reason } = { ...row, ...change };
  return { id: id || "", name, action, dose: dose || "", timing: timing || "", reason: reason || "", removed: Boolean(change.removed) };
}

function changeMedicine(app, row, change) {
  if ("name" in change && !change.name) return removeMedicine(app, row);
  if (Object.entries(change).every(([key, value]) => (row[key] || "") === value)) return null;
  return edit(app, { kind: "medicine", medicine: medicineEdit(row, change) });
}

function removeMedicine(app, row) {
  edit(app, { kind: "medicine", medicine: medicineEdit(row, { removed: true }) });
  if (!app.store.state.dialog) toast(app, fillWords(W.removed_medicine, { name: row.name }), () => edit(app, { kind: "medicine", medicine: medicineEdit(row, {}) }));
}

// The new row is taken when the focus leaves it; one without a name is none.
function leaveFresh(app, event) {
  const row = event.target.closest("tr");
  if (!row || row.contains(event.relatedTarget)) return;
  const value = (name) => row.querySelector(`[name="${name}"]`).value.trim();
  const name = value("name");
  app.store.set({ adding: false });
  if (name) edit(app, { kind: "medicine", medicine: { id: "", name, action: row.querySelector("select").value, dose: value("dose"), timing: value("timing"), reason: value("reason"), removed: false } });
}

// In the table the arrows move from cell to cell; Enter opens a list or takes what is typed.
function cellKey(event) {
  const { key, target } = event;
  if (key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    if (target.tagName === "SELECT") target.showPicker?.();
    else target.blur();
    return;
  }
  if (key === "Escape") { target.value = target.defaultValue || target.value; target.blur(); return; }
  if (target.tagName === "TEXTAREA" && !["ArrowUp", "ArrowDown", "Tab"].includes(key)) {
    const edge = key === "ArrowLeft" ? target.selectionStart === 0 && target.selectionEnd === 0 : key === "ArrowRight" ? target.selectionStart === target.value.length : false;
    if (!edge) event.stopPropagation();
  }
}
