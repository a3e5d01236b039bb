// Where a piece of the patient's notes stands: in the pasted note, or in one of the parts that were given beside it.

const PASTED_PART = "";
const PASTED = "Pasted note"; // as the API names the types of pieces
const PARTS_OF_STAY = { course: "Hospital course", medicines: "Discharge medicines" };

// Every part given beside the pasted note, with its name, its title and its text.
function partsBeside(request) {
  const own = [{ part: "course", title: W.course, text: request.hospital_course }, { part: "medicines", title: W.discharge_medicines, text: (request.discharge_medicines || []).join("\n") }];
  const notes = (request.patient_notes || []).map((note, at) => ({ part: `note-${at}`, title: [note.note_type, note.date].filter(Boolean).join(", "), text: note.text, note }));
  return [...own, ...notes].filter((one) => one.text);
}

// The part that a piece is of, and its half-open place there in code points; null where it stands in none as it is cited.
function placeInNotes(view, item) {
  const here = (part, text) => (codePoints(text).slice(item.start_char, item.end_char).join("") === item.text ? { part, start: item.start_char, end: item.end_char } : null);
  if (item.note_type === PASTED) return here(PASTED_PART, view.draft.note.text);
  const parts = partsBeside(view.request || {});
  const named = (part) => parts.find((one) => one.part === part);
  if (item.note_type === PARTS_OF_STAY.course) return named("course") ? here("course", named("course").text) : null;
  if (item.note_type === PARTS_OF_STAY.medicines) return named("medicines") ? lineOf("medicines", named("medicines").text, item.text) : null;
  const day = (date) => (date || "").slice(0, 10);
  const notes = parts.filter(({ note }) => note);
  const ofDay = notes.filter(({ note }) => day(note.date) === day(item.date));
  return [...ofDay, ...notes.filter(({ note }) => !note.date)].map(({ part, text }) => here(part, text)).find(Boolean) || null; // the day of a note without one was read from its text
}

function lineOf(part, text, line) {
  const rows = text.split("\n");
  const at = rows.indexOf(line);
  if (at < 0) return null;
  const start = codePoints(rows.slice(0, at).map((row) => `${row}\n`).join("")).length;
  return { part, start, end: start + codePoints(line).length };
}

// The place is lit and brought into sight, in the column or the tab of the note.
function showInNote(app, start, end, part = PASTED_PART) {
  app.store.set({ column: "note", sheet: false, place: { part, start, end } });
  afterDraw(() => app.root.querySelector(".note-scroll .place")?.scrollIntoView({ block: "center" }));
}
