// The draft: stages, flags, and every sentence with its support mark, basis and citations.

const STATUS = {
  running: "Being written",
  complete: "Draft",
  partial: "Partial draft",
  nothing_found: "Nothing could be written",
  stopped: "Stopped",
  failed: "No draft",
};
const GAP = /(\[team to complete:[^\]]*\])/g;

function drawDraft(pane, bench) {
  const { data } = bench.model;
  pane.append(stageList(data), statusLine(data), flagList(bench), summary(bench), sentenceList(bench));
}

function stageList(data) {
  const rows = data.stages.map((stage) => h("li", { class: "stage " + stage.state },
    h("span", { class: "tick", "aria-hidden": "true" }, { done: "✓", now: "◌", waiting: "·" }[stage.state]),
    h("span", {}, stage.name, h("span", { class: "sr" }, { done: " done", now: " running", waiting: " waiting" }[stage.state])),
    h("span", { class: "quiet reason" }, stage.reason), h("span", { class: "quiet ms" }, stage.ms === null ? "" : `${Math.round(stage.ms)} ms`)));
  const list = h("ol", { class: "stages small", "aria-label": "Stages" }, rows);
  const done = data.stages.filter((stage) => stage.state === "done");
  if (data.phase === "running") return h("div", { role: "status", "aria-live": "polite" }, list);
  const total = done.reduce((sum, stage) => sum + (stage.ms || 0), 0) / 1000;
  return h("details", { class: "small stage-fold" }, h("summary", { class: "quiet" },
    `${plural(done.length, "stage")} in ${total.toFixed(2)} s`), list);
}

function statusLine(data) {
  const unchecked = data.sentences.some((sentence) => sentence.support === "unchecked")
    ? " It was not checked: neither the sentences against their sources nor allergies, medicines and doses." : "";
  const words = {
    partial: `The writer stopped before the end. ${data.message} What was written stays below; “Draft again” retries.${unchecked}`,
    stopped: `What was found and written so far stays here; “Draft again” starts anew.${unchecked}`,
    failed: data.message,
    nothing_found: "Nothing in the note was recognised well enough to write from. What was read is on the left; check the spelling, or add the findings in plain words.",
  }[data.status];
  return words ? h("p", { class: "state " + data.status, role: "status" }, h("strong", {}, STATUS[data.status] + ". "), words) : "";
}

// Severe flags are always open and first; of the warnings the first few show; the rest opens on request.
const WARNINGS_SHOWN = 2;
const LEVELS = { severe: "⚠ Severe", warning: "△ Warning", info: "i Note" };

function flagList(bench) {
  const { data } = bench.model;
  if (!data.flags.length) return "";
  const of = (severity) => data.flags.filter((flag) => flag.severity === severity);
  const rows = (flags) => flags.map((flag) => flagRow(bench, flag));
  const warnings = of("warning");
  // one warning behind a fold would take the place of the line that hides it
  const shown = warnings.length === WARNINGS_SHOWN + 1 ? warnings.length : WARNINGS_SHOWN;
  const open = [...of("severe"), ...warnings.slice(0, shown)];
  const folded = warnings.slice(shown);
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
  const details = h("details", { class: "flag-fold small", "data-fold": name, open: bench.opened.has(name),
    ontoggle: () => (details.open ? bench.opened.add(name) : bench.opened.delete(name)) },
  h("summary", {}, title), h("ul", { class: "flags" }, rows));
  return details;
}

// The words a flag rests on; ids of concepts say nothing to a reader.
function restsOn(flag) {
  const words = flag.evidence.filter((one) => !/^[A-Z]+:\S+$/.test(one) && !flag.message.includes(one));
  return words.length ? h("span", { class: "quiet" }, ` Rests on: ${words.map((one) => (/^[KGPN]\d+$/.test(one) ? one : `“${one}”`)).join(", ")}`) : "";
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
  const answer = data.answer ? h("p", { class: "answer" }, h("strong", {}, "Answer: "), data.answer) : "";
  return h("div", { class: "summary small" }, chips, [reading, removed].filter(Boolean).map((words) => h("span", { class: "quiet" }, words)), otherwise, answer);
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
      body.append(list);
    }
    list.append(sentenceRow(bench, sentence, index));
  });
  if (data.phase === "running") body.append(h("p", { class: "quiet small" }, data.sentences.length ? "Writing…" : "Evidence comes first; the text follows."));
  return body;
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
        sentence.citations.map((id) => chip(bench, id)))));
}

function chip(bench, id) {
  const found = bench.model.evidence.get(id);
  return h("button", { type: "button", class: "chip", "data-id": id, title: found ? chipTitle(found) : id,
    "aria-label": `${KINDS[id[0]] || "evidence"} ${id}`,
    onclick: (event) => { event.stopPropagation(); bench.choose({ kind: "evidence", id }, true); } }, id);
}

function chipTitle({ kind, item }) {
  if (kind === "paths") return item.carried || `Search hint, no support: ${item.text}`;
  return kind === "passages" ? `${item.title}: ${item.text}` : item.text;
}
