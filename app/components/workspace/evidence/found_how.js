// How the evidence was found: the paths and their picture, the steps that led along them, the plan, the thoughts and the graph.

const HOW_PARTS = ["paths", "steps", "plan", "graph"];

function drawHow(app, state, letter) {
  const part = state.how_part || "paths";
  return v("details", { key: "how", class: "how", open: state.how, ontoggle: (event) => event.target.open !== state.how && app.store.set({ how: event.target.open }) },
    v("summary", {}, W.how_found),
    state.how ? v("div", { class: "how-inside" },
      v("div", { class: "how-tabs", role: "group", "aria-label": W.how_found, "data-rove": "how" }, HOW_PARTS.map((name) => v("button", { key: name, type: "button", class: "button small-button", "aria-pressed": String(part === name), onclick: () => app.store.set({ how_part: name }) }, W.how_parts[name]))),
      lazy(`how-${part}`, [state.view.draft.evidence, state.path_hover, state.step, part], () => v("div", {}, { paths: drawPaths, steps: drawSteps, plan: drawPlan, graph: drawGraphFacts }[part](app, state)))) : null);
}

function drawPlan(app, state) {
  const { plan } = state.view.draft;
  const removed = state.view.draft.removed_sentences || [];
  return [removed.length ? [v("h5", {}, W.taken_out), v("ul", {}, removed.map((one, at) => v("li", { key: at, lang: "en" }, v("del", {}, one))))] : null,
    plan.thoughts.length ? [v("h5", {}, W.thoughts), v("ul", {}, plan.thoughts.map((one, at) => v("li", { key: at, lang: "en" }, one)))] : null,
    v("h5", {}, countWords(W.n_searches, plan.sub_queries.length)),
    v("table", { class: "small" }, v("thead", {}, v("tr", {}, [W.searched_in, W.searched_for, W.because].map((words, at) => v("th", { key: at, scope: "col" }, words)))),
      v("tbody", {}, plan.sub_queries.map((one, at) => v("tr", { key: at }, v("td", {}, W.source_names[one.source] || one.source), v("td", { lang: "en" }, one.text), v("td", { class: "quiet", lang: "en" }, one.skipped || one.reason)))))];
}

function drawGraphFacts(app, state) {
  const cited = letterOf(app.store.state).numbers;
  const facts = [...(state.view.draft.evidence?.graph || [])].sort((a, b) => cited.has(b.id) - cited.has(a.id));
  if (!facts.length) return v("p", { class: "quiet" }, W.none_found);
  return v("ul", { class: "facts" }, facts.map((one) => v("li", { key: one.id }, cited.has(one.id) ? v("span", { class: "source-number" }, cited.get(one.id)) : null, v("button", { type: "button", class: "link", lang: "en", onclick: () => openConcept(app, one) }, one.text))));
}

// One concept: what it is, its other names, and what is joined to it.
function openConcept(app, { concept_id, name }) {
  const { store } = app;
  if (!concept_id) return;
  const before = store.state.concept;
  store.set({ concept: { concept_id, name: name || "", found: null, error: "", before }, column: "evidence", sheet: true });
  afterDraw(() => { app.root.querySelector(".concept-view h4")?.focus(); app.root.querySelector("#ws-epanel").scrollTop = 0; });
  askJson(`concepts/${encodeURIComponent(concept_id)}/neighbours`).then((found) => settleConcept(app, concept_id, { found }), (error) => settleConcept(app, concept_id, { error: error.message }));
}

function settleConcept(app, concept_id, change) {
  const { concept } = app.store.state;
  if (concept && concept.concept_id === concept_id) app.store.set({ concept: { ...concept, ...change, name: change.found ? change.found.concept.name : concept.name } });
}

const NEIGHBOURS_SHOWN = 8;

function drawConcept(app, state) {
  const { concept } = state;
  const found = concept.found;
  const byRelation = new Map();
  for (const row of found ? found.neighbours : []) byRelation.set(row.relation, [...(byRelation.get(row.relation) || []), row]);
  const one = (row, at) => v("li", { key: at }, v("button", { type: "button", class: "link", lang: "en", onclick: () => openConcept(app, row.concept) }, row.concept.name), row.qualifier ? v("span", { class: "quiet" }, ` (${row.qualifier})`) : null);
  return v("div", { key: "concept", class: "concept-view" },
    v("button", { type: "button", class: "quiet-button", onclick: () => app.store.set({ concept: concept.before }) }, icon("arrow_back"), concept.before ? concept.before.name : W.back_to_evidence),
    v("h4", { tabindex: -1, lang: "en" }, concept.name), concept.error ? v("p", { role: "alert" }, concept.error) : !found ? v("p", { class: "quiet" }, W.looking_up) : [
      found.concept.definition ? v("p", { lang: "en" }, found.concept.definition) : v("p", {}, W.no_definition), found.concept.synonyms.length ? v("p", { class: "small" }, v("strong", {}, W.also_called), " ", v("span", { lang: "en" }, found.concept.synonyms.join(", "))) : null,
      [...byRelation].map(([relation, rows]) => v("section", { key: relation }, v("h5", {}, relationWords(relation)), v("ul", { class: "inline" }, rows.slice(0, NEIGHBOURS_SHOWN).map(one)),
        rows.length > NEIGHBOURS_SHOWN ? v("details", { class: "small" }, v("summary", {}, fillWords(W.n_more, { n: rows.length - NEIGHBOURS_SHOWN })), v("ul", { class: "inline" }, rows.slice(NEIGHBOURS_SHOWN).map(one))) : null))]);
}

function relationWords(relation) {
  return W.relations[relation] || said(relation.replaceAll("_", " "));
}
