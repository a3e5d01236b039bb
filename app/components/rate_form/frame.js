// What is around the questions: title, progress, what became of the answers, tabs, and the way on.

function head(form) {
  const { session } = form.data;
  return h("header", { class: "bar" }, h("h1", {}, session.title), form.progress, form.savedLine,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "option", onclick: () => toggleHelp(form) }, key("?"), "Keys"),
      h("button", { type: "button", class: "option", onclick: () => move(form, "pause") }, "Pause")));
}

function drawProgress(form) {
  if (!form.progress) return;
  const { shown, session } = form.data;
  clear(form.progress);
  const words = form.mode === "item" ? `Item ${shown.number} of ${shown.total}${shown.calibration ? " (practice item)" : ""}, ${session.done} complete`
    : { guesses: "After the last item: one guess for each document", closing: "The last questions" }[form.mode];
  const done = form.mode === "item" ? session.done : form.cells.filter((c) => c.answer).length;
  form.progress.append(h("span", {}, words), h("progress", { value: done, max: form.mode === "item" ? session.total : Math.max(form.cells.length, 1), "aria-label": "Progress" }));
}

function drawSaved(form) {
  if (!form.savedLine) return;
  clear(form.savedLine);
  const waiting = form.outbox.entries.length;
  form.savedLine.dataset.state = waiting ? (form.outbox.failing ? "waiting" : "saving") : "saved";
  if (!waiting) form.savedLine.append(form.saved ? `✓ Saved ${form.saved}` : "✓ All saved");
  else if (!form.outbox.failing) form.savedLine.append("… Saving");
  else form.savedLine.append(`! ${plural(waiting, "answer")} not saved yet; sent again by itself `,
    h("button", { type: "button", class: "plain", onclick: () => post(form) }, "Try now"));
}

function tabs(form, panes) {
  form.tabs = panes.map((one) => h("button", { type: "button", role: "tab", "data-tab": one.dataset.pane, onclick: () => showPane(form, one.dataset.pane) }, one.getAttribute("aria-label")));
  return h("div", { class: "tabs", role: "tablist", "aria-label": "Parts of this item" }, form.tabs);
}

function showPane(form, name) {
  if (form.mode !== "item") return;
  form.root.dataset.pane = name;
  for (const one of form.root.querySelectorAll("[data-pane]")) one.classList.toggle("here", one.dataset.pane === name);
  for (const tab of form.tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
}

function foot(form) {
  const { shown } = form.data;
  const item = form.mode === "item";
  const last = item && shown.number === shown.total;
  return h("footer", { class: "bar" },
    item && shown.number > 1 ? h("button", { type: "button", class: "option", "data-do": "previous", onclick: () => form.previous() }, key("p"), "Back") : h("span"),
    h("button", { type: "button", class: "option go", "data-do": "next", onclick: () => form.next() }, key("n"), item ? (last ? "To the end" : "Next item") : "Continue"));
}
