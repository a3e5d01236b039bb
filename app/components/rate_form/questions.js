// The pane of questions about an item, and the page of questions after the last one.

function questions(form) {
  const { shown } = form.data;
  const groups = [];
  const several = shown.drafts.length > 1;
  for (const part of [...shown.drafts.map((d) => d.part), ""]) {
    const cells = form.cells.filter((cell) => cell.part === part);
    if (!cells.length) continue;
    groups.push(h("div", { class: "group" }, several ? h("h3", {}, part ? titleOf(form, part) : W.all_together) : null, cells.map((cell) => drawCell(form, cell))));
  }
  form.remarkBox = h("div", { class: "remarks" });
  form.offer = h("div", { class: "offer" });
  const leak = h("button", { type: "button", class: "plain small", onclick: () => leakForm(form, leak) }, W.recognised);
  const box = pane(form, "questions", W.questions, [form.offer, h("div", { class: "groups" }, groups), form.remarkBox, leak]);
  drawEvidenceOffer(form);
  drawRemarks(form);
  return box;
}

function drawEvidenceOffer(form) {
  if (!form.offer || form.mode !== "item") return;
  const { shown } = form.data;
  clear(form.offer);
  if (shown.phase === "informed") form.offer.append(h("p", { class: "small" }, W.with_evidence));
  else if (shown.evidence_pending) form.offer.append(openCells(form).length ? h("p", { class: "small quiet" }, W.evidence_waits)
    : h("button", { type: "button", class: "option go", onclick: () => form.evidence() }, key("g"), W.show_evidence));
}

function leakForm(form, button) {
  const area = h("textarea", { rows: 2, maxlength: 900, "aria-label": W.how_recognised });
  const send = h("button", { type: "button", class: "option go", onclick: () => { if (area.value.trim()) move(form, "leak", form.data.shown.number, area.value.trim()); box.replaceWith(button); } }, W.record_it);
  const box = h("div", { class: "small-form" }, h("p", { class: "small" }, W.how_recognised_words), area, h("div", { class: "options" }, send,
    h("button", { type: "button", class: "option", onclick: () => box.replaceWith(button) }, W.cancel)));
  button.replaceWith(box);
  area.focus();
}

// The questions after the last item: guesses, then one group for each way of writing.
function after(form) {
  const intro = form.mode === "guesses" ? W.guesses_intro
    : W.closing_intro;
  const rows = [];
  let group = null;
  for (const cell of form.cells) {
    if (cell.group && cell.group !== group) {
      group = cell.group;
      rows.push(h("h2", { class: "asked-of" }, fillWords(W.group_n, { n: group.group })), h("p", { class: "small quiet" }, group.items.length ? fillWords(W.your_items, { items: group.items.join(", ") }) : W.none_of_yours));
    }
    if (cell.text !== undefined) rows.push(h("h2", { class: "asked-of" }, fillWords(form.data.session.design === "single" ? W.item_n : W.item_document, { n: cell.number, part: cell.part })), h("div", { class: "text guessed", tabindex: 0 }, cell.text));
    rows.push(drawCell(form, cell));
  }
  return h("section", { class: "pane after here", "data-pane": "questions", "aria-label": W.questions }, h("p", {}, intro), rows);
}
