// Before there is a letter: one box, one button, what else is known of the patient, three sample notes, three lines.

function drawEntry(app, state) {
  const { typed } = state;
  const asks = typed.document === "clinical_answer";
  const type = (field) => (event) => typeField(app, field, event.target.value);
  return v("div", { key: "entry", class: "entry", onkeydown: (event) => draftByKey(app, event) },
    v("div", { class: "entry-inside" },
      v("h1", { class: "entry-title" }, asks ? W.title_question : W.title_note),
      asks ? v("label", { key: "question", class: "field" }, v("span", { class: "field-name" }, W.question),
        v("textarea", { id: "ws-question", rows: 2, value: typed.question, oninput: type("question"), maxlength: 4000 })) : null,
      noteBox(app, state),
      state.hint ? v("p", { key: "hint", class: "hint", role: "alert" }, icon("info"), state.hint) : null,
      v("div", { key: "go", class: "go", "data-rove": "go" },
        v("button", { type: "button", class: "primary", onclick: () => startDraft(app), disabled: state.phase === "running" }, W.draft, v("kbd", { "aria-hidden": "true" }, "Ctrl ⏎")),
        kindChoice(app, typed), asks ? null : lengthChoice(app, typed),
        v("label", { class: "button file" }, icon("attach_file"), W.attach, v("input", { type: "file", class: "sr", multiple: true, accept: ".txt,.pdf,.docx,.xml,.json,.jsonl,.csv,text/plain",
          onchange: (event) => { takeFiles(app, [...event.target.files]); event.target.value = ""; } })),
        typed.note.trim() ? v("button", { type: "button", class: "quiet-button", onclick: () => newLetter(app) }, W.clear) : null),
      asideLine(app, state), takenList(state), moreFields(app, state), problemOf_entry(app, state),
      typed.note.trim() || state.problem ? null : beginning(app, state)));
}

function noteBox(app, state) {
  const { typed } = state;
  return v("label", { key: "note", class: "field note-field" + (state.dropping ? " dropping" : "") },
    v("span", { class: "field-name" }, W.note_label),
    v("textarea", { id: "ws-note", value: typed.note, placeholder: W.note_placeholder, spellcheck: "false", "aria-describedby": "ws-stays",
      oninput: (event) => typeNote(app, event.target.value), onblur: () => fileNote(app) }),
    v("span", { id: "ws-stays", class: "small quiet stays" }, icon("lock"), staysWords(state), state.service?.waiting ? ` · ${W.model_starting}` : ""));
}

function typeNote(app, note) {
  app.store.set((state) => ({ ...noteTyped(state, note), hint: "" }));
  keepTyped(app);
}

// A note that is left is the one that the fields beside it belong to.
function fileNote(app) {
  app.store.set(({ typed }) => (typed.filed || !typed.note ? null : { typed: { ...typed, filed: typed.note } }));
}

function typeField(app, field, text) {
  app.store.set((state) => ({ typed: { ...state.typed, [field]: text, filed: state.typed.filed || state.typed.note }, hint: "" }));
  keepTyped(app);
}

// Where the text goes: said always, before anything is sent.
function staysWords(state) {
  const where = state.service?.generator?.where || "";
  return where.startsWith("goes to") ? fillWords(W.goes_to, { where: where.replace(/^goes to\s*/, "") }) : W.stays;
}

function kindChoice(app, typed) {
  return v("label", { class: "choice" }, v("span", { class: "sr" }, W.document), v("select", { value: typed.document, onchange: (event) => typeField(app, "document", event.target.value) },
    Object.entries(W.documents).map(([name, words]) => v("option", { value: name, selected: name === typed.document }, words))));
}

function lengthChoice(app, typed) {
  return v("label", { class: "choice" }, v("span", { class: "sr" }, W.length), v("select", { value: typed.length, onchange: (event) => typeField(app, "length", event.target.value) },
    Object.entries(W.lengths).map(([name, words]) => v("option", { value: name, selected: name === typed.length }, words))));
}

function moreFields(app, state) {
  const { typed } = state;
  const given = ["course", "medicines", "earlier"].filter((name) => typed[name].trim()).length;
  const field = (name, rows, words, hint) => v("label", { class: "field" }, v("span", { class: "field-name" }, words),
    v("textarea", { id: `ws-${name}`, rows, value: typed[name], placeholder: hint, oninput: (event) => typeField(app, name, event.target.value) }));
  return v("details", { key: "more", class: "more", open: state.more || undefined, ontoggle: (event) => event.target.open !== state.more && app.store.set({ more: event.target.open }) },
    v("summary", {}, W.more, given ? v("span", { class: "count" }, fillWords(W.more_given, { n: given })) : null),
    v("div", { class: "more-fields" }, field("course", 4, W.course, W.course_hint), field("medicines", 4, W.discharge_medicines, W.medicines_hint),
      field("earlier", 4, W.earlier, W.earlier_hint), typed.document === "clinical_answer" ? field("options", 3, W.options, W.options_hint) : null));
}

