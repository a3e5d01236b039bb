// The evidence in tabs; what a chosen sentence rests on comes first, as a tab of its own.

const TABS = [
  { name: "paths", title: "Paths", ids: (model) => model.lists.paths.map((item) => item.id), none: "No reasoning path was found." },
  { name: "passages", title: "Passages", ids: (model) => model.lists.passages.map((item) => item.id), none: "No passage was retrieved." },
  { name: "graph", title: "Graph facts", ids: (model) => model.lists.graph.map((item) => item.id), none: "The graph had no fact to add." },
  { name: "notes", title: "Notes", ids: (model) => model.lists.notes.map((item) => item.id), none: "The note had no piece to cite." },
];

function tabsOf(bench) {
  const { model } = bench;
  const chosen = bench.selection ? [...bench.light.evidence] : [];
  const tabs = [];
  if (chosen.length || (bench.selection && bench.selection.kind === "sentence"))
    tabs.push({ name: "chosen", title: "Chosen", count: chosen.length, draw: (pane) => drawChosen(pane, bench) });
  for (const tab of TABS) {
    const ids = tab.ids(model);
    tabs.push({ name: tab.name, title: tab.title, count: ids.length, draw: (pane) => drawList(pane, bench, tab, ids) });
  }
  const references = model.data.evidence.references;
  if (references.length) tabs.push({ name: "references", title: "References", count: references.length, draw: (pane) => drawReferences(pane, references) });
  tabs.push({ name: "conditions", title: "Conditions", count: model.data.conditions.length, draw: (pane) => drawConditions(pane, bench) },
    { name: "plan", title: "Plan", count: model.data.plan.sub_queries.length, draw: (pane) => drawPlan(pane, bench) },
    { name: "policy", title: "Policy", count: model.data.evidence.policy.length, draw: (pane) => drawPolicy(pane, bench) },
    { name: "checks", title: "Checks", count: model.data.checks.compared.length + model.data.checks.unrecognised.length + model.data.checks.not_checked.length,
      draw: (pane) => drawChecks(pane, bench) });
  return tabs;
}

// The source documents once each, as a reference list; an address is shown as text, since nothing here leads outside.
function drawReferences(pane, references) {
  pane.append(h("ol", { class: "plain-list small" }, references.map((one) => h("li", { value: one.number },
    one.text, " ", h("span", { class: "quiet" }, `(${one.evidence.join(", ")})`)))));
}

function drawEvidence(pane, bench) {
  clear(pane);
  const tabs = tabsOf(bench);
  if (!tabs.some((tab) => tab.name === bench.tab)) bench.tab = "paths";
  const open = tabs.find((tab) => tab.name === bench.tab);
  const bar = h("div", { class: "tabs small", role: "tablist", "aria-label": "Evidence" }, tabs.map((tab) => h("button", {
    type: "button", role: "tab", "aria-selected": String(tab === open), tabindex: tab === open ? 0 : -1, "data-tab": tab.name,
    onclick: () => openTab(bench, pane, tab.name),
    onkeydown: (event) => stepTab(event, tabs, bench, pane) }, tab.title, h("span", { class: "number" }, ` ${tab.count}`))));
  const body = h("div", { class: "tab-body", role: "tabpanel", "aria-label": open.title });
  pane.append(bar, body);
  open.draw(body);
}

function stepTab(event, tabs, bench, pane) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = tabs.findIndex((tab) => tab.name === bench.tab);
  openTab(bench, pane, tabs[(at + step + tabs.length) % tabs.length].name);
}

// The tabs are drawn anew; the keyboard stays on the one that is open.
function openTab(bench, pane, name) {
  bench.tab = name;
  drawEvidence(pane, bench);
  pane.querySelector('[aria-selected="true"]').focus({ preventScroll: true });
}

function drawChosen(pane, bench) {
  const { model, selection, light } = bench;
  const sentence = selection.kind === "sentence" ? model.data.sentences[selection.index] : null;
  if (sentence) pane.append(whyOf(model, sentence));
  else pane.append(h("p", { class: "small quiet" }, `What belongs to ${nameOf(bench)}: ${plural(light.evidence.size, "piece")} of evidence, `
    + `${plural(light.sentences.size, "sentence")}.`));
  const ids = [...light.evidence];
  if (ids.some((id) => id[0] === "K") && !isFlat(bench)) pane.append(pathPicture(bench, ids.filter((id) => id[0] === "K"), true));
  pane.append(...ids.map((id) => card(bench, id, true)));
  if (!ids.length) pane.append(h("p", {}, "This sentence cites nothing."));
  pane.append(h("button", { type: "button", class: "plain small", onclick: () => bench.choose(null) }, "Clear (Esc)"));
}

function whyOf(model, sentence) {
  const support = SUPPORT[sentence.support];
  const score = sentence.support_score === null ? "" : `, ${sentence.support_score.toFixed(2)} of 1`;
  const condition = model.conditions.get(sentence.condition_id);
  const basis = BASIS[sentence.basis];
  return h("div", { class: "why small" }, h("p", {}, h("strong", {}, `${support.shape} ${support.word}`),
    `${score}${sentence.reason ? ": " + sentence.reason : ""}. This mark compares the sentence with what it cites; it does not say that the sentence is correct.`),
    basis ? h("p", {}, h("strong", {}, basis.short), ": ", basis.long, condition ? ` (${condition.name})` : "", ".") : null,
    sentence.proposed ? h("p", {}, h("strong", {}, "◇ citation proposed by the program"), ": the model gave none; this is the evidence with most in common. Check that it supports the sentence.") : null,
    sentence.doubt ? h("p", {}, h("strong", {}, `${DOUBTS[sentence.doubt]} uncertainty ${sentence.doubt}`), `, ${sentence.uncertainty.toFixed(2)} of 1: how far other samples of the model say otherwise`,
      samplesOf(model), ". Samples that agree may all be wrong.") : null,
    sentence.before_repair ? h("p", {}, h("strong", {}, "↻ reworded by a repair"), ": was ", h("q", {}, sentence.before_repair)) : null);
}

