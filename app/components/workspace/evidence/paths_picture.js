// The picture of the paths: layered left to right, a word of the note first; labels wrapped, whole on hover; the same paths as a table beside it.

const LEAST_SCALE = 0.9; // a picture a little wider than its column is drawn smaller, a wider one scrolls
const PATH_BOX = { width: 156, pad: 7, line: 15, font: 12, gap_y: 8 };
const PATH_LABEL = { width: 108, line: 13, font: 11, bend: 40 }; // how a concept is reached, in the gap before its box
const LONGEST_LABEL = 60; // characters

function drawPaths(app, state) {
  const paths = state.view.draft.evidence?.paths || [];
  if (!paths.length) return v("p", { class: "quiet" }, W.no_paths);
  return [v("div", { class: "picture-head" }, v("p", { class: "small quiet" }, W.paths_explained), v("button", { type: "button", class: "icon-button", "aria-label": W.enlarge, title: W.enlarge, onclick: () => app.store.set({ dialog: { kind: "picture" } }) }, icon("open_in_full"))),
    pathPicture(app, paths, state.path_hover || null), pathTable(app, paths, state.path_hover || null)];
}

// The whole picture with its table beside it, as large as the window.
function drawPictureDialog(app, state) {
  const paths = state.view.draft.evidence?.paths || [];
  return dialog(app, "picture", W.how_parts.paths, v("div", { class: "picture-beside how" }, pathPicture(app, paths, state.path_hover || null), pathTable(app, paths, state.path_hover || null)));
}

function layersOf(paths) {
  const layers = [];
  const at = new Map();
  for (const path of paths) path.steps.forEach((step, layer) => {
    const key = stepKey(step, layer);
    layers[layer] = layers[layer] || [];
    if (!at.has(key)) {
      const node = { key, step, layer, paths: [], before: [] };
      at.set(key, node);
      layers[layer].push(node);
    }
    at.get(key).paths.push(path.id);
    if (layer) at.get(key).before.push(at.get(stepKey(path.steps[layer - 1], layer - 1)));
  });
  // each layer in the order of what leads to it, so that lines cross little
  layers.forEach((layer, column) => {
    if (column) layer.forEach((node) => { node.order = node.before.reduce((sum, one) => sum + one.row, 0) / Math.max(1, node.before.length); });
    if (column) layer.sort((a, b) => a.order - b.order);
    layer.forEach((node, row) => { node.row = row; });
  });
  for (const node of layers.flat()) {
    node.lines = wrapped(node.step.name, PATH_BOX.width - 2 * PATH_BOX.pad, PATH_BOX.font);
    node.box = node.lines.length * PATH_BOX.line + 2 * PATH_BOX.pad - 3;
  }
  labelEdges(at, paths);
  for (const node of layers.flat()) node.height = Math.max(node.box, node.labels.reduce((sum, one) => sum + one.lines.length * PATH_LABEL.line + 2, 0));
  const heights = layers.map((layer) => layer.reduce((sum, node) => sum + node.height + PATH_BOX.gap_y, 0));
  const [tallest, step] = [Math.max(...heights), PATH_BOX.width + PATH_LABEL.width + PATH_LABEL.bend];
  layers.forEach((layer, column) => {
    let y = 2 + (tallest - heights[column]) / 2;
    for (const node of layer) {
      [node.x, node.middle] = [2 + column * step, y + node.height / 2];
      y += node.height + PATH_BOX.gap_y;
    }
  });
  return { layers, at, width: layers.length * step - PATH_LABEL.width - PATH_LABEL.bend + 4, height: tallest + 4 };
}

const stepKey = (step, layer) => `${layer}|${step.concept_id || step.name}`;

// Each concept's labels: by which relations it is reached, each once, with the paths that do.
function labelEdges(at, paths) {
  for (const node of at.values()) node.labels = [];
  for (const path of paths) path.steps.slice(1).forEach((step, i) => {
    const labels = at.get(stepKey(step, i + 1)).labels;
    const words = edgeWords(step);
    const known = labels.find((one) => one.words === words);
    if (known) known.paths.push(path.id);
    else labels.push({ words, lines: wrapped(words, PATH_LABEL.width - 8, PATH_LABEL.font), paths: [path.id] });
  });
}

function edgeWords(step) {
  return step.leap ? W.leap : relationWords(step.relation);
}

let pen = null;

