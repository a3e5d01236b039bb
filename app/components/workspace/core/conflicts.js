// Two people in one letter. A change remembers what it is about as its author saw it; where another has changed the same meanwhile,
// what each of them left alone is laid together, and what both changed is decided by a person.

const NONE = "";
const ROW_FIELDS = ["name", "action", "dose", "timing", "reason"];
const VERDICTS = { confirm_condition: "confirmed", rule_out_condition: "ruled_out", past_condition: "past", lead_condition: "lead", clear_condition: NONE };

const same = (change) => change;
const sentences = { seen: sentenceSeen, wanted: ({ text }) => ({ text: text || NONE }), put: same };
const corrections = { seen: correctionSeen, wanted: ({ kind, correction }) => ({ correction: kind === "correct" ? correctionCode(correction) : NONE }), put: same };
const verdicts = { seen: (letter, { concept_id }) => ({ verdict: letter.judgements.find((one) => one.concept_id === concept_id)?.verdict || NONE }), wanted: ({ kind }) => ({ verdict: VERDICTS[kind] }), put: same };

// Of each kind of edit: what it is about as the letter has it, field by field (null where it is gone), the same as the edit wants it,
// and the edit with other values in some of the fields.
const SUBJECTS = {
  replace: sentences, delete: sentences, correct: corrections, uncorrect: corrections, ...Object.fromEntries(Object.keys(VERDICTS).map((kind) => [kind, verdicts])),
  medicine: { seen: rowSeen, wanted: ({ medicine }) => rowFields(medicine), put: rowPut },
  details: { seen: (letter, { details }) => fieldsOf(letter.details, Object.keys(details)), wanted: ({ details }) => ({ ...details }), put: (change, fields) => ({ ...change, details: { ...change.details, ...fields } }) },
  context: { seen: (letter, { context }) => fieldsOf(letter.context, Object.keys(context)), wanted: ({ context }) => ({ ...context }), put: (change, fields) => ({ ...change, context: { ...change.context, ...fields } }) },
  answer_flag: { seen: (letter, { flag }) => ({ answer: answerCode(letter.answers[flag]) }), wanted: ({ answer }) => ({ answer: answerCode(answer) }), put: same },
};

function fieldsOf(from, names) {
  return Object.fromEntries(names.map((name) => [name, from?.[name] ?? NONE]));
}

function alike(one, other) {
  return JSON.stringify(one ?? NONE) === JSON.stringify(other ?? NONE);
}

function sentenceSeen(letter, { sentence }) {
  const found = letter.sentences.find((one) => one.id === sentence);
  return found && !found.deleted ? { text: found.text } : null; // of one that is gone the API says so
}

function rowFields(row) {
  return { ...fieldsOf(row, ROW_FIELDS), removed: row.removed ? "removed" : NONE };
}

// A letter that was written anew may have given the id of a row to another medicine: the row is the one of the name that was seen.
function rowNow(letter, id, name) {
  const rows = letter.medicines;
  return rows.find((one) => one.id === id && (!name || one.name === name)) || rows.find((one) => one.name === name) || rows.find((one) => one.id === id && one.source === BY_A_CLINICIAN) || null;
}

function rowSeen(letter, { medicine }, base) {
  if (!medicine.id) return null;
  const row = rowNow(letter, medicine.id, base?.name);
  return row ? rowFields(row) : { ...rowFields({}), removed: "removed" };
}

function rowPut(change, { removed, ...fields }, letter, base) {
  const row = rowNow(letter, change.medicine.id, base?.name);
  return { ...change, medicine: { ...change.medicine, ...fields, id: row ? row.id : NONE } };
}

function answerCode(answer) {
  return answer ? [answer.code, answer.words].filter(Boolean).join(": ") : NONE;
}

function correctionCode(one) {
  return one ? [one.kind, one.concept_id, one.reaction, one.dosage?.text, one.dosage?.timing_text, one.status].filter(Boolean).join(" ") : NONE;
}

function correctionSeen(letter, { correction }) {
  return { correction: correctionCode(letter.corrections.find((one) => one.start_char === correction.start_char && one.end_char === correction.end_char)) };
}

// What a change is about, as the letter has it now; null where nobody can be in its way.
function seenIn(letter, change, base) {
  return SUBJECTS[change.kind]?.seen(letter, change, base) || null;
}

function changesOf(item) {
  return [item.change].flat();
}

// A change against the letter as it is now: as it goes on, or with what both changed, theirs and mine.
function laidOver(letter, change, base) {
  const now = base && seenIn(letter, change, base);
  if (!now) return { change, base };
  const wanted = SUBJECTS[change.kind].wanted(change);
  const touched = (name) => now.removed || wanted.removed || !alike(wanted[name], base[name]);
  if (now.removed && wanted.removed) return { change: null };
  const both = Object.keys(wanted).filter((name) => touched(name) && !alike(now[name], base[name]) && !alike(wanted[name], now[name]));
  const told = (fields) => (fields.removed ? { removed: true } : fieldsOf(fields, both));
  if (both.length) return { change, base, theirs: told(now), mine: told(wanted) };
  return { change: withTheirs(letter, change, base), base: now };
}

