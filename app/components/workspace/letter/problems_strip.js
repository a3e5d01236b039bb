// The problems above the letter, each decided once: confirm, rule out, make past, make it the main one; and each decision taken back.

const POSSIBLE_SHOWN = 3;

function verdictOf(letter, condition) {
  const found = letter.judgements.find((one) => one.concept_id === condition.concept_id);
  return found ? found.verdict : "";
}

// What the strip says of a problem: a decision first, else what the note says.
function problemState(letter, condition) {
  const verdict = verdictOf(letter, condition);
  if (verdict) return verdict === "lead" ? "confirmed" : verdict;
  if (condition.status === "confirmed" || condition.status === "ruled_out") return condition.status;
  return condition.status;
}

const PROBLEM_MARKS = { confirmed: "check", in_note: "description", possible: "help", ruled_out: "close", past: "history" };
const PROBLEM_ORDER = { confirmed: 0, in_note: 1, past: 3, ruled_out: 4, possible: 2 };

function problemsOf(letter) {
  return [...letter.conditions].map((one) => ({ ...one, state: problemState(letter, one), lead: one.focus || verdictOf(letter, one) === "lead" }))
    .sort((a, b) => b.lead - a.lead || PROBLEM_ORDER[a.state] - PROBLEM_ORDER[b.state] || b.score - a.score);
}

function drawStrip(app, state, letter) {
  if (!letter.conditions.length) return v("p", { class: "strip-none small quiet" }, W.no_problems);
  const all = problemsOf(letter);
  const most = all.filter((one) => one.state !== "possible" || one.written);
  if (most.length < POSSIBLE_SHOWN) most.push(...all.filter((one) => one.state === "possible" && !one.written).slice(0, POSSIBLE_SHOWN));
  const rest = all.length - most.length;
  return v("div", { class: "strip", role: "toolbar", "aria-label": W.problems_strip, "data-rove": "strip" }, v("span", { class: "strip-head" }, W.problems_strip),
    v("div", { key: "chips", class: "chips" }, most.map((one) => v("button", { key: one.concept_id, type: "button", class: `problem-chip p-${one.state}${one.lead ? " lead" : ""}`, "aria-haspopup": "menu",
      onclick: (event) => openMenu(app, { kind: "problem", concept_id: one.concept_id }, event.currentTarget) },
    icon(PROBLEM_MARKS[one.state] || "help"), v("span", { lang: "en" }, one.name), v("span", { class: "sr" }, `, ${W.problem_states[one.state]}`), one.lead ? v("span", { class: "lead-word" }, W.main) : null))),
    v("button", { key: "no-room", type: "button", class: "problem-chip more chips-left", foreign: true, hidden: true, onclick: () => openEvidence(app, "problems") }),
    rest ? v("button", { key: "rest", type: "button", class: "problem-chip more", onclick: () => openEvidence(app, "problems") }, fillWords(W.n_unconfirmed, { n: rest })) : null);
}

// A chip is shown whole or not at all: those beyond the second row are counted in words behind them.
function fitChips(root) {
  const chips = [...(root.querySelector(".chips")?.children || [])];
  const left = root.querySelector(".chips-left");
  if (!left) return;
  const beyond = () => {
    const rows = [...new Set(chips.map((one) => one.offsetTop))].sort((a, b) => a - b);
    return chips.filter((one) => one.offsetTop > rows[Math.min(1, rows.length - 1)]);
  };
  left.hidden = true;
  if (beyond().length) {
    left.hidden = false;
    left.textContent = fillWords(W.n_more, { n: chips.length }); // as wide as it can get
  }
  const out = new Set(beyond());
  if (out.size) left.textContent = fillWords(W.n_more, { n: out.size });
  for (const one of chips) {
    one.classList.toggle("no-room", out.has(one));
    one.toggleAttribute("data-skip", out.has(one));
  }
}

// What can be decided about a problem; the one that holds is taken back by choosing it again.
function problemActs(letter, condition) {
  const state = problemState(letter, condition);
  const decided = Boolean(verdictOf(letter, condition)) || condition.status === "confirmed" || condition.status === "ruled_out";
  const acts = [
    ["confirm_condition", "check", W.confirm, state === "confirmed"], ["lead_condition", "flag", W.make_main, condition.focus || verdictOf(letter, condition) === "lead"],
    ["past_condition", "history", W.make_past, state === "past"], ["rule_out_condition", "close", W.rule_out, state === "ruled_out"],
  ].map(([kind, mark, words, on]) => ({ kind, mark, words, on }));
  return decided ? [...acts, { kind: "clear_condition", mark: "undo", words: W.take_back, on: false }] : acts;
}

function judge(app, concept_id, kind) {
  edit(app, { kind, concept_id });
}

function problemMenu(app, state, letter) {
  const condition = letter.conditions.find((one) => one.concept_id === state.menu.concept_id);
  if (!condition) return null;
  return [v("p", { class: "menu-title" }, condition.name, v("span", { class: "small quiet" }, W.problem_states[problemState(letter, condition)])),
    problemActs(letter, condition).map((act) => v("button", { key: act.kind, type: "button", role: "menuitem", "aria-current": act.on ? "true" : null, onclick: () => { closeMenu(app); judge(app, condition.concept_id, act.kind); } },
      icon(act.mark), act.words)),
    v("button", { key: "why", type: "button", role: "menuitem", onclick: () => { closeMenu(app); openEvidence(app, "problems", condition.concept_id); } }, icon("balance"), W.for_and_against)];
}
