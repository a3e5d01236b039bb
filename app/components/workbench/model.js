// What belongs together: which sentence rests on which evidence, words of the note and condition.

const SUPPORT = {
  supported: { shape: "●", word: "stated in the cited text" },
  partial: { shape: "◐", word: "partly" },
  unsupported: { shape: "○", word: "not found" },
  not_scored: { shape: "–", word: "not scored" },
  unchecked: { shape: "…", word: "not checked" },
};
const BASIS = {
  patient: null,
  possible: { short: "possible: confirm", long: "rests on a condition that nobody has confirmed yet" },
  general: { short: "general: check that it fits this patient", long: "general knowledge, not from this note" },
};
const KINDS = { K: "path", G: "graph fact", P: "passage", N: "note" };

function buildModel(data) {
  const evidence = new Map();
  const lists = { paths: data.evidence.paths, graph: data.evidence.graph, passages: data.evidence.passages,
    notes: data.evidence.notes };
  for (const [kind, items] of Object.entries(lists)) for (const item of items) evidence.set(item.id, { kind, item });
  const citing = new Map();
  data.sentences.forEach((sentence, index) => {
    for (const id of sentence.citations) citing.set(id, [...(citing.get(id) || []), index]);
  });
  const chars = codePoints(data.note.text);
  const inNote = (item) => chars.slice(item.start_char, item.end_char).join("") === item.text;
  return { data, evidence, citing, chars, lists, inNote,
    conditions: new Map(data.conditions.map((condition) => [condition.concept_id, condition])) };
}

// What lights up for a selection: sentences by index, evidence by id, stretches of the note.
function lightOf(model, selection) {
  const light = { sentences: new Set(), evidence: new Set(), spans: [], strong: [] };
  if (!selection) return light;
  if (selection.kind === "sentence") lightSentence(model, light, selection.index);
  else if (selection.kind === "evidence") lightEvidence(model, light, selection.id);
  else if (selection.kind === "mention") lightMention(model, light, model.data.note.mentions[selection.index]);
  else if (selection.kind === "condition") lightCondition(model, light, selection.id);
  else if (selection.kind === "group")
    for (const m of model.data.note.mentions) if (m.group === selection.group) light.strong.push(m);
  if (selection.kind === "support")
    model.data.sentences.forEach((s, i) => s.support === selection.support && light.sentences.add(i));
  return light;
}

function lightSentence(model, light, index) {
  const sentence = model.data.sentences[index];
  if (!sentence) return;
  light.sentences.add(index);
  for (const id of sentence.citations) {
    light.evidence.add(id);
    lightWordsOf(model, light, id);
  }
  const condition = model.conditions.get(sentence.condition_id);
  if (condition) light.strong.push(...condition.because.filter((reason) => reason.start_char !== null));
}

function lightEvidence(model, light, id) {
  light.evidence.add(id);
  for (const index of model.citing.get(id) || []) light.sentences.add(index);
  lightWordsOf(model, light, id);
}

function lightWordsOf(model, light, id) {
  const found = model.evidence.get(id);
  if (!found) return;
  const { kind, item } = found;
  if (kind === "notes") {
    if (model.inNote(item)) light.spans.push(item);
    return;
  }
  const concepts = kind === "paths" ? [item.steps[0].concept_id] : [item.concept_id];
  for (const mention of model.data.note.mentions)
    if (concepts.includes(mention.concept_id) && !mention.allergen) light.strong.push(mention);
}

function lightMention(model, light, mention) {
  if (!mention) return;
  light.strong.push(mention);
  const overlaps = (item) => item.start_char < mention.end_char && mention.start_char < item.end_char;
  const own = (id) => id && id === mention.concept_id;
  for (const piece of model.lists.notes) if (model.inNote(piece) && overlaps(piece)) light.evidence.add(piece.id);
  for (const path of model.lists.paths) if (path.steps.some((step) => own(step.concept_id))) light.evidence.add(path.id);
  for (const item of model.lists.passages) if (own(item.concept_id)) light.evidence.add(item.id);
  for (const item of model.lists.graph) if (own(item.concept_id) || own(item.tail_id)) light.evidence.add(item.id);
  for (const id of light.evidence) for (const index of model.citing.get(id) || []) light.sentences.add(index);
}

function lightCondition(model, light, id) {
  const condition = model.conditions.get(id);
  if (!condition) return;
  light.strong.push(...condition.because.filter((reason) => reason.start_char !== null));
  for (const path of model.lists.paths) if (path.condition_id === id) light.evidence.add(path.id);
  for (const item of [...model.lists.passages, ...model.lists.graph]) if (item.concept_id === id) light.evidence.add(item.id);
  model.data.sentences.forEach((sentence, index) => sentence.condition_id === id && light.sentences.add(index));
}
