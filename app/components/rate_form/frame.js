// What is around the questions: title, progress, what became of the answers, tabs, and the way on.

function head(form) {
  const { session } = form.data;
  return h("header", { class: "bar" }, h("h1", {}, session.title), form.progress, form.savedLine,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "option", onclick: () => toggleHelp(form) }, key("?"), W.keys),
      h("button", { type: "button", class: "option", onclick: () => move(form, "pause") }, W.pause)));
}

function drawProgress(form) {
  if (!form.progress) return;
  const { shown, session } = form.data;
  clear(form.progress);
  const words = form.mode === "item" ? `${fillWords(W.item_of, { n: shown.number, total: shown.total })}${shown.calibration ? ` ${W.practice_item}` : ""}, ${fillWords(W.n_complete, { n: session.done })}`
    : { guesses: W.guesses_head, closing: W.closing_head }[form.mode];
  const done = form.mode === "item" ? session.done : form.cells.filter((c) => c.answer).length;
  form.progress.append(h("span", {}, words), h("progress", { value: done, max: form.mode === "item" ? session.total : Math.max(form.cells.length, 1), "aria-label": W.progress }));
}

function drawSaved(form) {
  if (!form.savedLine) return;
  clear(form.savedLine);
  const waiting = form.outbox.entries.length;
  form.savedLine.dataset.state = waiting ? (form.outbox.failing ? "waiting" : "saving") : "saved";
  if (!waiting) form.savedLine.append(form.saved ? fillWords(W.saved_at, { time: form.saved }) : W.all_saved);
  else if (!form.outbox.failing) form.savedLine.append(W.saving);
  else form.savedLine.append(countWords(W.n_waiting, waiting), " ",
    h("button", { type: "button", class: "plain", onclick: () => post(form) }, W.try_now));
}

function tabs(form, panes) {
  form.tabs = panes.map((one) => h("button", { type: "button", role: "tab", "data-tab": one.dataset.pane, onclick: () => showPane(form, one.dataset.pane) }, one.getAttribute("aria-label")));
  return h("div", { class: "tabs", role: "tablist", "aria-label": W.parts }, form.tabs);
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
    item && shown.number > 1 ? h("button", { type: "button", class: "option", "data-do": "previous", onclick: () => form.previous() }, key("p"), W.back) : h("span"),
    h("button", { type: "button", class: "option go", "data-do": "next", onclick: () => form.next() }, key("n"), item ? (last ? W.to_end : W.next_item) : W.go_on));
}
