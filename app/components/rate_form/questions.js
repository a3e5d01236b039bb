// The pane of questions about an item, and the page of questions after the last one.

function questions(form) {
  const { shown } = form.data;
  const groups = [];
  const several = shown.drafts.length > 1;
  for (const part of [...shown.drafts.map((d) => d.part), ""]) {
    const cells = form.cells.filter((cell) => cell.part === part);
    if (!cells.length) continue;
    groups.push(h("div", { class: "group" }, several ? h("h3", {}, part ? titleOf(form, part) : "All together") : null, cells.map((cell) => drawCell(form, cell))));
  }
  form.remarkBox = h("div", { class: "remarks" });
  form.offer = h("div", { class: "offer" });
  const leak = h("button", { type: "button", class: "plain small", onclick: () => leakForm(form, leak) }, "I recognise who or what wrote this");
  const box = pane(form, "questions", "Questions", [form.offer, h("div", { class: "groups" }, groups), form.remarkBox, leak]);
  drawEvidenceOffer(form);
  drawRemarks(form);
  return box;
}

function drawEvidenceOffer(form) {
  if (!form.offer || form.mode !== "item") return;
  const { shown } = form.data;
  clear(form.offer);
  if (shown.phase === "informed") form.offer.append(h("p", { class: "small" }, "Now with the evidence: please answer every question again. Your first answers stay as they are."));
  else if (shown.evidence_pending) form.offer.append(openCells(form).length ? h("p", { class: "small quiet" }, "Answer every question first. Then what each document rests on is shown, and you are asked again.")
    : h("button", { type: "button", class: "option go", onclick: () => form.evidence() }, key("g"), "Show what it rests on"));
}

function leakForm(form, button) {
  const area = h("textarea", { rows: 2, maxlength: 900, "aria-label": "How you recognised it" });
  const send = h("button", { type: "button", class: "option go", onclick: () => { if (area.value.trim()) move(form, "leak", form.data.shown.number, area.value.trim()); box.replaceWith(button); } }, "Record it");
  const box = h("div", { class: "small-form" }, h("p", { class: "small" }, "How did you recognise it? Your answer is recorded; the rating goes on."), area, h("div", { class: "options" }, send,
    h("button", { type: "button", class: "option", onclick: () => box.replaceWith(button) }, "Cancel")));
  button.replaceWith(box);
  area.focus();
}

// The questions after the last item: guesses, then one group for each way of writing.
function after(form) {
  const intro = form.mode === "guesses" ? "These are documents you have rated. Say how you think each was written. A guess is enough."
    : "The documents came from different ways of writing, numbered here. Say what each was good at and what not.";
  const rows = [];
  let group = null;
  for (const cell of form.cells) {
    if (cell.group && cell.group !== group) {
      group = cell.group;
      rows.push(h("h3", {}, `Group ${group.group}`), h("p", { class: "small quiet" }, group.items.length ? `Your items ${group.items.join(", ")}` : "None of your items"));
    }
    if (cell.text !== undefined) rows.push(h("h3", {}, `Item ${cell.number}${form.data.session.design === "single" ? "" : `, document ${cell.part}`}`), h("div", { class: "text guessed", tabindex: 0 }, cell.text));
    rows.push(drawCell(form, cell));
  }
  return h("section", { class: "pane after here", "data-pane": "questions", "aria-label": "Questions" }, h("p", {}, intro), rows);
}
