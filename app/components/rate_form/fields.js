// Questions and their answers: scales, choices, preferences, rankings, texts. Every click is an answer and is saved.

const TEXT_WAITS_MS = 1200;

// One cell is one question about one thing. entry makes what is sent.
function itemCells(data) {
  const { shown } = data;
  const cells = [];
  const put = (question, part) => {
    const [now, before] = [shown.phase, "blind"].map((phase) => shown.answers.find((a) => a.key === question.key && a.part === part && a.phase === phase));
    cells.push({ id: `${question.key}|${part}`, question, part, answer: now ? now.answer : null, revision: now ? now.revision : 0,
      before: shown.phase === "informed" && before ? before.answer : null, state: now ? "saved" : "", message: "",
      entry: (answer, cell) => ({ kind: "answer", number: shown.number, cell: cell.id,
        body: { key: question.key, part, phase: shown.phase, answer, seen_revision: cell.revision + cell.pending } }) });
  };
  for (const draft of shown.drafts) for (const q of shown.questions) if (q.target === "draft") put(q, draft.part);
  for (const q of shown.questions) if (q.target === "item") put(q, "");
  return cells.map((cell) => ({ ...cell, pending: 0 }));
}

function guessCells(data) {
  const question = { kind: "choice", prompt: W.guess_prompt, help: "", options: data.shown.options, required: true, cannot_judge: false };
  return data.shown.items.map((item) => ({ id: `guess|${item.number}|${item.part}`, question, part: item.part, text: item.text, number: item.number,
    answer: item.guess === null ? null : { kind: "value", value: item.guess }, revision: item.revision, state: item.guess === null ? "" : "saved", message: "", pending: 0,
    entry: (answer, cell) => ({ kind: "guess", number: item.number, cell: cell.id,
      body: { number: item.number, part: item.part, guess: answer.value, seen_revision: cell.revision + cell.pending } }) }));
}

function closingCells(data) {
  return data.shown.groups.flatMap((group) => data.shown.questions.map((question) => {
    const saved = group.answers.find((a) => a.key === question.key);
    return { id: `closing|${group.group}|${question.key}`, question, part: "", group, answer: saved ? saved.answer : null, revision: saved ? saved.revision : 0,
      state: saved ? "saved" : "", message: "", pending: 0,
      entry: (answer, cell) => ({ kind: "closing", number: 0, cell: cell.id,
        body: { group: group.group, key: question.key, answer, seen_revision: cell.revision + cell.pending } }) };
  }));
}

// The key that chooses an option: its value where all values are 1 to 9, else its place.
function keycap(options, index) {
  if (options.every((o) => o.value >= 1 && o.value <= 9)) return String(options[index].value);
  return index < 9 ? String(index + 1) : "";
}

function drawCell(form, cell) {
  const { question } = cell;
  const box = h("div", { class: "cell", "data-cell": cell.id, role: "group", "aria-label": question.prompt, tabindex: -1,
    onfocusin: () => { form.current = form.cells.indexOf(cell); lightCell(form); } });
  cell.box = box;
  fillCell(form, cell);
  return box;
}

function fillCell(form, cell) {
  const { question, box } = cell;
  clear(box);
  const only = question.only_cannot_judge;
  box.append(h("p", { class: "prompt" }, question.prompt, question.required ? null : h("span", { class: "quiet" }, " " + W.optional)));
  if (question.help) box.append(h("p", { class: "small quiet" }, question.help));
  if (only) box.append(h("p", { class: "small" }, W.only_cannot_judge));
  if (cell.before) box.append(h("p", { class: "small quiet" }, fillWords(W.first_answer, { answer: inWords(question, cell.before) })));
  if (!only) box.append(inputOf(form, cell));
  if (question.cannot_judge) {
    const on = cell.answer && cell.answer.kind === "cannot_judge";
    const button = h("button", { type: "button", class: "option cannot", "aria-pressed": String(Boolean(on)),
      onclick: () => answerCell(form, cell, { kind: "cannot_judge" }) }, key("0"), W.cannot_judge);
    // beside the options where they stand in one row
    const row = box.querySelector(":scope > .options:not(.tall)");
    if (row) row.append(button);
    else box.append(h("div", { class: "options" }, button));
  }
  box.append(h("p", { class: "state small", "data-state": cell.state }, stateWords(cell)));
  lightCell(form);
}

function stateWords(cell) {
  const word = W.states[cell.state] || "";
  return cell.message ? `${word}${word ? ". " : ""}${cell.message}` : word;
}

function inputOf(form, cell) {
  if (cell.question.kind === "text") return textInput(form, cell);
  if (cell.question.kind === "ranking") return rankingInput(form, cell);
  if (cell.question.kind === "errors") return errorsInput(form, cell);
  const { options } = cell.question;
  const tall = options.some((o) => o.anchor) || options.some((o) => o.label.length > 22);
  return h("div", { class: "options" + (tall ? " tall" : "") }, options.map((option, i) => {
    const on = cell.answer && cell.answer.kind === "value" && cell.answer.value === option.value;
    return h("button", { type: "button", class: "option", "aria-pressed": String(Boolean(on)), "data-value": option.value,
      onclick: () => answerCell(form, cell, { kind: "value", value: option.value }) },
      key(keycap(options, i)), h("span", {}, labelOf(option, keycap(options, i)), option.anchor ? h("span", { class: "anchor" }, option.anchor) : null));
  }));
}

