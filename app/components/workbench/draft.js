// The draft: stages, flags, and every sentence with its support mark, basis and citations.

const STATUS = {
  running: "Being written",
  complete: "Draft",
  partial: "Partial draft",
  nothing_found: "Nothing could be written",
  stopped: "Stopped",
  failed: "No draft",
};
const DOUBTS = { low: "▂", moderate: "▅", high: "█" };
const GAP = /(\[team to complete:[^\]]*\])/g;

function drawDraft(pane, bench) {
  const { data } = bench.model;
  pane.append(stageList(data), statusLine(bench), asked(data), flagList(bench), summary(bench), sentenceList(bench), removedList(bench));
}

function stageList(data) {
  const rows = data.stages.map((stage) => h("li", { class: "stage " + stage.state },
    h("span", { class: "tick", "aria-hidden": "true" }, { done: "✓", now: "◌", waiting: "·" }[stage.state]),
    h("span", {}, stage.name, h("span", { class: "sr" }, { done: " done", now: " running", waiting: " waiting" }[stage.state])),
    h("span", { class: "quiet reason" }, stage.reason), h("span", { class: "quiet ms" }, stage.ms ? `${Math.round(stage.ms)} ms` : "")));
  const list = h("ol", { class: "stages small", "aria-label": "Stages" }, rows);
  const done = data.stages.filter((stage) => stage.state === "done");
  if (data.phase === "running") return h("div", { role: "status", "aria-live": "polite" }, list);
  const total = done.reduce((sum, stage) => sum + (stage.ms || 0), 0) / 1000;
  return h("details", { class: "small stage-fold" }, h("summary", { class: "quiet" },
    `${plural(done.length, "stage")} in ${total.toFixed(2)} s`), list);
}

// Why the draft is not whole, what of it stays, and the way on.
function statusLine(bench) {
  const { data } = bench.model;
  const unchecked = data.sentences.some((sentence) => sentence.support === "unchecked")
    ? " It was not checked: neither the sentences against their sources nor allergies, medicines and doses." : "";
  const rest = data.sentences.length ? "What was written before stays below, and so does the evidence." : "Nothing was written yet; the evidence stays.";
  const words = {
    partial: ["The writer broke off before the end.", data.message, rest + unchecked],
    stopped: ["", "", rest + unchecked],
    failed: ["", data.message, data.note.mentions.length ? "What was found so far stays." : ""],
    nothing_found: ["", "", data.by_model ? "The model gave no sentence that could be kept. The evidence stays."
      : "Nothing in the note was recognised well enough to write from. What was read is on the left; check the spelling, or add the findings in plain words."],
  }[data.status];
  if (!words && !data.stood_in) return "";
  const title = words ? STATUS[data.status] : "Written by the composer instead";
  const [what, why, stays] = words || ["", data.stood_in, ""];
  const sign = ["partial", "failed"].includes(data.status) || data.stood_in ? "⚠" : "■";
  return h("div", { class: "state " + data.status, role: "status" },
    h("p", {}, h("span", { class: "sign", "aria-hidden": "true" }, sign), h("strong", {}, title + ". "), what),
    why ? h("p", { class: "because" }, h("span", { class: "quiet" }, "Reason: "), why) : null, stays ? h("p", {}, stays) : null,
    null);
}

// Severe flags are always open and first; of the warnings that the server leaves open the first few show, so that the text is in sight.
const WARNINGS_SHOWN = 2;
const LEVELS = { severe: "⚠ Severe", warning: "△ Warning", info: "i Note" };

function flagList(bench) {
  const { data } = bench.model;
  if (!data.flags.length) return "";
  const of = (severity) => data.flags.filter((flag) => flag.severity === severity);
  const rows = (flags) => flags.map((flag) => flagRow(bench, flag));
  const warnings = of("warning");
  // one warning behind a fold would take the place of the line that hides it
  const most = warnings.length === WARNINGS_SHOWN + 1 ? warnings.length : WARNINGS_SHOWN;
  const shown = warnings.filter((flag) => !flag.folded).slice(0, most);
  const open = [...of("severe"), ...shown];
  const folded = warnings.filter((flag) => !shown.includes(flag));
  const notes = of("info");
  return h("div", { class: "flag-block", role: "group", "aria-label": "Flags" },
    open.length ? h("ul", { class: "flags" }, rows(open)) : "",
    folded.length ? fold(bench, "warnings", plural(folded.length, "more warning"), rows(folded)) : "",
    notes.length ? fold(bench, "notes", plural(notes.length, "note"), rows(notes)) : "");
}

function flagRow(bench, flag) {
  const { data } = bench.model;
  const target = flag.sentence !== null && data.sentences[flag.sentence] ? { kind: "sentence", index: flag.sentence } : null;
  const inner = [h("span", { class: "level" }, LEVELS[flag.severity]), h("span", {}, flag.message,
    restsOn(flag), target ? [" ", h("span", { class: "go" }, `Sentence ${flag.sentence + 1}`)] : "")];
  return h("li", { class: "flag " + flag.severity }, target
    ? h("button", { type: "button", onclick: () => bench.choose(target, true) }, inner) : inner);
}

