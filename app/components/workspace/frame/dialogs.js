// The smaller dialogs: the patient's details, kind and length of the document, what can be taken away, and the keys.

const DETAIL_FIELDS = [["patient_name", "text"], ["date_of_birth", "date"], ["record_number", "text"], ["ward", "text"], ["admitted", "date"], ["discharged", "date"], ["clinician", "text"], ["hospital", "text"], ["phone", "tel"]];

// seen: the details as they were when the dialog was opened; another may change them meanwhile.
function openDetails(app) {
  askToReopen(app, () => app.store.set((state) => ({ dialog: { kind: "details", seen: letterOf(state).details } })));
}

function drawDetails(app, state, letter) {
  const { details } = letter;
  const seen = state.dialog.seen || details;
  return dialog(app, "details", W.details_title, v("p", { class: "small quiet" }, W.details_words),
    v("form", { class: "dialog-form two", onsubmit: (event) => { event.preventDefault(); saveDetails(app, seen, event.target); } },
      DETAIL_FIELDS.map(([name, type], at) => v("label", { key: name, class: "field" }, v("span", { class: "field-name" }, W.details[name]), v("input", { type, name, value: details[name] || "", maxlength: 200, "data-first": at ? null : "", autocomplete: "off" }))),
      v("div", { class: "dialog-acts" }, v("button", { type: "button", class: "button", onclick: () => closeDialog(app) }, W.cancel), v("button", { type: "submit", class: "primary" }, W.save))));
}

function saveDetails(app, before, form) {
  const names = DETAIL_FIELDS.map(([name]) => name);
  const given = Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]));
  closeDialog(app);
  if (names.some((name) => (before[name] || "") !== given[name])) edit(app, { kind: "details", details: given }, { seen: fieldsOf(before, names) });
}

function openContext(app) {
  askToReopen(app, () => app.store.set((state) => ({ dialog: { kind: "context", seen: letterOf(state).context } })));
}

function drawContext(app, state) {
  const { draft, request } = state.view;
  const now = { document: draft.document, length: "short", hospital_course: "", discharge_medicines: [], locale: draft.locale, question: draft.question, options: draft.options, patient_notes: [], ...(request || {}) };
  const shown = state.dialog.document || now.document;
  return dialog(app, "context", W.change_document, v("form", { class: "dialog-form", onsubmit: (event) => { event.preventDefault(); saveContext(app, { ...now, ...(state.dialog.seen || {}) }, event.target); } },
    v("label", { class: "field" }, v("span", { class: "field-name" }, W.document), v("select", { name: "document", "data-first": "", onchange: (event) => app.store.set({ dialog: { ...state.dialog, document: event.target.value } }) }, Object.entries(W.documents).map(([name, words]) => v("option", { value: name, selected: name === shown }, words)))),
    shown === "clinical_answer" ? [v("label", { key: "q", class: "field" }, v("span", { class: "field-name" }, W.question), v("textarea", { name: "question", rows: 2, value: now.question || "", required: true, maxlength: 4000 })),
      v("label", { key: "o", class: "field" }, v("span", { class: "field-name" }, W.options), v("textarea", { name: "options", rows: 3, value: (now.options || []).join("\n"), placeholder: W.options_hint }))] : null,
    v("label", { class: "field" }, v("span", { class: "field-name" }, W.length), v("select", { name: "length" }, Object.entries(W.lengths).map(([name, words]) => v("option", { value: name, selected: name === (now.length || "short") }, words)))),
    v("label", { class: "field" }, v("span", { class: "field-name" }, W.units), v("select", { name: "locale" }, Object.entries(W.locales).map(([name, words]) => v("option", { value: name, selected: name === now.locale }, words)))),
    v("label", { class: "field" }, v("span", { class: "field-name" }, W.course), v("textarea", { name: "course", rows: 4, value: now.hospital_course || "", placeholder: W.course_hint })),
    v("label", { class: "field" }, v("span", { class: "field-name" }, W.discharge_medicines), v("textarea", { name: "medicines", rows: 4, value: (now.discharge_medicines || []).join("\n"), placeholder: W.medicines_hint })),
    v("div", { class: "dialog-acts" }, v("button", { type: "button", class: "button", onclick: () => closeDialog(app) }, W.cancel), v("button", { type: "submit", class: "primary" }, W.update_letter))));
}

function saveContext(app, now, form) {
  const given = { document: form.document.value, length: form.elements.namedItem("length").value, locale: form.locale.value, hospital_course: form.course.value, discharge_medicines: lines(form.medicines.value) };
  if (given.document === "clinical_answer") Object.assign(given, { question: form.question.value.trim(), options: lines(form.elements.namedItem("options").value).slice(0, 10) });
  const context = Object.fromEntries(Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name] ?? (Array.isArray(value) ? [] : ""))));
  closeDialog(app);
  if (Object.keys(context).length) edit(app, { kind: "context", context }, { seen: fieldsOf(now, Object.keys(context)) });
}