// How many samples there were and what scored them, in the stage's own words.
function samplesOf(model) {
  const stage = model.data.stages.find((row) => row.key === "uncertainty");
  return stage ? ` (${stage.reason})` : "";
}

function nameOf({ model, selection }) {
  if (selection.kind === "evidence") return selection.id;
  if (selection.kind === "mention") return `“${model.data.note.mentions[selection.index].text}”`;
  if (selection.kind === "condition") return model.conditions.get(selection.id).name;
  return "the choice";
}

function drawList(pane, bench, tab, ids) {
  const lit = bench.light.evidence;
  if (tab.name === "paths" && ids.length) pane.append(isFlat(bench) ? flatWords() : pathPicture(bench, ids.filter((id) => lit.has(id))));
  if (!ids.length) pane.append(h("p", { class: "quiet" }, stageReason(bench, tab) || tab.none));
  const cited = (id) => bench.model.citing.has(id);
  const order = tab.name === "graph" ? [...ids.filter(cited), ...ids.filter((id) => !cited(id))] : ids;
  for (const id of order) pane.append(card(bench, id, lit.has(id)));
}

// Why a list is empty, in the stage's own words.
function stageReason(bench, tab) {
  if (bench.model.data.phase === "running") return "Not there yet.";
  const names = { paths: "Reasoning paths", passages: "Passages and graph facts", graph: "Passages and graph facts" };
  const stage = bench.model.data.stages.find((row) => row.name === names[tab.name]);
  return stage && stage.reason ? `${tab.none} ${stage.reason[0].toUpperCase()}${stage.reason.slice(1).replace(/\.$/, "")}.` : "";
}
// One card for each piece of evidence, as it is shown in its tab and under a chosen sentence.

const SMALL_WORDS = new Set(("about after also because before from have into more most other over some such than that their "
  + "them then there these they this those under until very were what when which while with would your").split(" "));

function card(bench, id, lit) {
  const found = bench.model.evidence.get(id);
  if (!found) return "";
  const { kind, item } = found;
  const citing = bench.model.citing.get(id) || [];
  return h("article", { class: "card" + (lit ? " lit" : ""), "data-card": id, tabindex: 0,
    "aria-label": `${KINDS[id[0]]} ${id}`, ...pressed(() => bench.choose({ kind: "evidence", id })) },
    h("header", { class: "small" }, h("span", { class: "id" }, id), h("span", { class: "quiet" }, headOf(kind, item)),
      h("span", { class: "quiet end" }, citing.length ? `cited by ${plural(citing.length, "sentence")}` : "not cited")),
    bodyOf(bench, kind, item, citing));
}

function headOf(kind, item) {
  if (kind === "paths") return `from “${item.keyword}”`;
  if (kind === "passages") return `${item.source}: ${item.title}`;
  if (kind === "notes") return [item.note_type, item.section, item.date].filter(Boolean).join(", ");
  return item.relation ? item.relation.replaceAll("_", " ") : "definition";
}

function bodyOf(bench, kind, item, citing) {
  if (kind === "paths") return [pathLine(bench, item), pathWords(bench, item)];
  if (kind !== "passages") return h("p", {}, item.text);
  const chosen = bench.selection && bench.selection.kind === "sentence" ? [bench.selection.index] : citing;
  const sentences = chosen.filter((index) => citing.includes(index)).map((index) => bench.model.data.sentences[index].text);
  return [h("p", { class: "passage-text" }, markMatches(item.text, sentences)),
    h("p", { class: "small quiet" }, [item.licence, item.document_id].filter(Boolean).join(" · "))];
}

// The passage with what the sentences took from it marked: runs of at least three of the same words, and, where there
// is no such run, single words of meaning. A mark stands only where the characters really match.
function markMatches(text, sentences) {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((m) => ({ start: m.index, end: m.index + m[0].length, word: m[0].toLowerCase() }));
  const marked = new Array(words.length).fill(false);
  const wanted = sentences.map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []));
  for (const sentence of wanted) markRuns(words, sentence, marked);
  if (!marked.some(Boolean)) {
    const single = new Set(wanted.flat().filter((word) => word.length > 3 && !SMALL_WORDS.has(word)));
    words.forEach((word, i) => { marked[i] = single.has(word.word); });
  }
  const parts = [];
  let at = 0;
  for (let i = 0; i < words.length; i++) {
    if (!marked[i]) continue;
    let j = i;
    while (j + 1 < words.length && marked[j + 1]) j++;
    parts.push(text.slice(at, words[i].start), h("mark", { class: "match" }, text.slice(words[i].start, words[j].end)));
    at = words[j].end;
    i = j;
  }
  return [...parts, text.slice(at)];
}

function markRuns(words, sentence, marked) {
  const starts = new Map();
  sentence.forEach((word, i) => starts.set(word, [...(starts.get(word) || []), i]));
  for (let i = 0; i < words.length; i++) {
    let longest = 0;
    for (const start of starts.get(words[i].word) || []) {
      let length = 0;
      while (i + length < words.length && start + length < sentence.length && words[i + length].word === sentence[start + length]) length++;
      longest = Math.max(longest, length);
    }
    if (longest >= 3) for (let k = 0; k < longest; k++) marked[i + k] = true;
  }
}