// A fold stays as the reader left it when the draft is drawn anew.
function fold(bench, name, title, rows) {
  const details = h("details", { class: "flag-fold small", "data-fold": name, open: bench.unfolded.has(name),
    ontoggle: () => (details.open ? bench.unfolded.add(name) : bench.unfolded.delete(name)) },
  h("summary", {}, title), h("ul", { class: "folded" }, rows));
  return details;
}

// The words a flag rests on; ids of concepts say nothing to a reader.
function restsOn(flag) {
  const words = flag.evidence.filter((one) => !/^[A-Z]+:\S+$/.test(one) && !flag.message.includes(one));
  return words.length ? h("span", { class: "quiet" }, ` Rests on: ${words.map((one) => (/^[KGPN]\d+$/.test(one) ? one : `“${one}”`)).join(", ")}`) : "";
}

// The question stands with its answer, from the moment that it is sent.
function asked(data) {
  if (!data.question) return "";
  const options = data.options.map((option, place) => h("li", {}, h("strong", {}, `${"ABCDEFGHIJ"[place]} `), option));
  return h("div", { class: "asked" }, h("p", {}, h("strong", {}, "Question: "), data.question), options.length ? h("ul", {}, options) : "");
}

function summary(bench) {
  const { data } = bench.model;
  if (!data.sentences.length) return "";
  const kinds = Object.keys(SUPPORT).filter((kind) => data.sentences.some((sentence) => sentence.support === kind));
  const chips = kinds.map((kind) => h("button", { type: "button", class: "count s-" + kind, "aria-pressed": "false", "data-support": kind,
    onclick: () => bench.choose({ kind: "support", support: kind }) },
    h("span", { class: "shape", "aria-hidden": "true" }, SUPPORT[kind].shape),
    ` ${data.sentences.filter((sentence) => sentence.support === kind).length} ${SUPPORT[kind].word}`));
  const reading = data.readability && data.readability.fkgl !== null ? `Reading grade ${data.readability.fkgl}` : "";
  const removed = data.removed_citations ? `${plural(data.removed_citations, "citation")} to nothing removed` : "";
  const otherwise = data.fallbacks.length ? h("button", { type: "button", class: "plain quiet",
    onclick: () => { bench.tab = "plan"; bench.choose(null); } }, `△ ${plural(data.fallbacks.length, "step")} ran without a model or otherwise: see Plan`) : "";
  const doubt = data.doubt ? h("span", { class: "quiet doubt " + data.doubt, title: "How far other samples of the model say otherwise, over the whole text; 0 says all alike" },
    h("span", { "aria-hidden": "true" }, DOUBTS[data.doubt]), ` uncertainty of the whole: ${data.doubt} (${data.uncertainty.toFixed(2)} of 1)`) : "";
  const proposed = data.sentences.filter((sentence) => sentence.proposed).length;
  const byProgram = proposed ? h("span", { class: "quiet" }, `◇ ${plural(proposed, "citation")} proposed by the program`) : "";
  const answer = data.answer ? h("p", { class: "answer" }, h("strong", {}, "Answer: "), data.answer) : "";
  return h("div", { class: "summary small" }, chips, [reading, removed].filter(Boolean).map((words) => h("span", { class: "quiet" }, words)), byProgram, doubt, otherwise, answer);
}

function sentenceList(bench) {
  const { data } = bench.model;
  const body = h("div", { class: "sentences" });
  let section = null;
  let list = null;
  data.sentences.forEach((sentence, index) => {
    if (sentence.section !== section) {
      section = sentence.section;
      list = h("ol", { "aria-label": section || "Draft" });
      if (section) body.append(h("h3", {}, section));
      if (section === data.medicines_heading) body.append(medicineTable(bench));
      body.append(list);
    }
    list.append(sentenceRow(bench, sentence, index));
  });
  if (data.medicines.length && !body.querySelector(".medicines")) body.append(h("h3", {}, data.medicines_heading), medicineTable(bench));
  if (data.phase === "running") body.append(growingRow(), h("p", { class: "quiet small" }, data.sentences.length || data.growing ? "Writing…" : "Evidence comes first; the text follows."));
  else if (data.sentences.length && ["partial", "stopped"].includes(data.status))
    body.append(h("p", { class: "broke-off small" }, data.status === "partial" ? "⚠ The writing broke off here. What should follow is missing."
      : "■ The writing was stopped here. What should follow is missing."));
  return body;
}

// The medicines as a table. What has to be decided and what nobody could check is marked in words, not by colour alone.
const MEDICINE_COLUMNS = ["Medicine", "How much", "When", "What for, or why", "What to do", "Source"];