// The change with theirs in every field that its author left alone. What they took out stands again where its author keeps it.
function withTheirs(letter, change, base) {
  const now = base && seenIn(letter, change, base);
  if (!now) return change;
  const wanted = SUBJECTS[change.kind].wanted(change);
  const left = now.removed ? [] : Object.keys(wanted).filter((name) => alike(wanted[name], base[name]));
  return SUBJECTS[change.kind].put(change, fieldsOf(now, left), letter, base);
}

// An item of the queue against the letter as another has left it: of changes that were made together those go on that nothing stands
// against, and each of the others waits for a person by itself.
function againstLetter(item, letter) {
  if (item.state === "conflict" || item.gap || typeof item.change === "function") return [item];
  const laid = changesOf(item).map((change, at) => laidOver(letter, change, item.bases[at])).filter((one) => one.change);
  const clear = laid.filter((one) => !one.theirs);
  const rest = { ...item, change: Array.isArray(item.change) ? clear.map((one) => one.change) : clear[0]?.change, bases: clear.map((one) => one.base) };
  return [...(clear.length ? [rest] : []), ...laid.filter((one) => one.theirs).map((one) => ({ ...queued(one.change, item.more), bases: [one.base], state: "conflict", theirs: one.theirs, mine: one.mine, by: whoChanged(letter, one.change) }))];
}

// Who wrote the sentence, else made the last edit of this kind, else the newest version.
function whoChanged(letter, change) {
  const sentence = letter.sentences.find((one) => one.id === change.sentence && !one.deleted);
  const last = [...letter.edits].reverse().find((one) => (change.concept_id ? one.concept_id === change.concept_id : one.kind === change.kind));
  const name = sentence?.written_by.name || last?.author || letter.author;
  return !name || name === NOT_GIVEN ? W.somebody_else : name;
}

function settleConflict(app, item, mine) {
  const { store } = app;
  const letter = asServed(store.state.view);
  const change = withTheirs(letter, item.change, item.bases[0]);
  const again = mine ? [{ ...item, change, bases: [seenIn(letter, change, item.bases[0])], state: "waiting", theirs: null }] : [];
  store.set({ queue: store.state.queue.flatMap((one) => (one.id === item.id ? again : [one])) });
  afterDraw(() => showModelled(app.root));
  sendNext(app);
}

// What of it both changed, in words: "Dose: 750 mg".
function fieldWords(fields) {
  if (fields.text !== undefined) return fields.text || W.deleted;
  if (fields.verdict !== undefined) return W.problem_states[{ lead: "confirmed", [NONE]: "possible" }[fields.verdict] || fields.verdict];
  if (fields.removed) return W.row_removed;
  const names = { ...W.details, name: W.medicine, action: W.what_to_do, dose: W.dose, timing: W.when, reason: W.what_for, document: W.document, length: W.length, locale: W.units, hospital_course: W.course, discharge_medicines: W.discharge_medicines, question: W.question, options: W.options };
  const value = { action: W.actions, document: W.documents, length: W.lengths, locale: W.locales };
  return Object.entries(fields).map(([name, one]) => `${names[name] ? `${names[name]}: ` : ""}${value[name]?.[one] || [one].flat().join(", ") || "–"}`).join("; ");
}

// What a conflict is about that stands in no sentence.
function aboutWords(letter, { change, bases }) {
  if (change.medicine) return bases[0].name;
  if (change.concept_id) return letter.conditions.find((one) => one.concept_id === change.concept_id)?.name || W.problems_strip;
  if (change.correction) return `“${change.correction.text}”`;
  if (change.flag) return letter.flags.find((one) => one.id === change.flag)?.medicine || W.other_alerts;
  return change.details ? W.details_title : W.change_document;
}

// Another person changed what is being changed here: both stand side by side until one is taken.
function conflictBox(app, letter, item) {
  const inSentence = item.change.sentence !== undefined;
  return v("div", { key: `conflict-${item.id}`, class: "conflict", role: "alert", "data-conflict": item.change.kind },
    v("p", {}, icon("group"), inSentence ? fillWords(W.conflict, { name: item.by }) : fillWords(W.conflict_of, { name: item.by, what: aboutWords(letter, item) })),
    inSentence ? null : v("p", { class: "theirs" }, v("strong", {}, W.theirs), " ", fieldWords(item.theirs)), v("p", { class: "yours" }, v("strong", {}, W.yours), " ", fieldWords(item.mine)),
    v("div", { class: "conflict-acts" }, v("button", { type: "button", class: "button", onclick: () => settleConflict(app, item, true) }, W.keep_mine),
      v("button", { type: "button", class: "button", onclick: () => settleConflict(app, item, false) }, W.take_theirs)));
}

// Those that stand in no sentence, above the letter.
function drawConflicts(app, state, letter) {
  const held = state.queue.filter((one) => one.state === "conflict" && one.change.sentence === undefined);
  return held.length ? v("div", { key: "conflicts", class: "letter-notices" }, held.map((item) => conflictBox(app, letter, item))) : null;
}
