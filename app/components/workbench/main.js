// The workbench: note, draft and evidence side by side, one selection shared by all three.

const benches = new WeakMap();
const NARROW = "(max-width: 1099px)";
const TITLES = { note: "Note", draft: "Draft", evidence: "Evidence" };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = rootIn(parentElement, "bench");
  let bench = benches.get(root);
  if (!bench) {
    bench = newBench(root);
    benches.set(root, bench);
  }
  bench.send = setTriggerValue;
  update(bench, data);
  return bench.leave;
}

function newBench(root) {
  const bench = { root, selection: null, light: lightOf(null, null), tab: "paths", column: "draft", id: null, panes: {}, model: null, unfolded: new Set(), shown: {},
    step: 0, trail: [], concepts: new Map(), drawn: undefined, opener: null, body: h("div", {}),
    panel: h("section", { class: "concept-panel", role: "dialog", "aria-label": "Concept", hidden: true }) };
  root.append(bench.body, bench.panel);
  bench.active = () => root.getRootNode().activeElement;
  bench.choose = (selection, reveal) => choose(bench, selection, reveal);
  bench.judge = (concept_id, verdict) => bench.send("condition", { concept_id, verdict });
  const keys = (event) => {
    if (event.key !== "Escape") return;
    if (bench.trail.length) closeConcept(bench);
    else if (bench.selection) bench.choose(null);
  };
  const media = window.matchMedia(NARROW);
  const resize = () => { root.dataset.narrow = String(media.matches); fit(bench); };
  document.addEventListener("keydown", keys);
  window.addEventListener("resize", resize);
  bench.resize = resize;
  bench.leave = () => {
    document.removeEventListener("keydown", keys);
    window.removeEventListener("resize", resize);
    benches.delete(root);
  };
  return bench;
}

function update(bench, data) {
  takeConcept(bench, data.concept);
  // a finished draft never changes: only an answer about a concept can have come
  if (data.id && data.id === bench.id) {
    refreshConcept(bench);
    return;
  }
  const before = bench.model && bench.model.data;
  const scrolled = Object.fromEntries(Object.entries(bench.panes).map(([name, pane]) => [name, pane.scrollTop]));
  if (data.id !== bench.id) bench.selection = null;
  if (bench.id && !data.id) delete scrolled.draft; // another draft begins at its top
  const atEnd = bench.panes.draft && followed(bench.panes.draft);
  if (atEnd && data.id) delete scrolled.draft; // who watched it being written reads the flags first
  bench.id = data.id;
  bench.model = buildModel(data);
  bench.light = lightOf(bench.model, bench.selection);
  if (before && grew(before, data)) refresh(bench);
  else rebuild(bench, scrolled);
  if (data.phase === "running" && bench.panes.draft) {
    drawGrowing(bench.panes.draft, data.growing);
    if (atEnd) bench.panes.draft.scrollTop = bench.panes.draft.scrollHeight;
  }
  apply(bench, false);
  if (data.id) drawConcept(bench, false);
  else refreshConcept(bench);
}

function rebuild(bench, scrolled) {
  const { data } = bench.model;
  clear(bench.body);
  bench.panes = {};
  bench.root.dataset.views = data.views.length;
  const columns = data.views.map((name) => column(bench, name));
  const bar = data.views.length > 1 ? h("div", { class: "column-tabs", role: "tablist", "aria-label": "Columns" }, data.views.map((name) =>
    h("button", { type: "button", role: "tab", "data-column": name, onclick: () => show(bench, name) }, TITLES[name]))) : "";
  bench.body.append(bar, h("div", { class: "columns" }, columns));
  for (const [name, pane] of Object.entries(bench.panes)) pane.scrollTop = scrolled[name] || 0;
  show(bench, bench.column);
  bench.resize();
}

// The same draft, further on: what is read meanwhile (an open card, a choice of words, the focus) is not drawn anew.
function grew(before, data) {
  return before.phase === "running" && data.phase === "running" && before.note.text === data.note.text && before.system === data.system;
}

// What each column shows, but for the sentence that is being written.
const SHOWN = {
  note: (data) => [data.note, data.conditions, data.evidence.notes],
  draft: (data) => [data.stages.map((stage) => [stage.state, stage.reason]), data.sentences, data.status],
  evidence: (data) => [data.evidence, data.conditions, data.plan, data.fallbacks, data.sentences.map((sentence) => sentence.citations)],
};

function refresh(bench) {
  for (const [name, pane] of Object.entries(bench.panes)) {
    const now = JSON.stringify(SHOWN[name](bench.model.data));
    if (bench.shown[name] === now) continue;
    const at = pane.scrollTop;
    const focus = focusIn(bench, pane);
    clear(pane);
    fillPane(bench, name, pane);
    pane.scrollTop = at;
    if (focus) pane.querySelector(focus)?.focus({ preventScroll: true });
    pane.previousSibling.replaceWith(headOfColumn(bench, name));
  }
}

// Where the keyboard is in a column, as a selector that finds the same place when it is drawn anew.
function focusIn(bench, pane) {
  const active = bench.active();
  if (!active || !pane.contains(active)) return null;
  const name = ["tab", "card", "condition", "mention", "concept"].find((one) => active.dataset[one] !== undefined);
  return name ? `[data-${name}="${CSS.escape(active.dataset[name])}"]` : null;
}

// Whether the reader is at the end of what is being written, and so wants to see it grow.
function followed(pane) {
  return pane.scrollHeight - pane.clientHeight - pane.scrollTop < 40;
}

