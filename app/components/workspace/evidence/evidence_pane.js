// The evidence beside the letter: sources, problems, safety; and, one click further, how it was found.

const EVIDENCE_TABS = ["sources", "problems", "safety"];

function drawEvidencePane(app, state, letter) {
  if (!letter) return drawEvidenceComing(state);
  const inDocument = showsDocument(state);
  const counts = { sources: letter.numbers.size, problems: letter.conditions.length, safety: letter.flags.filter((flag) => flag.severity !== "info").length };
  return [v("div", { key: "bar", class: "evidence-bar" }, v("div", { key: "tabs", class: "evidence-tabs", role: "tablist", "aria-label": W.column_names.evidence, "data-rove": "evidence-tabs" },
    EVIDENCE_TABS.map((name) => v("button", { key: name, type: "button", role: "tab", id: `ws-etab-${name}`, "aria-selected": String(state.tab === name), "aria-controls": "ws-epanel", onclick: () => app.store.set({ tab: name, concept: null, opened: null }) },
      W.evidence_tabs[name], v("span", { class: "count" }, counts[name])))),
    v("button", { key: "close", type: "button", class: "icon-button sheet-close", "data-skip": "", "aria-label": W.close, onclick: () => app.store.set({ sheet: false }) }, icon("close"))),
  v("div", { key: "panel", id: "ws-epanel", class: "scroll evidence-body", role: "tabpanel", "aria-labelledby": `ws-etab-${state.tab}`, "data-scroll": "evidence", tabindex: 0 },
    inDocument ? drawDocument(app, state, letter) : state.concept ? drawConcept(app, state, letter) : state.tab === "sources" ? drawSources(app, state, letter) : state.tab === "problems" ? drawProblems(app, state, letter) : drawSafety(app, state, letter),
    inDocument || state.concept ? null : drawHow(app, state, letter))];
}

function drawEvidenceComing(state) {
  const { run } = state;
  const stages = run ? run.stages.filter((stage) => W.stages[stage.name]) : [];
  return v("div", { class: "coming small" }, stages.map((stage, at) => v("p", { key: at, class: "quiet" }, icon("check", "faint"), W.stages[stage.name])), run ? v("p", { key: "now" }, icon("progress_activity", "turning"), W.writing) : null);
}

// Opens a tab of the evidence, as a column, a tab or a sheet, and brings what is asked for into sight.
function openEvidence(app, tab, at) {
  app.store.set({ tab, concept: null, opened: null, column: "evidence", sheet: true });
  pointAt(app, at);
}

// Brings a card into sight. The keyboard goes to what a source can be opened with, else to the whole panel.
function pointAt(app, at) {
  afterDraw(() => {
    const panel = app.root.querySelector("#ws-epanel");
    const wanted = at && panel.querySelector(`[data-medicine="${CSS.escape(at)}"], [data-problem="${CSS.escape(at)}"], [data-source="${CSS.escape(at)}"]`);
    if (wanted) { wanted.scrollIntoView({ block: "nearest" }); wanted.classList.add("pointed"); setTimeout(() => wanted.classList.remove("pointed"), 1_500); } else panel.scrollTop = 0;
    (wanted?.querySelector("header .open-source") || panel).focus({ preventScroll: true });
  });
}

function showSource(app, sentence, id) {
  app.store.set({ chosen: sentence, chosen_source: id, hover: null });
  openEvidence(app, "sources", id);
}

// The sources of the chosen sentence, one after the other.
function nextSource(app, id) {
  const { state } = app.store;
  const cited = letterOf(state).live.find((one) => one.id === id)?.citations || [];
  if (cited.length) showSource(app, id, cited[(cited.indexOf(state.chosen_source) + 1) % cited.length]);
}

// Candidates with what speaks for and against each.
function drawProblems(app, state, letter) {
  return v("div", { class: "problems", "data-rove": "problems" }, problemsOf(letter).map((one) => lazy(one.concept_id, [letter.conditions, letter.judgements], () => problemCard(app, letter, one))));
}

function problemCard(app, letter, one) {
  const reasons = one.because.filter((reason) => reason.relation !== "named_in_note");
  const named = (list) => v("ul", { lang: "en" }, list.map((reason, at) => v("li", { key: at }, reason.start_char === null ? reason.name : v("button", { type: "button", class: "link", onclick: () => showInNote(app, reason.start_char, reason.end_char) }, reason.name))));
  const [speaks, against] = [reasons.filter((reason) => reason.weight >= 0), reasons.filter((reason) => reason.weight < 0)];
  return v("article", { class: "card problem-card", "data-problem": one.concept_id }, v("header", {}, v("h4", {}, v("span", { lang: "en" }, one.name), one.must_not_miss ? v("span", { class: "must" }, W.cant_miss) : null), v("span", { class: "small quiet" }, W.problem_states[one.state])),
    speaks.length ? [v("h5", {}, W.speaks_for), named(speaks)] : one.state === "possible" ? v("p", { class: "small quiet" }, W.nothing_for) : null, against.length ? [v("h5", {}, W.speaks_against), named(against)] : null,
    v("div", { class: "card-acts" }, problemActs(letter, one).map((act) => v("button", { key: act.kind, type: "button", class: "button small-button", "aria-pressed": String(act.on), onclick: () => judge(app, one.concept_id, act.kind) }, act.words)),
      v("button", { key: "look", type: "button", class: "link", onclick: () => openConcept(app, one) }, W.look_up)));
}

function drawSafety(app, state, letter) {
  const { draft } = state.view;
  const { compared, unrecognised, not_checked } = draft.checks;
  return v("div", { class: "safety", "data-rove": "safety" }, drawAlerts(app, state, letter),
    v("details", { key: "checks", class: "checks" }, v("summary", {}, checkedSummary(draft)),
      unrecognised.length ? [v("h5", {}, W.not_recognised), v("ul", {}, unrecognised.map((one, at) => v("li", { key: at, lang: "en" }, one.text)))] : null,
      not_checked.length ? [v("h5", {}, W.could_not_check), v("ul", {}, not_checked.map((one, at) => v("li", { key: at }, `${one.medicine}: ${fillWords(W.lacks, { what: one.missing })}`)))] : null,
      v("ul", { class: "small" }, compared.map((one, at) => v("li", { key: at }, v("strong", { lang: "en" }, one.text), ": ", foundWords(one.found))))));
}

// What a comparison found, in the page's words.
function foundWords(found) {
  const [none, some, against] = [/^no conflict found among (\d+) checked$/, /^(\d+) found among (\d+) pairs$/, /^conflict: (.*)$/s].map((form) => form.exec(found));
  if (none) return fillWords(W.found_none, { n: none[1] });
  if (some) return fillWords(W.found_pairs, { n: some[1], all: some[2] });
  return against ? fillWords(W.found_against, { names: against[1] }) : found;
}

function checkedSummary(draft) {
  const { compared, unrecognised, not_checked } = draft.checks;
  const more = unrecognised.length + not_checked.length;
  return [countWords(W.n_compared, compared.length), more ? `, ${fillWords(W.n_not_checked, { n: more })}` : ""];
}