// The patient's copy exists only of a signed letter; until then it says why.
function drawOutputs(app, state, letter) {
  const signed = letter.state === "signed";
  const { exports } = state.view;
  const row = (one, copy) => v("li", { key: `${one.name}-${copy}` }, v("button", { type: "button", class: "button", onclick: () => takeAway(app, one, copy) }, icon("download"), said(one.label)));
  const chosen = { paper: state.dialog.paper || usualPaper(state.view.draft), large: Boolean(state.dialog.large) };
  const patient = exports.filter((one) => one.copies.includes("patient") && !one.for_programs);
  return dialog(app, "outputs", W.take_away,
    v("section", { key: "copy", class: "output-part" }, v("h3", {}, W.to_paste), v("button", { type: "button", class: "button", "data-first": "", onclick: () => { copyText(app, letter); closeDialog(app); } }, icon("content_copy"), W.copy_text), v("button", { type: "button", class: "button", onclick: () => { closeDialog(app); afterDraw(() => window.print()); } }, icon("print"), W.print)),
    v("section", { key: "patient", class: "output-part" }, v("h3", {}, W.patient_copy), signed ? [v("div", { class: "paper-choice" },
      v("label", {}, W.paper, v("select", { onchange: (event) => app.store.set({ dialog: { ...state.dialog, paper: event.target.value } }) }, Object.entries(W.papers).map(([name, words]) => v("option", { value: name, selected: name === chosen.paper }, words)))),
      v("label", {}, v("input", { type: "checkbox", checked: chosen.large, onchange: (event) => app.store.set({ dialog: { ...state.dialog, large: event.target.checked } }) }), W.large_type)), v("ul", { class: "output-list" }, patient.map((one) => row(one, "patient")))] : v("p", { class: "small quiet" }, W.patient_copy_after),
      state.view.draft.document === "discharge_instructions" ? v("button", { type: "button", class: "button translate", onclick: () => openTranslation(app) }, icon("translate"), `${W.translation} …`) : null),
    v("section", { key: "clinician", class: "output-part" }, v("h3", {}, W.clinician_copy), v("ul", { class: "output-list" }, exports.filter((one) => one.copies.includes("clinician")).map((one) => row(one, "clinician")))),
    state.dialog.message ? v("p", { key: "message", class: "form-hint", role: "alert" }, state.dialog.message) : null);
}

function usualPaper(draft) {
  return draft.locale === "us" ? "letter" : "a4";
}

async function takeAway(app, format, copy) {
  const { store } = app;
  const { view, dialog: asked } = store.state;
  const query = new URLSearchParams({ copy, version: view.version, author: authorOf(store.state) });
  query.set("paper", asked?.paper || usualPaper(view.draft));
  if (asked?.large) query.set("large", "true");
  try {
    await download(`cases/${view.id}/exports/${format.name}?${query}`);
  } catch (error) {
    if (store.state.dialog) store.set({ dialog: { ...store.state.dialog, message: error.message } });
  }
}

// A file beside what is typed or open already: whose it is, a person says before a word of it is taken.
function drawWhose(app, state) {
  const { name, text, there, answer } = state.dialog;
  const part = (head, words) => v("section", { key: head, class: "whose-part" }, v("h3", {}, head), v("p", { class: "small", lang: "en" }, shortened(plainSpaces(words), 240)));
  return dialog(app, "whose", W.whose_title, v("p", {}, icon("person_alert"), state.dialog.differs.length ? fillWords(W.whose_other, { what: state.dialog.differs.map((one) => W.whose_differs[one]).join(", ") }) : W.whose_words), part(W.whose_here, there), part(fillWords(W.whose_file, { name }), text),
    v("div", { class: "dialog-acts" }, v("button", { type: "button", class: "button", "data-first": "", onclick: () => closeDialog(app) }, W.cancel),
      v("button", { type: "button", class: "button", onclick: () => answer("same") }, W.whose_same), v("button", { type: "button", class: "primary", onclick: () => answer("other") }, W.whose_new)));
}

function drawKeys(app) {
  return dialog(app, "keys", W.keys, v("dl", { class: "key-list", id: "ws-how-to-edit" }, W.key_list.map(([key, words]) => v("div", { key }, v("dt", {}, key.split(" ").map((one, at) => v("kbd", { key: at }, one))), v("dd", {}, words)))),
    v("div", { class: "dialog-acts" }, v("button", { type: "button", class: "primary", "data-first": "", onclick: () => closeDialog(app) }, W.close)));
}
