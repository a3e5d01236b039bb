// What only the team knows: a field where it stands in the letter.

function withGaps(app, sentence, gaps) {
  const parts = [];
  let at = 0;
  let place = 0;
  for (const match of sentence.text.matchAll(GAP)) {
    parts.push(sentence.text.slice(at, match.index), gapField(app, gaps[place]));
    at = match.index + match[0].length;
    place += 1;
  }
  parts.push(sentence.text.slice(at));
  return v("span", { class: "words with-gap" }, parts);
}

function gapField(app, gap) {
  if (!gap) return "";
  const label = fillWords(gap.required ? W.add_required : W.add_gap, { prompt: gap.prompt });
  return v("input", { key: gap.id, type: "text", class: "gap" + (gap.required ? " required" : ""), "data-gap": gap.id, "aria-label": label, placeholder: label, title: label, value: "", maxlength: 2000,
    size: Math.min(64, Math.max(24, label.length)), onfocus: () => choose(app, gap.sentence, {}),
    onkeydown: (event) => gapKey(app, gap, event), onblur: (event) => fillGap(app, gap, event.target) });
}

function gapKey(app, gap, event) {
  if (event.key === "Enter" && !event.ctrlKey) {
    event.preventDefault();
    event.stopPropagation();
    fillGap(app, gap, event.target);
    choose(app, gap.sentence, { focus: true });
  } else if (event.key === "Escape") {
    event.stopPropagation();
    event.target.value = "";
    event.target.blur();
  } else if (!["ArrowUp", "ArrowDown", "Tab"].includes(event.key)) event.stopPropagation();
}

function fillGap(app, gap, field) {
  const text = field.value.trim();
  if (!text) return;
  field.value = "";
  edit(app, { kind: "fill_gap", gap: gap.id, text, sentence: null });
}
