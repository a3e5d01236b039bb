// The workspace's one small state. It outlives the component: another screen, a reconnection or a redraw by the shell loses nothing.

const EMPTY_TYPED = { note: "", course: "", medicines: "", earlier: "", question: "", options: "", document: "discharge_instructions",
  length: "short", locale: "", filed: "", details: null, carry: null, name: "", role: "" }; // details: for the letter's head; carry: what was done with the letter whose note is edited
const BESIDE_NOTE = ["course", "medicines", "earlier", "question", "options"];
const BEHIND_NOTE = ["details", "carry"];

function newStore() {
  const store = { state: emptyState(), listeners: new Set(), waiting: false };
  store.set = (change) => {
    const more = typeof change === "function" ? change(store.state) : change;
    if (!more) return;
    store.state = { ...store.state, ...more };
    if (store.waiting) return;
    store.waiting = true;
    queueMicrotask(() => {
      store.waiting = false;
      for (const listener of store.listeners) listener(store.state);
    });
  };
  return store;
}

function emptyState() {
  return {
    owner: "", locked: false, samples: [], service: null, answers: [],
    phase: "empty", // empty, running, letter, opening, missing
    typed: { ...EMPTY_TYPED }, aside: null, hint: "", problem: null, taken: [], more: false,
    run: null, view: null, queue: [], saved_at: null, away: false, gone: false, others: [],
    chosen: null, chosen_source: null, editing: null, tab: "sources", how: false, column: "letter", sheet: false,
    menu: null, dialog: null, toast: null, hover: null, filter: "", compare: null, concept: null, opened: null, conflict: null, refused: "", deciding: null, carried: null,
    held: {}, // what was typed into a gap and was not taken, by the gap's place
  };
}

// What of the former letter or note must not be in the next one: everything but the person and the kind of document.
function freshLetter(state) {
  const { name, role, document, length, locale } = state.typed;
  return { phase: "empty", typed: { ...EMPTY_TYPED, name, role, document, length, locale }, aside: null, hint: "", problem: null, taken: [], more: false,
    run: null, view: null, queue: [], saved_at: null, others: [], chosen: null, chosen_source: null, editing: null, tab: "sources", how: false,
    column: "letter", sheet: false, menu: null, dialog: null, hover: null, compare: null, concept: null, opened: null, conflict: null, refused: "", deciding: null, carried: null, held: {} };
}

function lines(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

// The request of what is typed; null when there is no note, or no question where one is to be answered.
function requestOf(typed) {
  const asks = typed.document === "clinical_answer";
  const question = asks ? typed.question.trim() : "";
  if (asks ? !question : !typed.note.trim()) return null;
  return { text: typed.note, question, options: asks ? lines(typed.options).slice(0, 10) : [], document: typed.document, length: typed.length,
    ...(typed.locale ? { locale: typed.locale } : {}), patient_notes: earlierNotes(typed.earlier),
    hospital_course: typed.course, discharge_medicines: lines(typed.medicines), ...carriedRequest(typed) };
}

// Earlier notes are typed one below the other: "# type, date" above each, "---" between.
function earlierNotes(text) {
  return text.split(/^\s*---+\s*$/m).map((part) => part.trim()).filter(Boolean).map((part) => {
    const head = part.match(/^#\s*([^\n]*)\n?/);
    const date = head && head[1].match(/\d{4}-\d{2}-\d{2}/);
    const type = head ? head[1].replace(/,?\s*\d{4}-\d{2}-\d{2}/, "").replace(/,\s*$/, "").trim() : "";
    return { note_type: type || "General", date: date ? date[0] : null, text: (head ? part.slice(head[0].length) : part).trim() };
  }).filter((note) => note.text);
}

function earlierText(notes) {
  return (notes || []).map((note) => `# ${note.note_type}${note.date ? ", " + note.date : ""}\n${note.text.trim()}`).join("\n---\n");
}

// A note that is another patient's sets aside what was typed for the one before it. What was typed before any note belongs to the first.
function noteTyped(state, note) {
  const { typed } = state;
  const before = typed.filed || typed.note;
  if (!note.trim()) return { typed: { ...typed, note, filed: before } };
  const same = !before.trim() || (!typed.filed && isKeystroke(typed.note, note)) || samePatient(before, note, typed.details);
  return same ? { typed: { ...typed, note } } : setAside(state, { ...typed, note });
}

function setAside(state, typed) {
  const fields = Object.fromEntries(BESIDE_NOTE.filter((name) => typed[name].trim()).map((name) => [name, typed[name]]));
  for (const name of BEHIND_NOTE) if (typed[name]) fields[name] = typed[name];
  const clean = { ...typed, filed: typed.note, ...Object.fromEntries(BEHIND_NOTE.map((name) => [name, null])), ...Object.fromEntries(BESIDE_NOTE.map((name) => [name, ""])) };
  return { typed: clean, taken: [], aside: Object.keys(fields).length ? fields : state.aside };
}
