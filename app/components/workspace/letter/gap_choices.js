// Two kinds of gap that no free words answer: what the note says in two ways, of which one holds, and what is decided in the medicines table.

const QUOTED = /“([^”]+)”/g;

// Whether a gap asks what the medicines table decides, while rows of it are open.
function asksTable(letter, gap) {
  return gap.prompt in W_DATA.table_gaps && toDecide(letter).length > 0;
}

// The ways of which one holds, each with what is done where it does; none where the gap asks something else.
function choicesOf(letter, gap) {
  if (!W_DATA.which_holds || !gap.prompt.endsWith(W_DATA.which_holds)) return [];
  const quoted = [...gap.prompt.matchAll(QUOTED)].map((found) => found[1]);
  const found = allergyChoices(letter, gap.prompt) || statementChoices(letter, quoted);
  return found || (quoted.length > 1 ? quoted.map((words) => ({ words: `“${words}”`, fill: words })) : []);
}

// An allergy that is listed and denied: it is one, or it is none, and the record says so from then on.
function allergyChoices(letter, prompt) {
  const items = (letter.record?.allergies.items || []).filter((one) => one.spans.length && one.verification_status !== "refuted" && prompt.includes(one.agent));
  if (!items.length) return null;
  const names = items.map((one) => one.agent).join(", ");
  const said = (kind) => items.map((one) => ({ kind: "correct", correction: correctionOf(one.spans[0], { kind, reaction: kind === "allergy" ? one.reaction || "" : "" }) }));
  return [{ words: fillWords(W.allergy_holds, { names }), changes: said("allergy") }, { words: fillWords(W.no_allergy_holds, { names }), changes: said("no_allergy") }];
}

// A problem named and denied, on both sides, or a medicine with two doses: the place that does not hold is not of this patient.
function statementChoices(letter, quoted) {
  const stated = [...(letter.record?.problems || []), ...(letter.record?.medications || [])];
  const places = quoted.map((words) => stated.find((one) => one.spans.length && plainSpaces(one.dosage?.text ? `${one.spans[0].text} ${one.dosage.text}` : one.spans[0].text) === words));
  if (places.length !== 2 || places.some((one) => !one) || places[0] === places[1]) return null;
  return quoted.map((words, at) => ({ words: `“${words}”`, changes: [{ kind: "correct", correction: correctionOf(places[1 - at].spans[0], { kind: "not_this_patient" }) }] }));
}

function plainSpaces(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function correctionOf({ start_char, end_char, text }, more) {
  return { start_char, end_char, text, concept_id: "", reaction: "", ...more };
}

// The ways as buttons in the gap's place; the question stands before them.
function choiceField(app, gap, choices) {
  const signed = app.store.state.view.state === "signed";
  return v("span", { key: `${gapKey(gap)}-choices`, lang: W_DATA.language, class: "gap-choices" + (gap.required ? " required" : ""), role: "group", "aria-label": gap.prompt }, v("span", { lang: "en" }, gap.prompt, " "),
    choices.map((one, at) => v("button", { key: at, type: "button", class: "button small-button", "data-gap": at ? null : gap.id, onfocus: () => choose(app, gap.sentence, {}),
      onclick: () => (signed ? askToReopen(app, () => focusGap(app, gap)) : takeChoice(app, gap, one)) }, one.words)));
}

function takeChoice(app, gap, choice) {
  if (choice.changes) edit(app, choice.changes);
  else edit(app, { kind: "fill_gap", gap: gap.id, text: choice.fill, sentence: null }, { gap });
}

// The way to the rows that the gap names.
function tableField(app, gap) {
  return v("button", { key: `${gapKey(gap)}-table`, type: "button", lang: W_DATA.language, class: "link gap-table", "data-gap": gap.id, onfocus: () => choose(app, gap.sentence, {}), onclick: () => goToDecision(app) }, icon("table_rows"), W.decide_in_table);
}
