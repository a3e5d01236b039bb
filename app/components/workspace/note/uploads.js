// Files that are dropped or chosen: their text goes into the note, a patient's record into the fields beside it; what was taken is listed.
// Beside a note that is typed, or in an open letter, it is asked first whose they are.

const GOES_ON = ["active", "intended"]; // states of a medicine that the patient leaves with
const TEXT_FILES = /\.(txt|text|md|pdf|docx)$/i;

// A file can be dropped anywhere on the page; words that are dragged, on the note alone.
function listenDrops(app, root) {
  const onNote = (event) => Boolean(event.composedPath()[0].closest?.(".note-field"));
  const holdsFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  const over = (event) => {
    if (!holdsFiles(event) && !onNote(event)) return;
    event.preventDefault();
    if (!app.store.state.dropping) app.store.set({ dropping: true });
  };
  const away = (event) => { if (!event.relatedTarget || !root.contains(event.relatedTarget)) app.store.set({ dropping: false }); };
  const down = (event) => {
    if (!holdsFiles(event) && !onNote(event)) return;
    event.preventDefault();
    app.store.set({ dropping: false });
    dropped(app, event.dataTransfer);
  };
  const heard = [["dragover", over], ["dragleave", away], ["drop", down]];
  for (const [kind, call] of heard) root.addEventListener(kind, call);
  return () => { for (const [kind, call] of heard) root.removeEventListener(kind, call); };
}

async function dropped(app, transfer) {
  const files = [...transfer.files];
  if (files.length) return takeFiles(app, files);
  const text = transfer.getData("text/plain");
  if (text) typeNote(app, app.store.state.typed.note ? `${app.store.state.typed.note}\n${text}` : text);
  return null;
}

async function takeFiles(app, files) {
  const { store } = app;
  if (store.state.dialog) return;
  if (store.state.phase === "running") return void toast(app, W.drop_later);
  let same = false; // one answer holds for all files that come together, unless one reads like somebody else's
  for (const file of files) {
    try {
      const found = await readFile(file);
      const there = heldText(store.state);
      const differs = there ? whatDiffers(store.state, there, found) : [];
      const whose = there && (!same || differs.length) ? await askWhose(app, { name: file.name, text: found.text, there, differs }) : "same";
      if (whose === "cancel") continue;
      same = true;
      if (whose === "other") newLetter(app);
      else if (store.state.phase === "letter") editNote(app);
      store.set((state) => ({ ...withDetails(state, found.into(state), found.details), taken: [...state.taken, { name: file.name, words: [found.words, ...detailWords(found.details)].join(" · "), parts: found.parts, ok: true }] }));
    } catch (error) {
      if (store.state.phase === "letter") toast(app, `${file.name}: ${error.message || W.not_read}`);
      else store.set((state) => ({ taken: [...state.taken, { name: file.name, words: error.message || W.not_read, ok: false }] }));
    }
  }
  keepTyped(app);
}

// What is there of a patient already: the note of the open letter, or all that is typed.
function heldText({ phase, view, typed }) {
  if (phase === "letter") return view.draft.note.text || view.draft.question;
  return ["note", ...BESIDE_NOTE].map((name) => typed[name].trim()).filter(Boolean).join("\n");
}

// What a file says of the person, and what is there already says otherwise.
function whatDiffers({ phase, view, typed }, there, found) {
  const here = knownDetails(phase === "letter" ? asServed(view).details : typed.details);
  return unlikeIn({ ...personOf(there), ...here }, { ...personOf(found.text), ...found.details });
}

function askWhose(app, about) {
  return new Promise((resolve) => {
    const answer = (whose) => { resolve(whose); closeDialog(app); };
    app.store.set({ dialog: { kind: "whose", ...about, answer, closed: () => resolve("cancel") } });
  });
}

// The API's answer, and what becomes of it: text goes into the note, a patient's notes into their fields.
async function readFile(file) {
  const written = TEXT_FILES.test(file.name) || file.type.startsWith("text/plain");
  const read = await askJson(`uploads${written ? "" : "/notes"}?name=${encodeURIComponent(file.name)}`, { method: "POST", raw: file, type: file.type || "application/octet-stream" });
  const parts = read.taken?.items || [];
  if (written) return { text: read.text, words: countWords(W.read_text, read.characters ?? read.text.length), parts, details: knownDetails(read.details), into: (state) => intoNote(state, read.text) };
  const [first] = read.patients.filter((one) => one.notes.length);
  return { text: read.patients.flatMap((one) => one.notes).map((one) => one.text).join("\n"), words: notesWords(read), parts, details: knownDetails(first?.details), into: (state) => intoFields(state, first) };
}

// The details that are known; null where none is.
function knownDetails(details) {
  const known = Object.entries(details || {}).filter(([, value]) => value);
  return known.length ? Object.fromEntries(known) : null;
}

// What a file gives for the letter's head goes with its note: what is there already stands.
function withDetails(state, after, details) {
  if (!details) return after;
  const typed = after.typed || state.typed;
  return { ...after, typed: { ...typed, details: { ...details, ...typed.details }, filed: typed.filed || typed.note } };
}

function detailWords(details) {
  if (!details) return [];
  const born = details.date_of_birth ? fillWords(W.born, { day: wholeDay(details.date_of_birth) }) : "";
  return [details.patient_name, born, recordWords(details)].filter(Boolean);
}

function intoNote(state, text) {
  const { note } = state.typed;
  return noteTyped(state, note.trim() ? `${note.trim()}\n\n${text}` : text);
}

// Of one patient alone: the notes beside the pasted one become earlier notes; with an empty box the latest becomes the note. What is
// prescribed for home goes with the discharge medicines.
function intoFields(state, patient) {
  if (!patient) return {};
  const notes = [...patient.notes].sort((a, b) => String(a.date || "").localeCompare(String(b.date || "")));
  const latest = state.typed.note.trim() ? null : notes.pop();
  const earlier = [state.typed.earlier.trim(), earlierText(notes)].filter(Boolean).join("\n---\n");
  const after = latest ? noteTyped(state, latest.text) : {};
  const typed = after.typed || state.typed;
  const listed = [...new Set([...lines(typed.medicines), ...(patient.medicines || []).filter((one) => one.category === "discharge" && GOES_ON.includes(one.status)).map((one) => one.text)])];
  return { ...after, typed: { ...typed, earlier, medicines: listed.join("\n"), filed: typed.note }, more: notes.length > 0 || listed.length > 0 };
}

function notesWords(read) {
  const counted = read.patients.reduce((sum, one) => sum + one.notes.length, 0);
  const others = read.patients.length > 1 ? [countWords(W.other_patients, read.patients.length - 1)] : [];
  return [countWords(W.read_notes, counted, { kind: W.file_kinds[read.kind] || read.kind }), ...others].join("; ");
}