// Fields that belonged to the note before this one; they come back only when a person says that it is the same patient.
function asideLine(app, state) {
  if (!state.aside) return null;
  const names = Object.keys(state.aside).map((name) => W.aside_names[name]).join(", ");
  return v("div", { key: "aside", class: "line-notice", role: "status" }, icon("person_off"), v("span", {}, fillWords(W.set_aside, { names })),
    v("button", { type: "button", class: "link", onclick: () => { app.store.set({ typed: { ...state.typed, ...state.aside }, aside: null, more: true }); keepTyped(app); } }, W.same_patient),
    v("button", { type: "button", class: "link", onclick: () => app.store.set({ aside: null }) }, W.dismiss));
}

function takenList(state) {
  if (!state.taken.length) return null;
  return v("ul", { key: "taken", class: "taken", role: "status" }, state.taken.map((one, at) => v("li", { key: at, class: one.ok ? "" : "refused" }, icon(one.ok ? "description" : "block"),
    v("div", {}, v("p", {}, v("strong", {}, one.name), ": ", one.words), partsOf(one.parts || [])))));
}

// What of a file was not taken is always said; what was stands in a fold.
function partsOf(parts) {
  const of = (taken) => parts.filter((one) => one.taken === taken && one.count);
  const words = (one) => `${one.what}${one.count > 1 ? ` × ${one.count}` : ""}${one.reason ? ` (${one.reason})` : ""}`;
  return [of(false).length ? v("p", { key: "left", class: "not-taken" }, icon("warning"), v("span", {}, W.not_taken, " ", v("span", { lang: "en" }, of(false).map(words).join("; ")))) : null,
    of(true).length > 1 ? v("details", { key: "taken" }, v("summary", { class: "small quiet" }, W.taken_of), v("ul", { lang: "en", class: "small quiet" }, of(true).map((one, at) => v("li", { key: at }, words(one))))) : null];
}

const PROBLEM_ICONS = { stopped: "stop_circle", refused: "block", away: "cloud_off", nothing: "search_off", no_patient: "person_search" };

// Why there is no letter, and the way on; what was typed stands above.
function problemOf_entry(app, state) {
  const { problem } = state;
  if (!problem) return null;
  const words = W.problems[problem.kind];
  const written = state.run?.written || [];
  return v("section", { key: "problem", class: "problem", role: "alert", "data-problem": problem.kind }, icon(PROBLEM_ICONS[problem.kind]),
    v("div", {}, v("h2", {}, words.title), problem.message ? v("p", {}, problem.message) : null, v("p", { class: "quiet" }, words.way),
      v("div", { class: "go" }, v("button", { type: "button", class: "button", onclick: () => startDraft(app) }, W.draft_again), otherWriter(state) ? v("button", { type: "button", class: "button", onclick: () => startDraft(app, otherWriter(state)) }, W.without_model) : null),
      written.length ? v("div", { class: "written-so-far" }, v("h3", {}, W.written_so_far), written.map((one, at) => v("p", { key: at }, one.text))) : null));
}

function beginning(app, state) {
  return v("div", { key: "beginning", class: "beginning" },
    v("div", { class: "samples", role: "group", "aria-label": W.samples, "data-rove": "samples" }, v("span", { class: "small quiet" }, W.samples),
      state.samples.map((sample) => v("button", { key: sample.name, type: "button", class: "sample", onclick: () => loadSample(app, sample) }, said(sample.label)))),
    v("ul", { class: "three-lines small quiet" }, W.three_lines.map((line, at) => v("li", { key: at }, line))));
}

// A sample is loaded and drafted with one click.
function loadSample(app, sample) {
  const offerBack = leave(app);
  app.store.set((state) => { const fresh = freshLetter(state); return { ...fresh, typed: { ...fresh.typed, note: sample.text, course: sample.hospital_course || "", medicines: (sample.discharge_medicines || []).join("\n"),
    earlier: earlierText(sample.patient_notes), document: "discharge_instructions", filed: sample.text } }; });
  keepTyped(app);
  startDraft(app);
  offerBack();
}

function draftByKey(app, event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  startDraft(app);
}
