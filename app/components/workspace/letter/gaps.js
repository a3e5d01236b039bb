// What only the team knows: a field where it stands in the letter. What is typed and not taken stays in it, with what it needs.

function withGaps(app, letter, sentence, gaps) {
  const parts = [];
  let at = 0;
  let place = 0;
  for (const match of sentence.text.matchAll(GAP)) {
    parts.push(sentence.text.slice(at, match.index), gapPlace(app, letter, gaps[place]));
    at = match.index + match[0].length;
    place += 1;
  }
  parts.push(sentence.text.slice(at));
  return v("span", { lang: "en", class: "words with-gap", tabindex: "-1", onclick: (event) => { if (!event.target.closest("[data-gap], button")) choose(app, sentence.id, {}); } }, parts, gaps.map((gap) => (asksTable(letter, gap) ? null : gapHelp(app, gap))));
}

// What no free words answer is chosen, or decided in its table.
function gapPlace(app, letter, gap) {
  if (gap && asksTable(letter, gap)) return tableField(app, gap);
  const choices = gap && !app.store.state.held[gapKey(gap)] ? choicesOf(letter, gap) : [];
  return choices.length ? choiceField(app, gap, choices) : gapField(app, gap);
}

function gapKey(gap) {
  return `${gap.sentence}-${gap.place}`;
}

function gapField(app, gap) {
  if (!gap) return "";
  const { held, view } = app.store.state;
  const kept = held[gapKey(gap)] || { text: "" };
  const label = kept.reason ? fillWords(W.why_not_needed, { prompt: said(gap.prompt) }) : fillWords(gap.required ? W.add_required : W.add_gap, { prompt: said(gap.prompt) });
  const signed = view.state === "signed"; // the question then comes before the typing
  return v("textarea", { key: `${gapKey(gap)}${kept.reason ? "-reason" : ""}`, rows: 1, lang: W_DATA.language, class: "gap" + (gap.required ? " required" : ""), "data-gap": gap.id, "aria-label": label, placeholder: label, title: label, value: kept.text, maxlength: 2000, readonly: signed, onclick: signed ? () => askToReopen(app, () => focusGap(app, gap)) : null,
    "aria-invalid": kept.message ? "true" : null, "aria-describedby": kept.message ? `gap-help-${gapKey(gap)}` : null,
    cols: Math.min(64, Math.max(24, label.length)), onfocus: () => choose(app, gap.sentence, {}),
    onkeydown: (event) => gapTyped(app, gap, event), onblur: (event) => fillGap(app, gap, event.target) });
}

// Why an answer was not taken, and the way to say that none is needed.
function gapHelp(app, gap) {
  const { held, chosen, view } = app.store.state;
  const kept = held[gapKey(gap)];
  if (!kept && (chosen !== gap.sentence || view.state === "signed")) return null;
  return v("span", { key: `help-${gapKey(gap)}`, lang: W_DATA.language, class: "gap-help", id: `gap-help-${gapKey(gap)}`, role: kept?.message ? "alert" : null, "data-rove": "gap-help" }, kept?.message ? [icon("error"), kept.message, " "] : null,
    kept?.reason || view.state === "signed" ? null : v("button", { type: "button", class: "link", onmousedown: (event) => event.preventDefault(), onclick: () => askWhyNot(app, gap) }, W.not_needed));
}

function hold(app, gap, kept) {
  const { [gapKey(gap)]: _, ...others } = app.store.state.held;
  app.store.set({ held: kept ? { ...others, [gapKey(gap)]: kept } : others });
}

function askWhyNot(app, gap) {
  hold(app, gap, { text: "", reason: true });
  focusGap(app, gap);
}

function focusGap(app, gap) {
  afterDraw(() => app.root.querySelector(`[data-sentence="${CSS.escape(gap.sentence)}"] [data-gap]`)?.focus());
}

function gapTyped(app, gap, event) {
  if (event.target.readOnly && (event.key === "Enter" || event.key.length === 1) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    event.stopPropagation();
    askToReopen(app, () => focusGap(app, gap));
  } else if (event.key === "Enter" && !event.ctrlKey) {
    event.preventDefault();
    event.stopPropagation();
    const { live } = letterOf(app.store.state);
    const at = live.findIndex((one) => one.id === gap.sentence);
    fillGap(app, gap, event.target);
    const left = letterOf(app.store.state).live.some((one) => one.id === gap.sentence); // one that is not needed is left out
    const next = left ? live[at] : live[at + 1] || live[at - 1];
    if (next) choose(app, next.id, { focus: true });
  } else if (event.key === "Escape") {
    event.stopPropagation();
    event.target.value = "";
    hold(app, gap, null);
    event.target.blur();
  } else if (!["ArrowUp", "ArrowDown", "Tab"].includes(event.key)) event.stopPropagation();
}

function fillGap(app, gap, field) {
  const kept = app.store.state.held[gapKey(gap)];
  const text = field.value.replace(/\s+/g, " ").trim();
  if (!text || (kept?.message && text === kept.text && !(kept.again && app.store.state.view.state !== "signed"))) return;
  const reason = Boolean(kept?.reason);
  hold(app, gap, null);
  field.value = "";
  const back = (message, again = false) => hold(app, gap, { text, reason, message, again }); // again: it is taken as it is once the letter is reopened
  edit(app, { kind: "fill_gap", gap: gap.id, text, sentence: null, ...(reason ? { not_needed: true } : {}) },
    { held: gapKey(gap), back, gap, done: reason ? () => toast(app, W.gap_left_out, () => edit(app, { kind: "restore", sentence: gap.sentence })) : null,
      needs: reason ? W.reason_needed : W.gap_needs[gap.kind] || W.gap_needs.words });
}

// A gap is named by its number as the letter stands when the answer is sent; the letter may have changed since it was typed.
function asNumbered(view, gap, change) {
  const found = gapsOf(view.sentences.filter((one) => !one.deleted), []).find((one) => one.sentence === gap.sentence && one.prompt === gap.prompt);
  return found ? { ...change, gap: found.id } : null;
}
