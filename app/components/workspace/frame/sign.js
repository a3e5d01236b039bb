// Signing: name, role, and what stands against it, each a way to its place; and the question before a signed letter is changed.

// What stands against signing, as the API says it, else as it can be seen here.
function blocksOf(letter) {
  const settled = (one) => (one.kind === "severe" && letter.answers[one.id]) || (one.kind === "gap" && !letter.gaps.some((gap) => gap.required && gap.id === one.id))
    || (one.kind === "unchecked_required" && letter.live.some((sentence) => sentence.id === one.id && sentence.checked_by));
  const open = toDecide(letter).map((row) => ({ kind: "medicine", id: row.id, message: row.name }));
  const table = (one) => one.kind === "gap" && letter.gaps.some((gap) => gap.id === one.id && asksTable(letter, gap)); // its rows stand for it
  if (letter.blocks) return [...letter.blocks.filter((one) => one.kind !== "medicine" && !settled(one) && !table(one)), ...open];
  return [...open, ...openSevere(letter).map((flag) => ({ kind: "severe", id: flag.id, message: flag.message })), ...letter.gaps.filter((gap) => gap.required && !asksTable(letter, gap)).map((gap) => ({ kind: "gap", id: gap.id, message: gap.prompt })),
    ...unconfirmed(letter).map((one) => ({ kind: "unconfirmed", id: one.concept_id, message: one.name }))];
}

const BLOCK_ICONS = { severe: "error", gap: "edit_square", unconfirmed: "help", medicine: "pill", unchecked_required: "radio_button_unchecked" };

function drawSign(app, state, letter) {
  const { typed, dialog: asked } = state;
  if (letter.state === "signed") return dialog(app, "sign", W.signed, v("p", {}, signedWords(state.view.signature)), v("div", { class: "dialog-acts" },
    v("button", { type: "button", class: "button", onclick: () => app.store.set({ dialog: { kind: "reopen", change: null } }) }, W.reopen), v("button", { type: "button", class: "primary", "data-first": "", onclick: () => app.store.set({ dialog: { kind: "outputs" } }) }, W.take_away)));
  const blocks = blocksOf(letter);
  const left = letter.progress.sentences - letter.progress.checked;
  return dialog(app, "sign", W.sign_title,
    blocks.length ? v("section", { key: "blocks", class: "blocks" }, v("h3", {}, countWords(W.n_blocks, blocks.length)), v("ul", {}, blocks.map((one) => v("li", { key: `${one.kind}-${one.id}` },
      v("button", { type: "button", class: `block b-${one.kind}`, onclick: () => goToBlock(app, one) }, icon(BLOCK_ICONS[one.kind] || "block"), v("span", {}, v("strong", {}, W.block_kinds[one.kind] || ""), " ", blockWords(one, letter)), icon("arrow_forward", "faint")))))) : v("p", { key: "ready", class: "ready" }, icon("check_circle"), W.nothing_against),
    v("form", { key: "form", class: "dialog-form", onsubmit: (event) => { event.preventDefault(); sign(app, event.target); } },
      signedFor(state, letter),
      v("label", { key: "who", class: "field" }, v("span", { class: "field-name" }, W.your_name), v("input", { type: "text", name: "who", value: typed.name, readonly: state.locked, autocomplete: "name", maxlength: 120, required: true, "data-first": asksName(state, letter) ? null : "" })),
      v("label", { class: "field" }, v("span", { class: "field-name" }, W.your_role), v("input", { type: "text", name: "role", value: typed.role, autocomplete: "organization-title", maxlength: 120, required: true, placeholder: W.role_hint })),
      left ? v("label", { class: "have-read" }, v("input", { type: "checkbox", name: "read", required: true }), v("span", {}, W.have_read, v("span", { class: "small quiet" }, fillWords(W.left_unchecked, { n: left, all: letter.progress.sentences })))) : null,
      asked.message ? v("p", { class: "form-hint", role: "alert" }, asked.message) : null,
      v("div", { class: "dialog-acts" }, v("button", { type: "button", class: "button", onclick: () => closeDialog(app) }, W.cancel), v("button", { type: "submit", class: "primary", disabled: blocks.length > 0 || asked.busy }, W.sign_letter))));
}

// A question without a note is of no patient.
function asksName(state, letter) {
  return Boolean(state.view.draft.note.text) && !letter.details.patient_name;
}

