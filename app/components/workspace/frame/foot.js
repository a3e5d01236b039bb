// The foot: how far the letter is, each part of it a way to what is left.

function drawFoot(app, state, letter) {
  if (!letter) return v("div", { key: "foot-running", class: "foot" }, state.phase === "running" ? v("span", { class: "small quiet" }, runWords(state.run)) : null);
  const { sentences, checked, gaps, required, undecided, severe, to_look } = letter.progress;
  const open = unconfirmed(letter);
  const go = (words, action, more) => v("button", { type: "button", class: "foot-part" + (more || ""), onclick: action }, words);
  return v("div", { key: "foot", class: "foot", role: "toolbar", "aria-label": W.progress, "data-rove": "foot" },
    v("span", { class: "foot-bar", "aria-hidden": "true" }, v("span", { style: `width:${sentences ? (100 * checked) / sentences : 0}%` })),
    go(fillWords(W.checked_of, { n: checked, all: sentences }), () => nextUnchecked(app)),
    gaps ? go([countWords(W.n_gaps, gaps), required ? v("span", { class: "must" }, fillWords(W.n_required, { n: required })) : null], () => nextGap(app)) : v("span", { class: "foot-part quiet" }, W.no_gaps),
    undecided && letter.state !== "signed" ? go(v("span", { class: "must" }, countWords(W.n_undecided, undecided)), () => goToDecision(app)) : null,
    severe + to_look ? go(countWords(W.n_alerts, severe + to_look), () => showAlerts(app), severe ? " severe" : "") : v("span", { class: "foot-part quiet" }, W.no_alerts),
    open.length ? go(v("span", { class: "must" }, countWords(W.n_to_confirm, open.length)), () => openEvidence(app, "problems", open[0].concept_id)) : null,
    v("span", { class: "foot-end" }, letter.updating ? v("span", { key: "updating", class: "saved" }, icon("progress_activity", "turning"), W.updating) : savedWords(app, state)),
    letter.state === "signed" ? v("span", { class: "foot-part" }, icon("verified"), signedWords(state.view.signature))
      : v("button", { type: "button", class: "foot-sign", onclick: () => app.store.set({ dialog: { kind: "sign" } }) }, W.sign));
}

function signedWords(signature) {
  return signature ? fillWords(W.signed_by, { name: signature.name, time: timeWords(signature.at), day: dayWords(signature.at) }) : W.signed;
}

function runWords(run) {
  const last = run.stages[run.stages.length - 1];
  const words = last && W.stages[last.name];
  return [W.writing, words].filter(Boolean).join(" · ");
}

function nextUnchecked(app) {
  const letter = letterOf(app.store.state);
  const next = letter.live.find((one) => !one.checked_by);
  if (next) choose(app, next.id, { focus: true });
}

function nextGap(app) {
  const { state } = app.store;
  const letter = letterOf(state);
  const at = letter.gaps.findIndex((one) => one.sentence === state.chosen);
  const gap = letter.gaps[(at + 1) % letter.gaps.length];
  if (!gap) return;
  choose(app, gap.sentence, {});
  afterDraw(() => app.root.querySelector(`[data-gap="${gap.id}"]`)?.focus());
}
