// The picture of the paths: layered left to right, a word of the note first; labels whole on hover; the same paths as a table beside it.

const LEAST_SCALE = 0.8; // a picture a little wider than its column is drawn smaller, a wider one scrolls
const PATH_BOX = { width: 148, height: 26, gap_x: 54, gap_y: 8 };

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
    const key = `${layer}|${step.concept_id || step.name}`;
    layers[layer] = layers[layer] || [];
    if (!at.has(key)) {
      const node = { key, step, layer, paths: [], before: [] };
      at.set(key, node);
      layers[layer].push(node);
    }
    at.get(key).paths.push(path.id);
    if (layer) at.get(key).before.push(at.get(`${layer - 1}|${path.steps[layer - 1].concept_id || path.steps[layer - 1].name}`));
  });
  // each layer in the order of what leads to it, so that lines cross little
  layers.forEach((layer, column) => {
    if (column) layer.forEach((node) => { node.order = node.before.reduce((sum, one) => sum + one.row, 0) / Math.max(1, node.before.length); });
    if (column) layer.sort((a, b) => a.order - b.order);
    layer.forEach((node, row) => { node.row = row; });
  });
  const tallest = Math.max(...layers.map((layer) => layer.length));
  for (const layer of layers) for (const node of layer) {
    node.x = 2 + node.layer * (PATH_BOX.width + PATH_BOX.gap_x);
    node.y = 2 + (node.row + (tallest - layer.length) / 2) * (PATH_BOX.height + PATH_BOX.gap_y);
  }
  return { layers, at, width: layers.length * (PATH_BOX.width + PATH_BOX.gap_x) - PATH_BOX.gap_x + 4, height: tallest * (PATH_BOX.height + PATH_BOX.gap_y) + 4 };
}

function pathPicture(app, paths, hover) {
  const placed = layersOf(paths);
  const lit = (ids) => hover && ids.includes(hover);
  const drawn = [...paths].sort((a, b) => (a.id === hover) - (b.id === hover));
  const nodes = placed.layers.flat();
  return v("div", { key: "picture", class: "picture", role: "region", tabindex: 0, "aria-label": W.picture },
    v("svg", { viewBox: `0 0 ${placed.width} ${placed.height}`, style: `width:${placed.width}px;max-width:max(100%, ${Math.round(placed.width * LEAST_SCALE)}px);height:auto`, class: hover ? "hovered" : "", role: "img", "aria-label": W.picture_said },
      drawn.map((path) => v("g", { key: path.id, class: path.id === hover ? "edges lit" : "edges" }, path.steps.slice(1).map((step, i) => edgeOf(placed, path, step, i)))),
      nodes.map((node) => v("g", { key: node.key, lang: "en", class: `node${lit(node.paths) ? " lit" : ""}`, onmouseenter: () => app.store.set({ path_hover: node.paths[0] }), onmouseleave: () => app.store.set({ path_hover: null }), onclick: () => openConcept(app, node.step) },
        v("title", {}, node.step.name), v("rect", { x: node.x, y: node.y, width: PATH_BOX.width, height: PATH_BOX.height, rx: 4 }),
        v("text", { x: node.x + 8, y: node.y + PATH_BOX.height / 2 + 4 }, shortened(node.step.name, 20))))));
}

function edgeOf(placed, path, step, i) {
  const nameOf = (one) => one.concept_id || one.name;
  const from = placed.at.get(`${i}|${nameOf(path.steps[i])}`);
  const to = placed.at.get(`${i + 1}|${nameOf(step)}`);
  const [x1, y1, x2, y2] = [from.x + PATH_BOX.width, from.y + PATH_BOX.height / 2, to.x, to.y + PATH_BOX.height / 2];
  const bend = (x1 + x2) / 2;
  const label = step.leap ? W.leap : relationWords(step.relation);
  return [v("path", { key: `e${i}`, d: `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, class: step.leap ? "leap" : "edge" }, v("title", {}, label)),
    v("text", { key: `t${i}`, x: bend, y: (y1 + y2) / 2 - 4, "text-anchor": "middle", class: "edge-label" }, shortened(label, 22))];
}

function pathTable(app, paths, hover) {
  return v("table", { key: "table", class: "path-table small" }, v("thead", {}, v("tr", {}, [W.from_note, W.path_says].map((words, at) => v("th", { key: at, scope: "col" }, words)))),
    v("tbody", {}, paths.map((path) => v("tr", { key: path.id, class: path.id === hover ? "lit" : "", onmouseenter: () => app.store.set({ path_hover: path.id }), onmouseleave: () => app.store.set({ path_hover: null }) },
      v("th", { scope: "row", lang: "en" }, path.keyword), v("td", {}, path.steps.some((step) => step.leap) ? [v("span", { lang: "en" }, path.supported_text), v("span", { class: "quiet" }, ` ${W.after_leap} ${lastName(path)}`)] : v("span", { lang: "en" }, path.text))))));
}

function lastName(path) {
  return path.steps[path.steps.length - 1].name;
}
