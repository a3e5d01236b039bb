// A draft on its way: what each event adds, and what becomes of the finished one.

const PLAIN_WRITER = "composer"; // the API's name for writing without a language model
const SEEN_MS = 60; // several events of one moment are shown together

let stopRun = null;

// Start drafting what is typed. The letter before it stays where it is saved; nothing of it comes along.
async function startDraft(app, generator = "") {
  const { store } = app;
  if (!store.state.typed.note.trim()) await app.typedBack; // what was typed before a reload may still be on its way
  if (store.state.phase === "running") return;
  const cleared = noteTyped(store.state, store.state.typed.note);
  store.set({ ...cleared });
  const request = withWriter(requestOf(store.state.typed), generator);
  if (!request) {
    store.set({ hint: store.state.typed.document === "clinical_answer" ? W.ask_something : W.paste_first });
    return;
  }
  const typed = { ...store.state.typed, filed: store.state.typed.note };
  store.set({ phase: "running", typed, hint: "", problem: null, view: null, queue: [], chosen: null, editing: null, column: "letter", tab: "sources",
    run: { request, stages: [], linked: null, conditions: [], evidence: null, plan: null, written: [], piece: "", message: "" } });
  afterDraw(() => app.root?.querySelector(".growing-paper")?.focus({ preventScroll: true }));
  const stop = new AbortController();
  stopRun = () => stop.abort();
  let run = store.state.run;
  let timer = null;
  const show = () => {
    clearTimeout(timer);
    timer = null;
    if (store.state.phase === "running") store.set({ run });
  };
  let draft = null;
  try {
    await readEvents("drafts", request, (event) => {
      if (event.stage === "draft") { draft = event.data; return; }
      run = withEvent(run, event);
      if (timer === null) timer = setTimeout(show, SEEN_MS);
    }, stop.signal);
  } catch (error) {
    clearTimeout(timer);
    if (store.state.run?.request === request) ended(app, run, error);
    return;
  }
  clearTimeout(timer);
  if (store.state.run?.request !== request) return;
  if (draft) finished(app, run, draft);
  else ended(app, run, new ApiProblem(0, { message: run.message || W.broke_off }));
}

// Who writes is as it is set, unless a person asks to go on without the language model.
function withWriter(request, generator) {
  return request && generator ? { ...request, generator } : request;
}

// Another writer than the one that is set, where there is one: its setting.
function otherWriter(state) {
  const rows = state.service?.generators || [];
  return rows.length > 1 ? rows[1].setting : "";
}

function withEvent(run, event) {
  const { stage, data } = event;
  if (stage === "token") return { ...run, written: [...run.written, data], piece: "" };
  if (stage === "piece") return { ...run, piece: data.text };
  if (stage === "error") return { ...run, message: errorWords(event.data?.kind, event.reason) };
  const next = { ...run, stages: [...run.stages, { name: stage, reason: event.reason, ms: event.ms, failed: event.failed }] };
  if (data.linked) next.linked = data.linked;
  if (data.conditions) next.conditions = data.conditions;
  if (data.paths) next.evidence = { ...(next.evidence || {}), paths: data.paths, policy: data.policy || [] };
  if (data.plan) next.plan = data.plan;
  if (data.evidence) next.evidence = data.evidence;
  return next;
}

// Stopped by the person, refused, or broken off: what is typed stays, and so does what was written.
function ended(app, run, error) {
  const { store } = app;
  stopRun = null;
  const stopped = error.name === "AbortError";
  const problem = stopped ? { kind: "stopped", message: "" } : { kind: error.away ? "away" : "refused", message: error.message };
  store.set({ phase: "empty", problem, run: run.written.length || run.linked ? { ...run, over: true } : null });
  app.focusNote();
}

function finished(app, run, draft) {
  const { store } = app;
  stopRun = null;
  if (!draft.sentences.length) {
    store.set({ phase: "empty", run: { ...run, over: true, linked: linkedOf(draft) },
      problem: { kind: draft.note.mentions.length && !looksLikePatient(draft) ? "no_patient" : "nothing", message: "" } });
    app.focusNote();
    return;
  }
  store.set({ phase: "letter", run: null, view: unsavedView(draft, run.request, store.state.typed.details), saved_at: null });
  focusLetter(app);
  saveFirst(app);
}

// The keyboard goes on in the letter, unless the person has gone elsewhere meanwhile.
function focusLetter(app) {
  const active = app.root?.getRootNode().activeElement;
  if (active && !active.classList.contains("growing-paper")) return;
  const first = letterOf(app.store.state).live[0];
  if (first) choose(app, first.id, { focus: true });
}

function linkedOf(draft) {
  return { note: draft.note, allergies: draft.allergies, patient: draft.patient, record: draft.record };
}

// A note of a patient states something of a patient: a person, a problem, a medicine, a measured value.
function looksLikePatient(draft) {
  const { record } = draft;
  if (!record) return draft.note.mentions.length > 0;
  const own = record.problems.filter((problem) => problem.experiencer === "patient");
  const parts = draft.note.sections.filter((section) => !["unlabeled", "other"].includes(section.category));
  return parts.length > 0 || record.person.age_years !== null || record.person.sex !== null || own.length + record.medications.length + record.observations.length > 2;
}

// The letter as it is read until the API has given it its id; it has the same sentences under the same names.
function unsavedView(draft, request, details) {
  const sentences = draft.sentences.map((sentence, index) => ({ ...sentence, id: `S${index + 1}`, deleted: false, earlier: [],
    written_by: { kind: draft.generator.name === PLAIN_WRITER ? "composer" : "model", name: draft.generator.name, version: 1 } }));
  const flags = draft.flags.map((flag, index) => ({ ...flag, id: `unsaved-${index}` }));
  return { id: null, version: 1, newest: 1, state: "draft", label: "", draft, sentences, flags, details: details || {}, gaps: [], edits: [], versions: [], request, signature: null, exports: [] };
}
