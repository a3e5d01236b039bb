// The steps that led along the paths: at each, which kind of concept was chosen and how likely, what could not be reached, what was passed over.

function drawSteps(app, state) {
  const steps = state.view.draft.evidence?.policy || [];
  if (!steps.length) return v("p", { class: "quiet" }, W.no_steps);
  const at = Math.min(state.step || 0, steps.length - 1);
  const step = steps[at];
  return [v("p", { class: "small quiet" }, W.steps_explained),
    v("div", { class: "stepper", role: "group", "aria-label": W.how_parts.steps, "data-rove": "steps" }, steps.map((one, place) => v("button", { key: place, type: "button", class: "button small-button", "aria-current": place === at ? "step" : null, onclick: () => app.store.set({ step: place }) },
      `${place + 1} ${one.stopped ? W.stop_here : groupName(one.group)}`))),
    v("h5", {}, fillWords(W.step_n, { n: at + 1, all: steps.length })), chances(step),
    step.masked.length ? v("p", { class: "small" }, v("strong", {}, W.out_of_reach), " ", step.masked.map(groupName).join(", ")) : null, movesOf(app, step), passedOver(app, step)];
}

function groupName(group) {
  return W_DATA.groups[group] || group;
}

function chances(step) {
  const taken = step.stopped ? "stop" : step.group;
  const rows = Object.entries(step.probabilities).filter(([, p]) => p >= 0.0005).sort((a, b) => b[1] - a[1]);
  return v("ul", { class: "chances small" }, rows.map(([group, p]) => v("li", { key: group, class: group === taken ? "taken" : "" }, v("span", {}, group === "stop" ? W.stop_here : groupName(group)),
    v("span", { class: "meter", "aria-hidden": "true" }, v("span", { style: `width:${(p * 100).toFixed(1)}%` })), v("span", { class: "figure" }, p >= 0.9995 && p < 1 ? ">0.999" : p.toFixed(3)))));
}

function movesOf(app, step) {
  if (step.stopped || !step.moves.length) return null;
  const rows = step.moves.filter((move) => move.steps.length);
  return [v("h5", {}, W.where_paths_went), v("ul", { class: "moves small" }, rows.map((move, at) => v("li", { key: at }, v("span", { class: "quiet", lang: "en" }, `${move.keyword} `), move.steps.map((one, place) => [
    v("span", { key: `r${place}`, class: one.leap ? "leap-word" : "quiet" }, ` ${one.leap ? W.leap : relationWords(one.relation)} › `), v("button", { key: `c${place}`, type: "button", class: "link", lang: "en", onclick: () => openConcept(app, one) }, one.name)]))))];
}

function passedOver(app, step) {
  if (!step.rejected.length) return null;
  return [v("h5", {}, W.passed_over), v("ul", { class: "inline small" }, step.rejected.map((one, at) => v("li", { key: at }, v("button", { type: "button", class: "link", lang: "en", onclick: () => openConcept(app, one) }, one.name), v("span", { class: "figure" }, ` ${one.score.toFixed(2)}`))))];
}