function widthOf(line, font) {
  pen = pen || document.createElement("canvas").getContext("2d");
  pen.font = `500 ${font}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(line).width;
}

// The words, cut at sixty characters, in lines no wider than so many pixels; a word that is wider alone is broken.
function wrapped(words, width, font) {
  const fits = (line) => widthOf(line, font) <= width;
  const lines = [""];
  const broken = (word) => {
    for (const letter of Array.from(word)) {
      if (fits(lines.at(-1) + letter) || !lines.at(-1)) lines[lines.length - 1] += letter;
      else lines.push(letter);
    }
  };
  for (const word of shortened(words, LONGEST_LABEL).split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (fits(longer)) lines[lines.length - 1] = longer;
    else {
      if (lines.at(-1)) lines.push("");
      broken(word);
    }
  }
  return lines;
}

// Lines of text around a height.
function textLines(props, lines, x, middle, step) {
  return v("text", props, lines.map((line, i) => v("tspan", { key: i, x, y: middle + (i - (lines.length - 1) / 2) * step + 4 }, line)));
}

function pathPicture(app, paths, hover) {
  const placed = layersOf(paths);
  const lit = (ids) => (hover && ids.includes(hover) ? " lit" : "");
  const drawn = [...paths].sort((a, b) => (a.id === hover) - (b.id === hover));
  const nodes = placed.layers.flat();
  return v("div", { key: "picture", class: "picture", role: "region", tabindex: 0, "aria-label": W.picture },
    v("svg", { viewBox: `0 0 ${placed.width} ${placed.height}`, style: `width:${placed.width}px;max-width:max(100%, ${Math.round(placed.width * LEAST_SCALE)}px);height:auto`, class: hover ? "hovered" : "", role: "img", "aria-label": W.picture_said },
      drawn.map((path) => v("g", { key: path.id, class: path.id === hover ? "edges lit" : "edges" }, path.steps.slice(1).map((step, i) => edgeOf(placed, path, step, i)))),
      nodes.map((node) => v("g", { key: `l${node.key}` }, edgeLabels(node, lit))),
      nodes.map((node) => v("g", { key: node.key, lang: "en", class: `node${lit(node.paths)}`, onmouseenter: () => app.store.set({ path_hover: node.paths[0] }), onmouseleave: () => app.store.set({ path_hover: null }), onclick: () => openConcept(app, node.step) },
        v("title", {}, node.step.name), v("rect", { x: node.x, y: node.middle - node.box / 2, width: PATH_BOX.width, height: node.box, rx: 4 }),
        textLines({}, node.lines, node.x + PATH_BOX.pad, node.middle, PATH_BOX.line)))));
}

// What is above and below each other stands in the height that is the concept's alone.
function edgeLabels(node, lit) {
  const heights = node.labels.map((one) => one.lines.length * PATH_LABEL.line + 2);
  let y = node.middle - heights.reduce((sum, one) => sum + one, 0) / 2;
  return node.labels.map((one, i) => {
    y += heights[i];
    const width = Math.max(...one.lines.map((line) => widthOf(line, PATH_LABEL.font))) + 6;
    return v("g", { key: one.words, class: `edge-label${lit(one.paths)}` }, v("title", {}, one.words),
      v("rect", { x: node.x - PATH_LABEL.width / 2 - width / 2, y: y - heights[i], width, height: heights[i] }),
      textLines({ "text-anchor": "middle" }, one.lines, node.x - PATH_LABEL.width / 2, y - heights[i] / 2, PATH_LABEL.line));
  });
}

function edgeOf(placed, path, step, i) {
  const from = placed.at.get(stepKey(path.steps[i], i));
  const to = placed.at.get(stepKey(step, i + 1));
  const [x1, y1, x2, y2] = [from.x + PATH_BOX.width, from.middle, to.x - PATH_LABEL.width, to.middle];
  const bend = (x1 + x2) / 2;
  return v("path", { key: `e${i}`, d: `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2} H${to.x}`, class: step.leap ? "leap" : "edge" }, v("title", {}, edgeWords(step)));
}

function pathTable(app, paths, hover) {
  return v("table", { key: "table", class: "path-table small" }, v("thead", {}, v("tr", {}, [W.from_note, W.path_says].map((words, at) => v("th", { key: at, scope: "col" }, words)))),
    v("tbody", {}, paths.map((path) => v("tr", { key: path.id, class: path.id === hover ? "lit" : "", onmouseenter: () => app.store.set({ path_hover: path.id }), onmouseleave: () => app.store.set({ path_hover: null }) },
      v("th", { scope: "row", lang: "en" }, path.keyword), v("td", {}, path.steps.some((step) => step.leap) ? [v("span", { lang: "en" }, path.supported_text), v("span", { class: "quiet" }, ` ${W.after_leap} ${lastName(path)}`)] : v("span", { lang: "en" }, path.text))))));
}

function lastName(path) {
  return path.steps[path.steps.length - 1].name;
}
