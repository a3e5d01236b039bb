// An edited note is drafted anew: what a person had entered and decided before comes along as far as it still stands, and what does not is named.

const DELETED_BY_HAND = "deleted by a person"; // the API's reason of a sentence that somebody took out
const CONFIRMS = ["confirmed", "lead"];

// What a person made of a letter, beside what the program wrote; null where nobody has touched it.
function carriedOf(view) {
  const letter = asServed(view);
  const own = letter.sentences.filter((one) => !one.deleted && one.written_by.kind === "person");
  const at = (one) => { const live = letter.sentences.filter((other) => other === one || !other.deleted); return live[live.indexOf(one) - 1]?.text || ""; };
  const carry = {
    text: view.draft.note.text,
    medicines: letter.medicines.filter((row) => row.source === BY_A_CLINICIAN).map((row) => ({ ...fieldsOf(row, ROW_FIELDS), names: [row.name, ...statedNames(view, row)], added: !row.statement_ids?.length })),
    judgements: letter.judgements.map((one) => ({ ...one, name: letter.conditions.find((found) => found.concept_id === one.concept_id)?.name || "" })),
    corrections: letter.corrections,
    rewritten: own.filter((one) => one.origin).map((one) => ({ before: [one.origin.now, one.origin.text].filter(Boolean), text: one.text })),
    added: own.filter((one) => !one.origin).map((one) => ({ after: at(one), section: one.section, text: one.text })),
    deleted: letter.sentences.filter((one) => one.deleted && one.deleted_reason === DELETED_BY_HAND).map((one) => ({ before: [one.origin?.now, one.origin?.text, one.text].filter(Boolean) })),
    checked: letter.sentences.filter((one) => !one.deleted && one.checked_by).map((one) => one.text), answers: Object.keys(letter.answers).length,
  };
  return Object.values(carry).some((part, place) => place && (typeof part === "number" ? part : Object.keys(part).length)) ? carry : null;
}

function statedNames(view, row) {
  return (view.draft.record?.medications || []).filter((one) => row.statement_ids?.includes(one.id)).flatMap((one) => one.spans.slice(0, 1).map((span) => span.text));
}

// The sentences and lines of a note, each with its place: { from, text }, counted in code points.
function statementsOf(text) {
  const chars = codePoints(text);
  const found = [];
  let from = 0;
  chars.forEach((char, at) => {
    const ends = char === "\n" || (".!?".includes(char) && /^\s?$/.test(chars[at + 1] || ""));
    if (!ends && at < chars.length - 1) return;
    found.push({ from, text: chars.slice(from, at + 1).join("") });
    from = at + 1;
  });
  return found;
}

// As long as all that a note says of something is the same, what was decided of it stands.
function stillSaid(carry, text, names) {
  const wanted = names.filter(Boolean).map((name) => name.toLowerCase());
  const naming = (note) => statementsOf(note).map((one) => plainSpaces(one.text)).filter((one) => wanted.some((name) => one.toLowerCase().includes(name))).join("\n");
  return naming(carry.text) === naming(text);
}

// A correction stands where its sentence stands: at the place that the sentence has now.
function movedCorrection(carry, text, one) {
  const held = statementsOf(carry.text).find(({ from, text: said }) => from <= one.start_char && one.end_char <= from + codePoints(said).length);
  const again = held ? statementsOf(text).filter((other) => plainSpaces(other.text) === plainSpaces(held.text)) : [];
  if (again.length !== 1) return null;
  const before = (said, from) => from + codePoints(said).findIndex((char) => !/\s/.test(char));
  const by = before(again[0].text, again[0].from) - before(held.text, held.from);
  const moved = { ...one, start_char: one.start_char + by, end_char: one.end_char + by };
  return codePoints(text).slice(moved.start_char, moved.end_char).join("") === one.text ? moved : null;
}

// What of it the draft itself is written from.
function carriedRequest({ carry, note }) {
  if (!carry) return {};
  const stands = carry.judgements.filter((one) => stillSaid(carry, note, [one.name]));
  const of = (verdicts) => stands.filter((one) => verdicts.includes(one.verdict)).map((one) => one.concept_id);
  return { corrections: carry.corrections.map((one) => movedCorrection(carry, note, one)).filter(Boolean), confirmed_conditions: of(CONFIRMS), ruled_out_conditions: of(["ruled_out"]), leading_condition: of(["lead"])[0] || "" };
}

