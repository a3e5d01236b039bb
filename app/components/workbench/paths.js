// The picture of the reasoning paths: concepts in columns by step, edges solid, leaps dashed, the rest faded (or, alone,
// left out).

const BOX = { width: 130, height: 34, gapX: 32, gapY: 9 };
const SMALLEST = 0.79; // the picture is never drawn smaller; it scrolls instead

function pathPicture(bench, chosen, alone) {
  const paths = bench.model.lists.paths.filter((path) => !alone || chosen.includes(path.id));
  if (!paths.length) return "";
  const placed = placeNodes(paths);
  const width = placed.layers.length * (BOX.width + BOX.gapX) - BOX.gapX + 4;
  const height = Math.max(...placed.layers.map((layer) => layer.length)) * (BOX.height + BOX.gapY) + 4;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "path-picture", role: "group",
    style: `min-width:${Math.round(width * SMALLEST)}px;max-width:${Math.round(width * 1.25)}px`,
    "aria-label": "Reasoning paths from the note's words to what may be written. The same paths stand as text below." });
  const active = new Set(chosen);
  const drawn = [...paths].sort((a, b) => active.has(a.id) - active.has(b.id));
  for (const path of drawn) picture.append(edgesOf(path, placed, active));
  placed.layers.forEach((layer) => layer.forEach((node) => picture.append(nodeBox(bench, node, active))));
  return h("div", { class: "picture" }, h("div", { class: "picture-frame", tabindex: 0, role: "region", "aria-label": "Picture of the paths" }, picture),
    h("p", { class: "small quiet" },
    "Solid: an edge of the graph. Dashed, with the word “leap”: no edge joins the two; what follows a leap is a search hint. "
    + "A box opens its concept. Order by score, which is no chance of being true."));
}

function placeNodes(paths) {
  const layers = [];
  const at = new Map();
  for (const path of paths) path.steps.forEach((step, layer) => {
    const key = `${layer}|${step.concept_id}`;
    layers[layer] = layers[layer] || [];
    if (!at.has(key)) {
      const node = { step, layer, paths: [] };
      at.set(key, node);
      layers[layer].push(node);
    }
    at.get(key).paths.push(path.id);
  });
  const tallest = Math.max(...layers.map((layer) => layer.length));
  layers.forEach((layer, column) => layer.forEach((node, row) => {
    node.x = 2 + column * (BOX.width + BOX.gapX);
    node.y = 2 + (row + (tallest - layer.length) / 2) * (BOX.height + BOX.gapY);
  }));
  return { layers, at };
}

function edgesOf(path, placed, active) {
  const group = svg("g", { class: "edges" + (active.size && !active.has(path.id) ? " faded" : active.has(path.id) ? " active" : "") });
  path.steps.slice(1).forEach((step, i) => {
    const from = placed.at.get(`${i}|${path.steps[i].concept_id}`);
    const to = placed.at.get(`${i + 1}|${step.concept_id}`);
    const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2];
    const bend = (x1 + x2) / 2;
    group.append(svg("path", { d: `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, class: step.leap ? "leap" : "edge" },
      svg("title", {}, `${path.id}, ${path.steps[i].name}: ${relationWords(step)} ${step.name}`)));
    if (step.leap) group.append(svg("text", { x: x2 - 5, y: y2 - 5, "text-anchor": "end", class: "leap-word" }, "leap"));
  });
  return group;
}

function nodeBox(bench, node, active) {
  const on = !active.size || node.paths.some((id) => active.has(id));
  const group = svg("g", { class: `node${on ? "" : " faded"}${active.size && on ? " active" : ""}`, tabindex: 0, role: "button",
    "data-concept": node.step.concept_id, "aria-label": `${node.step.name}, on ${node.paths.join(", ")}: open definition and neighbours`,
    ...pressed(() => openConcept(bench, node.step)) });
  group.append(svg("title", {}, `${node.step.name} (${bench.model.data.groups[node.step.group]}), on ${node.paths.join(", ")}`),
    svg("rect", { x: node.x, y: node.y, width: BOX.width, height: BOX.height, rx: 5 }));
  const rows = twoRows(node.step.name, 18);
  rows.forEach((words, i) => group.append(svg("text", { x: node.x + BOX.width / 2,
    y: node.y + BOX.height / 2 + 4 + (rows.length === 2 ? (i === 0 ? -7 : 7) : 0), "text-anchor": "middle" }, words)));
  return group;
}

// A name in at most two rows of so many characters; what does not fit ends in an ellipsis (the title has it whole).
function twoRows(name, most) {
  const rows = [""];
  for (const word of name.split(" ")) {
    const last = rows.length - 1;
    if (!rows[last]) rows[last] = word;
    else if ((rows[last] + " " + word).length <= most) rows[last] += " " + word;
    else rows.push(word);
  }
  const shown = rows.slice(0, 2).map((row) => (row.length > most ? row.slice(0, most - 1) + "…" : row));
  if (rows.length > 2 && !shown[1].endsWith("…")) shown[1] = shown[1].slice(0, most - 1) + "…";
  return shown;
}

// What a leap is called in the data says no more than "leap", unless it names something else.
function relationWords(step) {
  if (!step.leap) return spoken(step.relation);
  return ["", "leap", "cluster_leap", "cluster leap"].includes(step.relation) ? "leap" : `leap (${spoken(step.relation)})`;
}

// An edge is a solid line with the relation's words, a leap a dashed one with the word.
function link(step) {
  return h("span", { class: "relation " + (step.leap ? "leaps" : "edges") }, h("span", { class: "relation-words" }, relationWords(step)),
    h("span", { class: "tip", "aria-hidden": "true" }, "›"));
}

// A path as one line: keyword, each relation, each concept. What follows a leap is marked as no support.
function pathLine(bench, path) {
  const first = path.steps.findIndex((step) => step.leap);
  const line = path.steps.map((step, i) => [i ? link(step) : null, conceptButton(bench, step, step.qualifier)]);
  if (first < 0) return h("div", { class: "path-line" }, line);
  return h("div", { class: "path-line" }, line.slice(0, first), h("span", { class: "hint" }, line.slice(first),
    h("span", { class: "hint-word small" }, "search hint, no support")));
}

// What of a path may support a sentence, and what may not.
function pathWords(bench, path) {
  if (path.steps.length === 1) return h("p", { class: "small quiet" }, bench.model.data.groups[path.steps[0].group]);
  if (!path.steps.some((step) => step.leap)) return h("p", { class: "small quiet" }, path.text);
  const head = path.supported_text.replace(/\.$/, "");
  const rest = head && path.text.startsWith(head) ? path.text.slice(head.length).replace(/^,? then /, "") : path.text;
  return [h("p", { class: "small" }, h("strong", {}, "May support a sentence: "), path.supported_text || "nothing of this path."),
    h("p", { class: "small quiet" }, h("strong", {}, "Search hint, no support: "), rest)];
}

// Some systems give concepts without a way to them.
function isFlat(bench) {
  return bench.model.lists.paths.every((path) => path.steps.length === 1);
}

function flatWords() {
  return h("p", { class: "small quiet pad" }, "A flat list: concepts one edge away from a word of the note, without the way to them.");
}