function fillPane(bench, name, pane) {
  bench.shown[name] = JSON.stringify(SHOWN[name](bench.model.data));
  if (name === "note") drawNote(pane, bench);
  if (name === "draft") drawDraft(pane, bench);
  if (name === "evidence") drawEvidence(pane, bench);
}

function column(bench, name) {
  const pane = h("div", { class: "pane", tabindex: -1 });
  bench.panes[name] = pane;
  fillPane(bench, name, pane);
  return h("section", { class: "column " + name, "aria-label": TITLES[name] }, headOfColumn(bench, name), pane);
}

function headOfColumn(bench, name) {
  const { data } = bench.model;
  const side = { note: plural(data.note.mentions.length, "mention"), evidence: plural(bench.model.evidence.size, "piece"),
    draft: `${data.document} · ${data.system} · not reviewed, not signed` }[name];
  const title = name === "draft" ? STATUS[data.status] : TITLES[name];
  return h("header", { class: "column-head" }, h("h2", {}, title), h("span", { class: "small quiet" }, side));
}

function choose(bench, selection, reveal) {
  const same = selection && bench.selection && JSON.stringify(selection) === JSON.stringify(bench.selection);
  bench.selection = same && !reveal ? null : selection;
  bench.light = lightOf(bench.model, bench.selection);
  const kind = bench.selection && bench.selection.kind;
  if (["sentence", "mention", "condition"].includes(kind) && bench.light.evidence.size && bench.tab !== "conditions") bench.tab = "chosen";
  if (kind === "sentence") bench.tab = "chosen";
  if (kind === "evidence") bench.tab = { K: "paths", P: "passages", G: "graph", N: "notes" }[bench.selection.id[0]] || bench.tab;
  if (!bench.selection && bench.tab === "chosen") bench.tab = "paths";
  if (bench.panes.evidence) drawEvidence(bench.panes.evidence, bench);
  if (reveal && kind === "evidence" && bench.root.dataset.narrow === "true") show(bench, "evidence");
  if (reveal && kind === "sentence") show(bench, "draft");
  apply(bench, true);
}

// Light what belongs to the selection; bring the first of each into sight.
function apply(bench, scroll) {
  const { light, panes, selection } = bench;
  const covers = (list, start, end) => list.some((span) => span.start_char <= start && end <= span.end_char);
  for (const segment of panes.note ? panes.note.querySelectorAll("[data-start]") : []) {
    const [start, end] = [Number(segment.dataset.start), Number(segment.dataset.end)];
    segment.classList.toggle("lit", covers(light.spans, start, end));
    segment.classList.toggle("strong", covers(light.strong, start, end));
  }
  for (const row of panes.draft ? panes.draft.querySelectorAll("[data-sentence]") : []) {
    const on = light.sentences.has(Number(row.dataset.sentence));
    row.classList.toggle("lit", on);
    row.querySelector(".words").setAttribute("aria-pressed", String(on));
    for (const one of row.querySelectorAll(".chip")) one.classList.toggle("lit", light.evidence.has(one.dataset.id));
  }
  for (const one of panes.draft ? panes.draft.querySelectorAll(".medicines .chip") : [])
    one.classList.toggle("lit", light.evidence.has(one.dataset.id));
  for (const count of panes.draft ? panes.draft.querySelectorAll("[data-support]") : [])
    count.setAttribute("aria-pressed", String(selection !== null && selection.kind === "support" && selection.support === count.dataset.support));
  openUnder(bench);
  if (!scroll || !selection) return;
  for (const [name, pane] of Object.entries(panes)) {
    if (name === "draft" && selection.kind === "sentence") bring(pane, ".sentence.lit");
    else if (name === "draft" && selection.kind !== "support") bring(pane, ".sentence.lit");
    else if (name === "note") bring(pane, ".strong, .lit");
    else if (name === "evidence") bring(pane, ".card.lit", bench.tab === "chosen");
  }
}

// Where there is no evidence column, what a chosen sentence rests on opens under it.
function openUnder(bench) {
  if (bench.panes.evidence || !bench.panes.draft) return;
  for (const old of bench.panes.draft.querySelectorAll(".under")) old.remove();
  const { selection, light, panes } = bench;
  if (!selection || !["sentence", "evidence"].includes(selection.kind)) return;
  const row = panes.draft.querySelector(".sentence.lit .said");
  if (row) row.append(h("div", { class: "under" }, [...light.evidence].map((id) => card(bench, id, true))));
}

function bring(pane, selector, toTop) {
  if (toTop) { pane.scrollTop = 0; return; }
  const node = pane.querySelector(selector);
  if (!node) return;
  const [outer, inner] = [pane.getBoundingClientRect(), node.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > Math.min(outer.bottom, window.innerHeight)) pane.scrollTop += inner.top - outer.top - 24;
}

function show(bench, name) {
  if (!bench.model.data.views.includes(name)) name = "draft";
  bench.column = name;
  bench.root.dataset.column = name;
  for (const tab of bench.root.querySelectorAll("[data-column]")) tab.setAttribute("aria-selected", String(tab.dataset.column === name));
}

// Columns fill the window below their own top, so that each scrolls by itself.
function fit(bench) {
  const top = bench.root.getBoundingClientRect().top + (document.querySelector(".stMain")?.scrollTop || 0);
  bench.root.style.setProperty("--tall", `${Math.max(bench.root.dataset.narrow === "true" ? 360 : 460, window.innerHeight - Math.min(top, 330) - 68)}px`);
}
