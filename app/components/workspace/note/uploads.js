// Files that are dropped or chosen: their text goes into the note, a patient's record into the fields beside it; what was taken is listed.

const TEXT_FILES = /\.(txt|text|md|pdf|docx)$/i;

async function dropped(app, transfer) {
  const files = [...transfer.files];
  if (files.length) return takeFiles(app, files);
  const text = transfer.getData("text/plain");
  if (text) typeNote(app, app.store.state.typed.note ? `${app.store.state.typed.note}\n${text}` : text);
  return null;
}

async function takeFiles(app, files) {
  const { store } = app;
  for (const file of files) {
    try {
      const found = await readFile(file);
      store.set((state) => ({ ...found.into(state), taken: [...state.taken, { name: file.name, words: found.words, ok: true }] }));
    } catch (error) {
      store.set((state) => ({ taken: [...state.taken, { name: file.name, words: error.message || W.not_read, ok: false }] }));
    }
  }
  keepTyped(app);
}

async function readFile(file) {
  if (TEXT_FILES.test(file.name) || file.type.startsWith("text/plain")) {
    const read = await askJson(`uploads?name=${encodeURIComponent(file.name)}`, { method: "POST", raw: file, type: file.type || "application/octet-stream" });
    return { words: fillWords(W.read_text, { n: read.characters ?? read.text.length }), into: (state) => intoNote(state, read.text) };
  }
  const read = await askJson(`uploads/notes?name=${encodeURIComponent(file.name)}`, { method: "POST", raw: file, type: file.type || "application/octet-stream" });
  return { words: notesWords(read), into: (state) => intoFields(state, read) };
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
  const others = read.patients.length > 1 ? [fillWords(W.other_patients, { n: read.patients.length - 1 })] : [];
  return [fillWords(W.read_notes, { n: counted, kind: read.kind }), ...others, ...left].join("; ");
}