// A label that only repeats its key is not said twice.
function labelOf(option, cap) {
  return option.label === cap && option.anchor ? "" : option.label;
}

function textInput(form, cell) {
  const text = cell.typed ?? (cell.answer && cell.answer.kind === "text" ? cell.answer.text : "");
  return textBox(cell, { rows: 3, "aria-label": cell.question.prompt }, text, (typed) => { cell.typed = typed; }, (written) => {
    const same = cell.answer && cell.answer.kind === "text" && cell.answer.text === written;
    if (same || (!written.trim() && (!cell.answer || cell.question.required))) return;
    answerCell(form, cell, { kind: "text", text: written }, false);
  });
}

// A box whose text is saved when it is left, and a moment after the last key. owner: whose text it is; holds the timer.
function textBox(owner, attributes, text, typed, save) {
  const area = h("textarea", { maxlength: 3900, ...attributes });
  area.value = text;
  const flush = () => {
    clearTimeout(owner.timer);
    owner.timer = null;
    save(area.value);
  };
  owner.flush = flush;
  area.addEventListener("input", () => {
    typed(area.value);
    clearTimeout(owner.timer);
    owner.timer = setTimeout(flush, TEXT_WAITS_MS);
  });
  area.addEventListener("change", flush);
  return area;
}

function rankingInput(form, cell) {
  const parts = form.data.shown.drafts.map((d) => d.part);
  if (!cell.places) {
    cell.places = {};
    if (cell.answer && cell.answer.kind === "ranking") cell.answer.order.forEach((group, i) => group.forEach((part) => { cell.places[part] = i + 1; }));
  }
  const missing = parts.filter((part) => !cell.places[part]);
  return h("div", { class: "ranking" }, parts.map((part) => h("div", { class: "rank-row", role: "group", "aria-label": fillWords(W.place_of, { part }) },
    h("span", { class: "rank-name" + (part === missing[0] ? " next" : "") }, fillWords(W.document_n, { part })),
    parts.map((_, i) => h("button", { type: "button", class: "option", "aria-pressed": String(cell.places[part] === i + 1),
      onclick: () => placeDraft(form, cell, part, i + 1) }, W.places[i])))),
    missing.length ? h("p", { class: "small quiet" }, fillWords(W.places_missing, { parts: missing.join(", ") })) : null);
}

function placeDraft(form, cell, part, at) {
  cell.places[part] = at;
  const parts = form.data.shown.drafts.map((d) => d.part);
  if (parts.some((p) => !cell.places[p])) {
    fillCell(form, cell);
    return;
  }
  const used = [...new Set(Object.values(cell.places))].sort((a, b) => a - b);
  answerCell(form, cell, { kind: "ranking", order: used.map((n) => parts.filter((p) => cell.places[p] === n)) });
}

function answerCell(form, cell, answer, redraw = true) {
  if (answer.kind !== "ranking") cell.places = null;
  if (answer.kind === "cannot_judge") {
    clearTimeout(cell.timer);
    cell.typed = null;
  }
  const focused = redraw && cell.box ? focusMark(form, cell) : null;
  const entry = { id: newId(), ...cell.entry(answer, cell) };
  if (entry.kind === "answer") Object.assign(entry.body, { visible_ms: form.watch.take(), tab: form.tab });
  cell.answer = answer;
  cell.pending += 1;
  cell.state = "saving";
  cell.message = "";
  form.outbox.add(entry);
  if (redraw) {
    fillCell(form, cell);
    if (focused) focused();
  } else cell.box.querySelector(".state").textContent = stateWords(cell);
  form.post();
}

// Drawing a cell anew must not lose the place of the keyboard.
function focusMark(form, cell) {
  const active = form.root.getRootNode().activeElement;
  if (!active || !cell.box.contains(active)) return null;
  const at = [...cell.box.querySelectorAll("button, textarea")].indexOf(active);
  return () => (cell.box.querySelectorAll("button, textarea")[at] || cell.box).focus({ preventScroll: true });
}

function inWords(question, answer) {
  if (answer.kind === "cannot_judge") return W.cannot_judge_word;
  if (answer.kind === "value") return (question.options.find((o) => o.value === answer.value) || {}).label || String(answer.value);
  if (answer.kind === "ranking") return answer.order.map((group) => group.reduce((parts, part) => fillWords(W.ranked_alike, { parts, part }))).join(W.then);
  if (answer.kind === "errors") return answer.errors.length ? countWords(W.n_errors, answer.errors.length) : W.no_errors;
  return answer.text || "";
}

function openCells(form) {
  return form.cells.filter((cell) => cell.question.required && !cell.answer);
}
