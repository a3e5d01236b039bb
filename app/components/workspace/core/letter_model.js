// The letter as it stands with what a person has just done to it, whether or not the API has answered; and what is counted of it.

const GAP = /\[\s*team to complete\s*:?\s*([^[\]]*?)\s*\]/gi;
const letterCache = { view: null, queue: null, letter: null };

function letterOf(state) {
  if (letterCache.view === state.view && letterCache.queue === state.queue) return letterCache.letter;
  Object.assign(letterCache, { view: state.view, queue: state.queue, letter: buildLetter(state.view, state.queue) });
  return letterCache.letter;
}

// The letter as the API has it.
function asServed(view) {
  const { draft } = view;
  return { id: view.id, version: view.version, state: view.state, document: draft.document, sentences: view.sentences, medicines: draft.medicines,
    conditions: draft.conditions, flags: view.flags, details: view.details || {}, answers: view.answers || {}, judgements: view.judgements || [],
    corrections: view.corrections || [], blocks: view.blocks || null, updating: false, edits: view.edits || [], author: view.versions?.[view.versions.length - 1]?.author || "",
    record: draft.record, untold: draft.untold || [], context: { ...(view.request || {}), document: draft.document, locale: draft.locale, question: draft.question, options: draft.options } };
}

// The name of a sentence that was added and is on its way; and the names under which such sentences are shown ever after, so that a
// field in one of them stays the same field.
function addedName(number) {
  return `new-${number}`;
}

const SHOWN_AS = new Map();
const NAMED = new Map();

function shownAs(id) {
  return SHOWN_AS.get(id) || id;
}

// A change of such a sentence, under the name that the API gave it.
function asNamed(change) {
  return NAMED.has(change.sentence) ? { ...change, sentence: NAMED.get(change.sentence) } : change;
}

function buildLetter(view, queue) {
  const { draft } = view;
  let letter = asServed(view);
  for (const item of queue) if (typeof item.change !== "function" && item.state !== "conflict") letter = [item.change].flat().reduce((before, change) => withEdit(before, change, item.id), letter);
  letter.live = letter.sentences.filter((sentence) => !sentence.deleted);
  letter.gaps = gapsOf(letter.live, view.gaps || draft.gaps);
  letter.numbers = numbersOf(letter.live);
  letter.sections = sectionsOf(letter);
  letter.progress = progressOf(letter);
  return letter;
}

const REDRAFTS = new Set(["clear_condition", "past_condition", "lead_condition", "confirm_condition", "rule_out_condition", "correct", "uncorrect", "medicine", "context"]);

function withEdit(letter, change, number) {
  const next = { ...letter };
  const put = (changed) => { next.sentences = letter.sentences.map((one) => (one.id === change.sentence ? { ...one, ...changed } : one)); };
  const judge = (verdict, status) => {
    next.judgements = [...letter.judgements.filter((one) => one.concept_id !== change.concept_id), ...(verdict ? [{ concept_id: change.concept_id, verdict }] : [])];
    if (status) next.conditions = letter.conditions.map((one) => (one.concept_id === change.concept_id ? { ...one, status } : one));
  };
  if (REDRAFTS.has(change.kind)) next.updating = true;
  if (change.kind === "replace") put({ text: change.text, checked_by: "", support: "not_scored", fit: "unknown", reason: "", raised: null, outdated: "", changed: false,
    written_by: { kind: "person", name: "", version: letter.version + 1 } });
  if (change.kind === "delete") put({ deleted: true, deleted_reason: "" });
  if (change.kind === "restore" && change.sentence) put({ deleted: false });
  if (change.kind === "check") put({ checked_by: "*" });
  if (change.kind === "uncheck") put({ checked_by: "" });
  if (change.kind === "insert_after") next.sentences = withInserted(letter, change, number);
  if (change.kind === "fill_gap") next.sentences = withFilled(letter, change);
  if (change.kind === "medicine") next.medicines = withMedicine(letter.medicines, change.medicine);
  if (change.kind === "details") next.details = change.details;
  if (change.kind === "context") next.context = { ...letter.context, ...change.context };
  if (change.kind === "answer_flag") next.answers = { ...letter.answers, [change.flag]: { ...change.answer, name: "" } };
  if (change.kind === "unanswer_flag") next.answers = Object.fromEntries(Object.entries(letter.answers).filter(([flag]) => flag !== change.flag));
  if (change.kind === "confirm_condition") judge("confirmed", "confirmed");
  if (change.kind === "rule_out_condition") judge("ruled_out", "ruled_out");
  if (change.kind === "past_condition") judge("past");
  if (change.kind === "lead_condition") judge("lead");
  if (change.kind === "clear_condition") judge(null);
  if (change.kind === "correct") next.corrections = [...letter.corrections.filter((one) => one.start_char !== change.correction.start_char || one.end_char !== change.correction.end_char), change.correction];
  if (change.kind === "uncorrect") next.corrections = letter.corrections.filter((one) => one.start_char !== change.correction.start_char || one.end_char !== change.correction.end_char);
  return next;
}

