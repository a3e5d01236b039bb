// The tabs a clinician decides in or checks by: conditions, plan, checks.

function drawConditions(pane, bench) {
  const { data } = bench.model;
  if (!data.conditions.length) pane.append(h("p", { class: "quiet" }, "No condition was ranked."));
  else pane.append(h("p", { class: "small quiet" }, "Ranked by how much of the leading condition's evidence each one has. A score is no chance of being true. "
    + "Confirming or ruling one out drafts again."));
  for (const condition of data.conditions) pane.append(conditionCard(bench, condition));
}

function conditionCard(bench, condition) {
  const id = condition.concept_id;
  const word = { possible: "possible: confirm", confirmed: "confirmed", ruled_out: "ruled out" }[condition.status];
  const lit = bench.selection && bench.selection.kind === "condition" && bench.selection.id === id;
  const marks = [condition.focus ? "the draft is about it" : "", condition.stated ? "named in the note" : "", condition.historical ? "history" : ""].filter(Boolean);
  const judge = (verdict) => (event) => { event.stopPropagation(); bench.judge(id, verdict); };
  const judged = bench.model.data.confirmed.includes(id) || bench.model.data.ruled_out.includes(id);
  return h("article", { class: "card condition" + (lit ? " lit" : ""), tabindex: 0, "data-condition": id, "aria-label": condition.name,
    ...pressed(() => bench.choose({ kind: "condition", id })) },
    h("header", {}, h("strong", {}, condition.name), h("span", { class: "small basis" }, word),
      condition.must_not_miss ? h("span", { class: "small must" }, "⚠ must not be missed") : null,
      h("span", { class: "end score" }, h("span", { class: "meter", role: "img", "aria-label": `score ${condition.score.toFixed(2)} of 1` },
        h("span", { style: `width:${Math.round(condition.score * 100)}%` })), h("span", { class: "small quiet" }, condition.score.toFixed(2)))),
    condition.plain || marks.length ? h("p", { class: "small quiet" }, [condition.plain, ...marks].filter(Boolean).join(" · ")) : null,
    h("p", { class: "small" }, condition.because.length ? "Because: " : "", condition.because.map((reason, i) => [i ? ", " : "",
      h("span", { class: reason.weight < 0 ? "against" : "" }, `${reason.weight < 0 ? "against: " : ""}${reason.name}`)])),
    condition.confidence ? h("p", { class: "small quiet" }, `Confidence ${condition.confidence}`) : null,
    h("div", { class: "act small" }, judged
      ? h("button", { type: "button", class: "plain", onclick: judge("undo") }, "Take back")
      : [h("button", { type: "button", class: "plain", onclick: judge("confirm") }, `Confirm`, h("span", { class: "sr" }, ` ${condition.name}`)),
        h("button", { type: "button", class: "plain", onclick: judge("rule_out") }, `Rule out`, h("span", { class: "sr" }, ` ${condition.name}`))]));
}

function drawPlan(pane, bench) {
  const { plan } = bench.model.data;
  const { fallbacks } = bench.model.data;
  if (fallbacks.length) pane.append(h("h4", {}, "Ran otherwise than the system's name says"),
    h("ul", { class: "plain-list small" }, fallbacks.map((text) => h("li", {}, text))));
  if (plan.thoughts.length) pane.append(h("h4", {}, "Thoughts"), h("ol", { class: "plain-list small" }, plan.thoughts.map((thought) => h("li", {}, thought))));
  pane.append(h("h4", {}, "Questions to the sources"));
  if (!plan.sub_queries.length) pane.append(h("p", { class: "quiet" }, "This system plans no questions."));
  const skipped = plan.sub_queries.filter((query) => query.skipped);
  pane.append(h("ul", { class: "plain-list small" }, plan.sub_queries.filter((query) => !query.skipped).map((query) =>
    h("li", {}, h("span", { class: "id" }, query.source), " ", query.text, h("span", { class: "quiet" }, ` — ${query.reason}`)))));
  if (skipped.length) pane.append(h("h4", {}, "Skipped sources"), h("ul", { class: "plain-list small" }, skipped.map((query) =>
    h("li", {}, h("span", { class: "id" }, query.source), " ", query.text, " ", h("strong", {}, "skipped: "), query.skipped))));
}

function drawChecks(pane, bench) {
  const { checks } = bench.model.data;
  pane.append(h("p", { class: "small quiet" }, "What was compared with what. “No conflict found” speaks of what was checked, and of nothing else."));
  if (checks.unrecognised.length) pane.append(h("h4", { class: "alarm" }, "Not recognised, not checked"),
    h("ul", { class: "plain-list" }, checks.unrecognised.map((item) => h("li", {}, h("strong", {}, item.text), ` (${item.kind})`))));
  if (checks.not_checked.length) pane.append(h("h4", {}, "Not checked, for want of a value"),
    h("ul", { class: "plain-list" }, checks.not_checked.map((item) => h("li", {}, h("strong", {}, item.medicine), `: no ${item.missing}`, item.why ? ` (${item.why})` : ""))));
  pane.append(h("h4", {}, "Compared"));
  if (!checks.compared.length) pane.append(h("p", { class: "quiet" }, "Nothing was compared."));
  else pane.append(h("table", { class: "small" }, h("thead", {}, h("tr", {}, ["what", "known as", "found"].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, checks.compared.map((row) => h("tr", {}, h("td", {}, row.text, h("span", { class: "quiet" }, ` ${row.kind}`)), h("td", {}, row.name), h("td", {}, row.found))))));
}
