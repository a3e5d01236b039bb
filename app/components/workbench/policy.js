// The policy's walk, step by step: how it weighed the groups, which were masked, where each path went, what was passed over.

const ALL = "all";

function drawPolicy(pane, bench) {
  const steps = bench.model.data.evidence.policy;
  if (!steps.length) {
    pane.append(...noPolicy(bench));
    return;
  }
  const status = h("p", { class: "sr", role: "status" });
  const bar = h("div", { class: "stepper small", role: "group", "aria-label": "Steps of the walk" });
  const body = h("div", { class: "walk" });
  const places = placesOf(steps);
  const show = (wanted, focus) => {
    bench.step = wanted;
    const at = wanted === ALL ? ALL : Math.min(wanted, steps.length - 1);
    clear(bar);
    bar.append(...stepButtons(bench, steps, at, show));
    clear(body);
    body.append(...steps.map((step, i) => (at === ALL || at === i ? stepArticle(bench, steps, i, places[i]) : "")).filter(Boolean));
    status.textContent = at === ALL ? `All ${steps.length} steps` : `Step ${at + 1} of ${steps.length}: ${actionName(bench, chosenAction(steps[at]))}`;
    if (focus) bar.querySelector(focus).focus();
  };
  pane.append(h("p", { class: "small quiet" }, "At each step the policy chooses one semantic group for the whole note; then every path moves into it, "
    + "along an edge or by a leap. Its probabilities say what it prefers, not what is clinically true."), bar, status, body);
  show(bench.step, null);
}

// Why there is no walk, in the words of the stage that found the paths.
function noPolicy(bench) {
  const stage = bench.model.data.stages.find((row) => row.key === "paths");
  if (!stage || stage.state !== "done") return [h("p", { class: "quiet" }, "Not there yet.")];
  return [h("p", {}, h("strong", {}, "No policy walked for this draft.")),
    h("p", { class: "small" }, `${stage.name}: ${stage.reason || "the stage gave no reason"}`)];
}

function stepButtons(bench, steps, at, show) {
  const last = steps.length - 1;
  const one = at === ALL ? null : at;
  const keys = (event) => {
    const wanted = { ArrowRight: Math.min((one ?? -1) + 1, last), ArrowLeft: Math.max((one ?? 1) - 1, 0), Home: 0, End: last }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    show(wanted, `[data-step="${wanted}"]`);
  };
  const move = (name, words, to, off) => h("button", { type: "button", class: "plain", "data-move": name, "aria-disabled": String(off),
    onclick: () => { if (!off) show(to, `[data-move="${name}"]`); }, onkeydown: keys }, words);
  const numbered = steps.map((step, i) => h("button", { type: "button", class: "walk-step", "data-step": i, "aria-current": i === one ? "step" : null,
    onclick: () => show(i, `[data-step="${i}"]`), onkeydown: keys }, h("b", {}, i + 1), ` ${actionName(bench, chosenAction(step))}`));
  return [move("previous", "‹ Previous", (one ?? 1) - 1, one === null || one === 0), move("next", "Next ›", (one ?? -1) + 1, one === null || one === last),
    h("button", { type: "button", class: "plain", "data-move": "all", "aria-pressed": String(at === ALL),
      onclick: () => show(at === ALL ? 0 : ALL, '[data-move="all"]'), onkeydown: keys }, "All steps"),
    h("div", { class: "walk-steps" }, numbered)];
}

function stepArticle(bench, steps, i, places) {
  const step = steps[i];
  const chosen = actionName(bench, chosenAction(step));
  return h("article", { class: "walk-article", "aria-label": `Step ${step.step}` },
    h("h3", {}, `Step ${step.step}: `, step.stopped ? "the walk ends here" : chosen),
    h("h4", {}, "Probability of each group that could be chosen"), probabilityBars(bench, step), maskedLine(bench, step),
    step.stopped ? h("p", { class: "small" }, "The policy chose to stop: no path moved.") : movesOf(bench, step, places),
    rejectedOf(bench, step));
}

function probabilityBars(bench, step) {
  const chosen = chosenAction(step);
  const rows = Object.entries(step.probabilities).sort((a, b) => b[1] - a[1]);
  return h("ul", { class: "chances small" }, rows.map(([action, p]) => h("li", { class: action === chosen ? "taken" : "" },
    h("span", {}, h("span", { class: "shape", "aria-hidden": "true" }, action === chosen ? "▶" : ""), actionName(bench, action)),
    h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: `width:${(p * 100).toFixed(2)}%` })),
    h("span", { class: "figure" }, chance(p)), h("span", { class: "word" }, action === chosen ? "chosen" : ""))));
}

// Three decimals; what rounds to 0 or 1 is shown as less or more than it.
function chance(p) {
  if (p < 0.0005) return "<0.001";
  return p < 1 && p >= 0.9995 ? ">0.999" : p.toFixed(3);
}

function maskedLine(bench, step) {
  return h("p", { class: "small" }, h("strong", {}, "Masked: "), step.masked.length
    ? `${step.masked.map((group) => actionName(bench, group)).join(", ")}. No path could reach them from here.` : "no group, all could be reached.");
}

function movesOf(bench, step, places) {
  if (!step.moves.length) return h("p", { class: "small quiet" }, "This draft does not hold where each path went.");
  const leapt = step.moves.filter((move) => move.steps.some((one) => one.leap)).length;
  const stayed = step.moves.filter((move) => !move.steps.length).length;
  const edges = step.moves.length - leapt - stayed;
  return [h("h4", {}, "Where each path went"),
    h("p", { class: "small quiet" }, `${plural(step.moves.length, "path")}: ${leapt} with a leap, ${edges} by edges alone, ${stayed} stayed.`),
    h("ul", { class: "moves" }, step.moves.map((move, row) => moveRow(bench, move, places[row])))];
}

function moveRow(bench, move, place) {
  const keyword = keywordConcept(bench, move.keyword);
  const from = place || keyword;
  return h("li", {}, place ? h("span", { class: "small quiet keyword" }, `path of “${move.keyword}”, now at`) : null, h("div", { class: "path-line" },
    conceptButton(bench, from), move.steps.map((one) => [link(one), conceptButton(bench, one, one.qualifier)]),
    move.steps.length ? null : h("span", { class: "relation" }, "found no candidate and stays")));
}

function rejectedOf(bench, step) {
  if (step.stopped) return null;
  if (!step.rejected.length) return h("p", { class: "small quiet" }, "No candidate was rejected at this step.");
  return [h("h4", {}, "Rejected: no path took them"), h("ul", { class: "rejected" }, step.rejected.map((one) =>
    h("li", {}, conceptButton(bench, { ...one, group: step.group }), h("span", { class: "figure small" }, `score ${one.score.toFixed(2)}`)))),
  h("p", { class: "small quiet" }, "The best that were passed over, best first. A score may be compared within this step only; higher fits better.")];
}

// Where each path stands before each step: the last concept it gained, nothing while it is still at its keyword.
function placesOf(steps) {
  const now = [];
  return steps.map((step) => {
    const before = [...now];
    step.moves.forEach((move, row) => { if (move.steps.length) now[row] = move.steps[move.steps.length - 1]; });
    return before;
  });
}

function chosenAction(step) {
  return step.stopped ? "stop" : step.group;
}

function actionName(bench, action) {
  return action === "stop" ? "Stop the walk" : bench.model.data.groups[action] || action;
}