function withInserted(letter, change, number) {
  const at = change.sentence ? letter.sentences.findIndex((one) => one.id === change.sentence) + 1 : letter.sentences.length;
  const section = change.section || letter.sentences[at - 1]?.section || "";
  const made = { id: addedName(number), text: change.text, section, citations: [], support: "not_scored", fit: "unknown", basis: "general", reason: "", deleted: false, earlier: [],
    waiting: true, written_by: { kind: "person", name: "", version: letter.version + 1 } };
  return [...letter.sentences.slice(0, at), made, ...letter.sentences.slice(at)];
}

function withFilled(letter, change) {
  const gap = gapsOf(letter.sentences.filter((one) => !one.deleted), []).find((one) => one.id === change.gap);
  if (!gap) return letter.sentences;
  if (change.not_needed) return letter.sentences.map((one) => (one.id === gap.sentence ? { ...one, deleted: true } : one));
  return letter.sentences.map((one) => (one.id === gap.sentence ? { ...one, text: filledText(one.text, gap.place, change.text) } : one));
}

function filledText(text, place, words) {
  let at = -1;
  return text.replace(GAP, (whole) => (++at === place ? words : whole));
}

function withMedicine(rows, change) {
  if (change.removed) return rows.filter((row) => row.id !== change.id);
  if (!change.id) return [...rows, { ...change, id: "", source: "a clinician", recognised: true, likely: false, citations: [], prompt: "", old_dose: "", waiting: true }];
  return rows.map((row) => (row.id === change.id ? { ...row, ...change, prompt: "", likely: false, source: "a clinician", waiting: true } : row));
}

// The gaps in the order of the text, each with its sentence and its place among that sentence's gaps.
function gapsOf(live, known) {
  const found = [];
  for (const sentence of live) {
    let place = 0;
    for (const match of sentence.text.matchAll(GAP)) {
      const id = `GAP${found.length + 1}`;
      const stated = known.find((one) => one.section === sentence.section && one.prompt === match[1]);
      found.push({ id, sentence: sentence.id, section: sentence.section, prompt: match[1], place, required: Boolean(stated && stated.required), kind: stated?.kind || "words" });
      place += 1;
    }
  }
  return found;
}

// 1, 2, 3 in the order in which the letter cites them.
function numbersOf(live) {
  const numbers = new Map();
  for (const sentence of live) for (const id of sentence.citations || []) if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
  return numbers;
}

// A section is what it still says: one whose sentences are all taken out is none.
function sectionsOf(letter) {
  const sections = [];
  for (const sentence of letter.sentences) {
    const last = sections[sections.length - 1];
    if (last && last.title === sentence.section) last.sentences.push(sentence);
    else sections.push({ title: sentence.section, sentences: [sentence] });
  }
  return sections.filter((section) => section.sentences.some((one) => !one.deleted));
}

function openSevere(letter) {
  return letter.flags.filter((flag) => flag.severity === "severe" && !letter.answers[flag.id]);
}

function progressOf(letter) {
  const { live } = letter;
  const gaps = letter.gaps.filter((one) => !asksTable(letter, one));
  return { sentences: live.length, checked: live.filter((one) => one.checked_by).length, gaps: gaps.length, required: gaps.filter((one) => one.required).length, undecided: toDecide(letter).length,
    severe: openSevere(letter).length, to_look: letter.flags.filter((flag) => flag.severity === "warning" && !letter.answers[flag.id]).length,
    unconfirmed: unconfirmed(letter).length };
}

// Diagnoses that the letter speaks of and nobody has confirmed.
function unconfirmed(letter) {
  const about = new Set(letter.live.map((one) => one.condition_id).filter(Boolean));
  return letter.conditions.filter((one) => about.has(one.concept_id) && one.status === "possible");
}

const HIGH_UNCERTAINTY = 2 / 3; // of 0 to 1: how far other attempts of a model disagree

// Why a sentence is marked; nothing is said of what is in order.
function exceptionOf(sentence) {
  if (sentence.outdated) return { kind: "outdated", mark: "history", words: W.marks.outdated, why: sentence.outdated };
  if (sentence.fit === "not_for_this_patient") return { kind: "fit", mark: "person_alert", words: W.marks.fit, why: sentence.fit_reason };
  if (sentence.support === "unsupported") return { kind: "unsupported", mark: "link_off", words: sentence.written_by.kind === "person" && !sentence.citations.length ? W.marks.own : W.marks.unsupported, why: sentence.reason };
  if (sentence.support === "partial") return { kind: "partial", mark: "contrast", words: W.marks.partial, why: sentence.reason };
  if (sentence.basis === "possible") return { kind: "possible", mark: "help", words: W.marks.possible, why: W.marks.possible_why };
  if (sentence.uncertainty !== null && sentence.uncertainty > HIGH_UNCERTAINTY) return { kind: "unsure", mark: "shuffle", words: W.marks.unsure, why: W.marks.unsure_why };
  if (sentence.changed) return { kind: "changed", mark: "change_circle", words: W.marks.changed, why: "" };
  return null;
}

// Each piece of evidence by its id, with its kind.
function evidenceOf(draft) {
  if (evidenceOf.cached === draft.evidence) return evidenceOf.map;
  const map = new Map();
  const found = draft.evidence || {};
  for (const kind of ["notes", "passages", "paths", "graph"]) for (const item of found[kind] || []) map.set(item.id, { kind, item });
  Object.assign(evidenceOf, { cached: draft.evidence, map });
  return map;
}