// Whom the letter is for, as far as it is known. A name that is not known is asked for; without one it is signed by choice alone.
function signedFor(state, letter) {
  const known = whoseLines(letter.details);
  return [known.length ? v("p", { key: "for", class: "sign-for" }, v("span", { class: "field-name" }, W.sign_for), v("strong", {}, known.join(" · "))) : null,
    asksName(state, letter) ? [v("label", { key: "patient", class: "field" }, v("span", { class: "field-name" }, W.sign_patient), v("input", { type: "text", name: "patient", autocomplete: "off", maxlength: 200, "data-first": "" })),
      v("label", { key: "unnamed", class: "sign-unnamed" }, v("input", { type: "checkbox", name: "unnamed" }), v("span", {}, W.sign_unnamed))] : null];
}

function blockWords(block, letter) {
  const flag = block.kind === "severe" && letter.flags.find((one) => one.id === block.id);
  return (flag && flagSaid(flag, letter)) || (block.kind === "gap" ? said(block.message) : v("span", { lang: "en" }, block.message));
}

function goToBlock(app, block) {
  closeDialog(app);
  const letter = letterOf(app.store.state);
  if (block.kind === "severe") showAlerts(app, medicineName(letter.flags.find((flag) => flag.id === block.id) || { medicine: W.other_alerts }, letter));
  else if (block.kind === "gap") { const gap = letter.gaps.find((one) => one.id === block.id); if (gap) { app.store.set({ column: "letter", sheet: false }); choose(app, gap.sentence, {}); afterDraw(() => app.root.querySelector(`[data-gap="${gap.id}"]`)?.focus()); } }
  else if (block.kind === "medicine") goToRow(app, { id: block.id });
  else if (block.kind === "unconfirmed") openEvidence(app, "problems", block.id);
  else { app.store.set({ column: "letter", sheet: false }); choose(app, block.id, { focus: true }); }
}

// Signing waits for what is on its way, and signs what was read: an older version than the newest is not signed.
async function sign(app, form) {
  const { store } = app;
  const [name, role] = [form.who.value.trim(), form.role.value.trim()];
  if (!name || !role) return store.set({ dialog: { kind: "sign", message: W.name_and_role } });
  const patient = form.patient?.value.replace(/\s+/g, " ").trim() || "";
  const unnamed = form.patient && !patient;
  store.set((state) => ({ typed: { ...state.typed, name, role }, dialog: unnamed && !form.unnamed.checked ? { kind: "sign", message: W.sign_whose } : { kind: "sign", busy: true } }));
  keepTyped(app);
  if (unnamed && !form.unnamed.checked) return form.patient.focus();
  if (patient) edit(app, { kind: "details", details: { ...letterOf(store.state).details, patient_name: patient } });
  const left = letterOf(store.state).live.filter((one) => !one.checked_by);
  if (left.length) edit(app, left.map((one) => ({ kind: "check", sentence: one.id })));
  while (store.state.queue.some((one) => one.state === "waiting") && !store.state.away) await new Promise((go) => setTimeout(go, 30));
  if (patient && letterOf(store.state).details.patient_name !== patient) return store.set({ dialog: { kind: "sign", message: store.state.refused || W.sign_whose } });
  const { view } = store.state;
  try {
    takeView(app, await askJson(`cases/${view.id}/signature`, { method: "POST", body: { version: view.version, name, role } }));
    store.set({ dialog: null });
    toast(app, W.signed_now);
  } catch (error) {
    store.set({ dialog: { kind: "sign", message: error.message } });
    if (error.status === 409) refreshLetter(app);
  }
  return null;
}

// A signed letter is changed only after this question; its signature then stays with the version that was signed.
function drawReopen(app, state) {
  const { change, more, then } = state.dialog;
  return dialog(app, "reopen", W.reopen_title, v("p", {}, W.reopen_words), v("div", { class: "dialog-acts" },
    v("button", { type: "button", class: "button", "data-first": "", onclick: () => closeDialog(app) }, W.keep_signed),
    v("button", { type: "button", class: "primary", onclick: () => reopenWith(app, state, change, more, then) }, W.reopen)));
}

function reopenWith(app, state, change, more, then) {
  const { [more?.held]: sent, ...others } = state.held; // what is typed elsewhere stays in its field
  app.store.set({ dialog: null, editing: null, held: change ? others : state.held });
  if (change) edit(app, change, { ...(more || {}), reopen: true });
  else edit(app, { kind: "details", details: state.view.details || {} }, { reopen: true, done: then });
}