// Once the new letter has its id: the rest, one after the other, since each step may write the letter anew.
function bringCarried(app) {
  const { carry, note } = app.store.state.typed;
  if (!carry) return;
  app.store.set((state) => ({ typed: { ...state.typed, carry: null } }));
  keepTyped(app);
  const told = { kept: [], lost: [] };
  const lose = (words) => told.lost.push(...words);
  const steps = [() => medicinesStep(app, carry, note, told), () => problemsStep(app, carry, note, told), () => wordsStep(app, carry, told), () => checksStep(app, carry, told)];
  const next = () => {
    const step = steps.shift();
    if (!step) return void app.store.set({ carried: told.kept.length || told.lost.length ? told : null });
    const made = step();
    if (!made.changes.length) return void next();
    edit(app, made.changes, { done: () => { told.kept.push(made.words); next(); }, back: () => { lose(made.names); next(); } });
    return undefined;
  };
  next();
  if (carry.answers) lose([W.carried.answers]);
}

function medicinesStep(app, carry, note, told) {
  const rows = asServed(app.store.state.view).medicines;
  const changes = [];
  for (const row of carry.medicines) {
    const found = rows.find((one) => one.name.toLowerCase() === row.name.toLowerCase());
    if (found ? stillSaid(carry, note, row.names) : row.added) changes.push(medicineChange({ ...row, id: found ? found.id : "" }, {}));
    else told.lost.push(row.name);
  }
  return { changes, words: countWords(W.carried.medicines, changes.length), names: changes.map((one) => one.medicine.name) };
}

function problemsStep(app, carry, note, told) {
  const letter = asServed(app.store.state.view);
  const known = new Set(letter.judgements.map((one) => one.concept_id));
  const past = carry.judgements.filter((one) => one.verdict === "past" && stillSaid(carry, note, [one.name]) && letter.conditions.some((found) => found.concept_id === one.concept_id));
  told.lost.push(...carry.judgements.filter((one) => !known.has(one.concept_id) && !past.includes(one)).map((one) => one.name));
  const moved = carry.corrections.filter((one) => letter.corrections.some((other) => other.text === one.text && other.kind === one.kind)).length;
  told.lost.push(...carry.corrections.filter((one) => !letter.corrections.some((other) => other.text === one.text && other.kind === one.kind)).map((one) => `“${one.text}”`));
  if (known.size) told.kept.push(countWords(W.carried.problems, known.size));
  if (moved) told.kept.push(countWords(W.carried.corrections, moved));
  return { changes: past.map((one) => ({ kind: "past_condition", concept_id: one.concept_id })), words: countWords(W.carried.problems, past.length), names: past.map((one) => one.name) };
}

// Sentences that were reworded, added or taken out, where the letter says again what stood there.
function wordsStep(app, carry, told) {
  const letter = letterOf(app.store.state);
  const free = (one) => !letter.gaps.some((gap) => gap.sentence === one.id);
  const place = (texts) => letter.live.find((one) => texts.includes(one.text));
  const changes = [];
  const made = (text, change) => (change ? changes.push(change) : told.lost.push(shortened(text, 80)));
  for (const { before, text } of carry.rewritten) {
    const found = place(before);
    if (!place([text])) made(text, found && (free(found) ? { kind: "replace", sentence: found.id, text } : filledAgain(letter, found, text)));
  }
  for (const { after, section, text } of carry.added) {
    const found = place([after]) || [...letter.live].reverse().find((one) => one.section === section);
    if (!place([text])) made(text, found && { kind: "insert_after", sentence: found.id, text });
  }
  for (const { before } of carry.deleted) {
    const found = place(before);
    if (found && free(found)) changes.push({ kind: "delete", sentence: found.id });
  }
  return { changes, words: countWords(W.carried.sentences, changes.length), names: changes.map((one) => shortened(one.text || W.deleted, 80)) };
}

// The words that a gap was filled with, where the sentence has that one gap again.
function filledAgain(letter, sentence, text) {
  const gaps = letter.gaps.filter((one) => one.sentence === sentence.id);
  const [head, tail, ...more] = sentence.text.split(new RegExp(GAP.source, "i")).filter((_, at) => at % 2 === 0);
  if (more.length || gaps.length !== 1 || !text.startsWith(head) || !text.endsWith(tail) || text.length <= head.length + tail.length) return null;
  return { kind: "fill_gap", gap: gaps[0].id, text: text.slice(head.length, text.length - tail.length) };
}

function checksStep(app, carry) {
  const { live } = letterOf(app.store.state);
  const again = live.filter((one) => carry.checked.includes(one.text) && !one.checked_by);
  return { changes: again.map((one) => ({ kind: "check", sentence: one.id })), words: countWords(W.carried.checks, again.length), names: [] };
}

function carriedWords({ kept, lost }) {
  return [kept.length ? fillWords(W.carried.kept, { list: kept.join(", ") }) : "", lost.length ? fillWords(W.carried.lost, { list: [...new Set(lost)].join("; ") }) : ""].filter(Boolean).join(" ");
}