function medicineTable(bench) {
  const { medicines } = bench.model.data;
  if (!medicines.length) return "";
  const rows = medicines.map((row) => h("tr", { class: "medicine a-" + row.action },
    h("th", { scope: "row" }, row.name, row.recognised ? null : h("span", { class: "mark-word alarm" }, "⚠ not recognised, not checked")),
    h("td", {}, row.dose), h("td", {}, row.timing), h("td", {}, row.reason),
    h("td", {}, row.action === "undecided" ? h("span", { class: "to-decide" }, "▢ To decide: ") : null, row.what_to_do),
    h("td", { class: "quiet" }, row.source, " ", row.citations.map((id) => chip(bench, id)))));
  return h("div", { class: "medicines small", role: "region", tabindex: 0, "aria-label": "Medicines" }, h("table", {},
    h("thead", {}, h("tr", {}, MEDICINE_COLUMNS.map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, rows)));
}

// What a repair removed stays in sight, crossed out, for the record.
function removedList(bench) {
  const removed = bench.model.data.removed_sentences;
  if (!removed.length) return "";
  return fold(bench, "removed", `✂ ${plural(removed.length, "sentence")} removed: nothing cited supports ${removed.length === 1 ? "it" : "them"}`,
    removed.map((text) => h("li", {}, h("del", {}, text))));
}

function sentenceRow(bench, sentence, index) {
  const support = SUPPORT[sentence.support];
  const basis = BASIS[sentence.basis];
  const score = sentence.support_score === null ? "" : ` (${sentence.support_score.toFixed(2)} of 1)`;
  const about = `${support.word}${score}${sentence.reason ? ": " + sentence.reason : ""}`;
  const pieces = sentence.text.split(GAP).filter(Boolean);
  const gap = sentence.text.match(GAP);
  const onlyGap = gap && gap.join("") === sentence.text.trim();
  return h("li", { class: `sentence s-${sentence.support}${onlyGap ? " only-gap" : ""}`, "data-sentence": index },
    h("span", { class: "shape", "aria-hidden": "true", title: about }, onlyGap ? "▢" : support.shape),
    h("div", { class: "said" },
      h("span", { class: "words", role: "button", tabindex: 0, "aria-pressed": "false",
        ...pressed(() => bench.choose({ kind: "sentence", index })) },
        pieces.map((piece) => (piece.match(GAP) ? h("mark", { class: "gap" }, piece) : piece))),
      h("span", { class: "meta small" },
        onlyGap ? h("span", { class: "quiet" }, "for the team") : h("span", { class: "verdict", title: about }, support.word),
        basis && !onlyGap ? h("span", { class: "basis " + sentence.basis, title: basis.long }, basis.short) : null,
        sentence.citations.map((id) => chip(bench, id)), marksOf(sentence)), rewordedFrom(bench, sentence, index)));
}

// The sentence that is being written grows in a place of its own, and has no marks yet.
function growingRow() {
  return h("div", { class: "sentence growing-row", hidden: true }, h("span", { class: "shape", "aria-hidden": "true" }, "…"),
    h("div", { class: "said" }, h("span", { class: "growing" }), h("span", { class: "meta small" }, "being written")));
}

function drawGrowing(pane, text) {
  const row = pane.querySelector(".growing-row");
  if (!row) return;
  row.hidden = !text;
  row.querySelector(".growing").textContent = text;
}

// What a model may add to its sentence: a citation it did not give itself, and how sure it is.
function marksOf(sentence) {
  return [sentence.proposed ? h("span", { class: "mark-word", title: "The model gave no citation for this sentence; the program looked for one" },
    "◇ citation proposed by the program") : null,
  sentence.doubt ? h("span", { class: "mark-word doubt " + sentence.doubt, title: "How far other samples of the model say otherwise; 0 says all alike. It does not say that the sentence is correct" },
    h("span", { "aria-hidden": "true" }, DOUBTS[sentence.doubt]), ` uncertainty ${sentence.doubt} (${sentence.uncertainty.toFixed(2)} of 1)`) : null];
}

function rewordedFrom(bench, sentence, index) {
  if (!sentence.before_repair) return null;
  return fold(bench, `reworded-${index}`, "↻ reworded by a repair: what it was", [h("li", {}, "was: ", h("q", {}, sentence.before_repair))]);
}

function chip(bench, id) {
  const found = bench.model.evidence.get(id);
  return h("button", { type: "button", class: "chip", "data-id": id, title: found ? chipTitle(found) : id,
    "aria-label": `${KINDS[id[0]] || "evidence"} ${id}`,
    onclick: (event) => { event.stopPropagation(); bench.choose({ kind: "evidence", id }, true); } }, id);
}

function chipTitle({ kind, item }) {
  if (kind === "paths") return item.supported_text || `Search hint, no support: ${item.text}`;
  return kind === "passages" ? `${item.title}: ${item.text}` : item.text;
}
