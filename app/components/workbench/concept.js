// A concept's name as a button, and the panel it opens: definition, group, synonyms and its neighbours.
// The page asks the API for a concept; what has come once is stored, so that the way back costs nothing.

const EDGES_SHOWN = 8;
const SPOKEN = { isa: "is a kind of", inverse_isa: "has the kind" };

function spoken(relation) {
  return SPOKEN[relation] || relation.replaceAll("_", " ");
}

// concept: {concept_id, name, group}; without an id (a name the draft has no id for) it stays text.
function conceptButton(bench, concept, extra) {
  const { concept_id, name, group } = concept;
  const shown = [name, extra ? h("i", {}, ` (${extra})`) : null];
  if (!concept_id) return h("span", { class: "step" }, shown);
  return h("button", { type: "button", class: "concept step", "data-concept": concept_id,
    title: `${bench.model.data.groups[group] || "Concept"}: open definition and neighbours`,
    ...pressed(() => openConcept(bench, concept)) }, shown);
}

// The id behind a keyword's name, from the note's mentions and the paths' first steps.
function keywordConcept(bench, name) {
  const { data, lists } = bench.model;
  const mention = data.note.mentions.find((m) => m.name === name);
  if (mention) return { concept_id: mention.concept_id, name, group: mention.group };
  const path = lists.paths.find((p) => p.steps[0].name === name);
  return path ? path.steps[0] : { concept_id: "", name, group: "" };
}

function openConcept(bench, { concept_id, name, group }) {
  const { trail } = bench;
  if (!trail.length) bench.opener = bench.active();
  if (!trail.length || trail[trail.length - 1].concept_id !== concept_id) trail.push({ concept_id, name, group });
  askConcept(bench, concept_id);
  drawConcept(bench, true);
}

function askConcept(bench, concept_id) {
  const known = bench.concepts.get(concept_id);
  if (!known || known.error) {
    bench.concepts.delete(concept_id);
    bench.send("concept", { concept_id });
  }
}

function backInTrail(bench) {
  bench.trail.pop();
  if (!bench.trail.length) return closeConcept(bench);
  askConcept(bench, bench.trail[bench.trail.length - 1].concept_id);
  return drawConcept(bench, true);
}

// Focus goes back to where the panel was opened, or to the same concept if the page was drawn anew since.
function closeConcept(bench) {
  const first = bench.trail[0];
  bench.trail = [];
  drawConcept(bench, false);
  const opener = bench.opener && bench.opener.isConnected ? bench.opener
    : first && bench.body.querySelector(`[data-concept="${CSS.escape(first.concept_id)}"]`);
  if (opener) opener.focus({ preventScroll: true });
}

// An answer of the API, which comes again with every update of the page.
function takeConcept(bench, concept) {
  if (!concept) return;
  const known = bench.concepts.get(concept.concept_id);
  if (!known || known.error !== concept.error) bench.concepts.set(concept.concept_id, concept);
}

// Draws the panel anew only when there is something new to show, so that scroll and focus stay.
function refreshConcept(bench) {
  const top = bench.trail[bench.trail.length - 1];
  if (top && bench.concepts.get(top.concept_id) !== bench.drawn) drawConcept(bench, false);
}

function drawConcept(bench, toHeading) {
  const { panel, trail } = bench;
  const focus = toHeading || panel.contains(bench.active());
  clear(panel);
  panel.hidden = !trail.length;
  if (!trail.length) return;
  const top = trail[trail.length - 1];
  const found = bench.concepts.get(top.concept_id);
  bench.drawn = found;
  const before = trail[trail.length - 2];
  const heading = h("h3", { tabindex: -1 }, top.name);
  panel.append(h("div", { class: "concept-bar small" },
    h("button", { type: "button", class: "plain", onclick: () => backInTrail(bench) }, 
      before ? `‹ Back to ${before.name}` : `‹ Back to the ${bench.panes.evidence ? "evidence" : "draft"}`),
    before ? h("button", { type: "button", class: "plain end", onclick: () => closeConcept(bench) }, "Close (Esc)") : null),
  heading, h("div", { class: "concept-body", "aria-live": "polite" }, !found ? h("p", { class: "quiet" }, "Looking it up…")
    : found.error ? failedConcept(bench, found) : conceptBody(bench, found)));
  panel.scrollTop = 0;
  if (focus) heading.focus({ preventScroll: true });
  if (toHeading) clearOfPin(panel);
}

// On a small screen the pinned line would cover the panel's head.
function clearOfPin(panel) {
  const pin = document.querySelector(".st-key-pinned");
  const covered = pin ? pin.getBoundingClientRect().bottom - panel.getBoundingClientRect().top : 0;
  if (covered > 0) document.querySelector(".stMain")?.scrollBy({ top: -covered - 4 });
}

function failedConcept(bench, found) {
  return [h("p", {}, found.error), h("button", { type: "button", class: "plain small",
    onclick: () => { askConcept(bench, found.concept_id); drawConcept(bench, true); } }, "Try again")];
}

function conceptBody(bench, found) {
  const on = bench.model.lists.paths.filter((path) => path.steps.some((step) => step.concept_id === found.concept_id));
  return [h("p", { class: "small quiet" }, `${bench.model.data.groups[found.group] || found.group}, ${found.category.replaceAll("_", " ")} · ${found.concept_id}`),
    h("p", {}, found.definition || "The graph holds no definition of it."),
    found.synonyms.length ? h("p", { class: "small" }, h("strong", {}, "Also called: "), found.synonyms.join(", ")) : null,
    on.length ? h("p", { class: "small on-paths" }, h("strong", {}, "On the paths: "), on.map((path) => [pathChip(bench, path.id), " "])) : null,
    h("h4", {}, `Neighbours: ${plural(found.neighbours.length, "edge")}`),
    found.neighbours.length ? neighbourLists(bench, found.neighbours) : h("p", { class: "quiet" }, "Nothing is joined to it.")];
}

function pathChip(bench, id) {
  return h("button", { type: "button", class: "chip", "aria-label": `path ${id}`, onclick: () => {
    bench.opener = null;
    closeConcept(bench);
    if (!bench.selection || bench.selection.id !== id) bench.choose({ kind: "evidence", id }, true);
  } }, id);
}

// By relation, in the order the graph has them; a long list opens on request.
function neighbourLists(bench, rows) {
  const byRelation = new Map();
  for (const row of rows) byRelation.set(row.relation, [...(byRelation.get(row.relation) || []), row]);
  return [...byRelation].map(([relation, list]) => {
    const items = (some) => some.map((row) => h("li", {}, conceptButton(bench, row, row.qualifier)));
    const rest = list.slice(EDGES_SHOWN);
    return h("div", { class: "neighbours" }, h("h5", { class: "small" }, spoken(relation), h("span", { class: "number" }, ` ${list.length}`)),
      h("ul", { class: "inline-list" }, items(list.slice(0, EDGES_SHOWN))),
      rest.length ? h("details", { class: "small" }, h("summary", {}, `${rest.length} more`), h("ul", { class: "inline-list" }, items(rest))) : null);
  });
}
