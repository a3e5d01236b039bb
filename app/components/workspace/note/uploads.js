// Files that are dropped or chosen: their text goes into the note, a patient's record into the fields beside it; what was taken is listed.
// Beside a note that is typed, or in an open letter, it is asked first whose they are.

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
      const other = there && agesDiffer(there, found.text);
      const whose = there && (!same || other) ? await askWhose(app, { name: file.name, text: found.text, there, other }) : "same";
      if (whose === "cancel") continue;
      same = true;
      if (whose === "other") newLetter(app);
      else if (store.state.phase === "letter") editNote(app);
      store.set((state) => ({ ...found.into(state), taken: [...state.taken, { name: file.name, words: found.words, ok: true }] }));
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

function askWhose(app, about) {
  return new Promise((resolve) => {
    const answer = (whose) => { resolve(whose); closeDialog(app); };
    app.store.set({ dialog: { kind: "whose", ...about, answer, closed: () => resolve("cancel") } });
  });
}

async function readFile(file) {
  if (TEXT_FILES.test(file.name) || file.type.startsWith("text/plain")) {
    const read = await askJson(`uploads?name=${encodeURIComponent(file.name)}`, { method: "POST", raw: file, type: file.type || "application/octet-stream" });
    return { text: read.text, words: countWords(W.read_text, read.characters ?? read.text.length), into: (state) => intoNote(state, read.text) };
  }
  const read = await askJson(`uploads/notes?name=${encodeURIComponent(file.name)}`, { method: "POST", raw: file, type: file.type || "application/octet-stream" });
  return { text: read.patients.flatMap((one) => one.notes).map((one) => one.text).join("\n"), words: notesWords(read), into: (state) => intoFields(state, read) };
}

function intoNote(state, text) {
  const { note } = state.typed;
  return noteTyped(state, note.trim() ? `${note.trim()}\n\n${text}` : text);
}

// Of one patient alone: the notes beside the pasted one become earlier notes; with an empty box the latest becomes the note.
function intoFields(state, read) {
  const patients = read.patients.filter((one) => one.notes.length);
  if (!patients.length) return {};
  const notes = [...patients[0].notes].sort((a, b) => String(a.date || "").localeCompare(String(b.date || "")));
  const latest = state.typed.note.trim() ? null : notes.pop();
  const earlier = [state.typed.earlier.trim(), earlierText(notes)].filter(Boolean).join("\n---\n");
  const after = latest ? noteTyped(state, latest.text) : {};
  return { ...after, typed: { ...(after.typed || state.typed), earlier, filed: (after.typed || state.typed).note }, more: notes.length > 0 };
}

function notesWords(read) {
  const counted = read.patients.reduce((sum, one) => sum + one.notes.length, 0);
  const left = Object.entries(read.skipped || {}).map(([reason, count]) => fillWords(W.left_out, { n: count, reason }));
  const others = read.patients.length > 1 ? [countWords(W.other_patients, read.patients.length - 1)] : [];
  return [countWords(W.read_notes, counted, { kind: W.file_kinds[read.kind] || read.kind }), ...others, ...left].join("; ");
}
