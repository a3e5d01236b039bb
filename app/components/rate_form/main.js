// A rater's form: one item, or the questions after the last one. The server gets every answer and says what is stored; the
// outbox holds what is between the two.

const forms = new WeakMap();
const MOVE_WAITS_MS = 6000;

export default function ({ data, parentElement, setTriggerValue }) {
  takeWords(data);
  const root = rootIn(parentElement, "rate");
  let form = forms.get(root);
  if (!form) {
    form = newForm(root);
    forms.set(root, form);
  }
  form.trigger = setTriggerValue;
  take(form, data);
  return form.leave;
}

function newForm(root) {
  root.tabIndex = -1;
  const form = { root, load: null, outbox: newOutbox(), watch: newWatch(), tab: newId().slice(0, 13), texts: new Map(), cells: [], remarks: [],
    current: 0, part: "A", span: null, small: null, moving: null, warned: false, saved: "" };
  form.say = (words) => { if (form.live) form.live.textContent = words; };
  form.post = () => post(form);
  form.next = () => next(form);
  form.previous = () => form.mode === "item" && form.data.shown.number > 1 && move(form, "item", form.data.shown.number - 1);
  form.evidence = () => form.mode === "item" && form.data.shown.evidence_pending && !openCells(form).length && move(form, "evidence", form.data.shown.number);
  const keys = (event) => onKey(form, event);
  const chosen = () => form.mode === "item" && readSelection(form);
  const leaving = (event) => { if (form.outbox.entries.length) event.preventDefault(); };
  const beat = setInterval(() => {
    if (form.outbox.due() || form.moving && performance.now() - form.moving.at > MOVE_WAITS_MS) post(form);
  }, 500);
  window.addEventListener("keydown", keys, true);
  document.addEventListener("selectionchange", chosen);
  window.addEventListener("beforeunload", leaving);
  form.leave = () => {
    clearInterval(beat);
    form.watch.end();
    window.removeEventListener("keydown", keys, true);
    document.removeEventListener("selectionchange", chosen);
    window.removeEventListener("beforeunload", leaving);
    forms.delete(root);
  };
  return form;
}

// The whole outbox and the move that waits go together; what is lost on the way is sent again.
function post(form) {
  const { outbox } = form;
  outbox.sentAt = performance.now();
  if (form.moving) form.moving.at = performance.now();
  drawSaved(form);
  const wanted = form.moving && { seq: form.moving.seq, to: form.moving.to, number: form.moving.number, text: form.moving.text };
  try {
    form.trigger("act", { entries: outbox.entries, move: wanted, click: newId().slice(0, 8) });
  } catch { /* the page is not connected: the beat tries again */ }
}

function move(form, to, number = 0, text = "") {
  for (const one of [...form.cells, ...form.remarks]) if (one.timer && one.flush) one.flush();
  form.moving = { seq: newId().slice(0, 13), to, number, text, at: 0 };
  post(form);
}

function next(form) {
  const { data } = form;
  const open = openCells(form).length;
  if (open && !form.warned && form.mode === "item") {
    form.warned = true;
    showMessage(form, countWords(W.n_open_here, open));
    goOpen(form);
    return;
  }
  if (open && form.mode !== "item") {
    showMessage(form, countWords(W.n_open, open));
    goOpen(form);
    return;
  }
  if (form.mode === "item" && data.shown.number < data.shown.total) move(form, "item", data.shown.number + 1);
  else move(form, form.mode === "item" ? "ready" : "next_stage");
}

function take(form, data) {
  if (form.moving && data.moved === form.moving.seq) form.moving = null;
  const ended = form.outbox.acknowledge(data.acks || {});
  if (data.load !== form.load) build(form, data);
  for (const { entry, ack } of ended) acknowledged(form, entry, ack);
  for (const entry of form.outbox.entries) {
    const one = holderOf(form, entry);
    if (one && (data.acks || {})[entry.id]) showState(form, one, "waiting", data.acks[entry.id].message);
  }
  form.data.message = data.message;
  form.data.session = data.session;
  if (data.message) showMessage(form, data.message);
  drawProgress(form);
  drawSaved(form);
}

function holderOf(form, entry) {
  if (entry.number && form.mode === "item" && entry.number !== form.data.shown.number) return null;
  if (entry.cell.startsWith("remark|")) return form.remarks.find((r) => "remark|" + r.thread === entry.cell);
  return form.cells.find((c) => c.id === entry.cell);
}

function acknowledged(form, entry, ack) {
  if (ack.ok) form.saved = new Date().toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  if (ack.warning) showMessage(form, ack.warning);
  const one = holderOf(form, entry);
  if (!one) {
    if (!ack.ok) showMessage(form, ack.message);
    return;
  }
  one.pending = Math.max(one.pending - 1, 0);
  if (!ack.ok) {
    showState(form, one, "refused", ack.message);
    return;
  }
  one.revision = ack.revision;
  const message = ack.overwrote ? W.overwrote : "";
  if (!one.pending) showState(form, one, "saved", message);
  if (ack.complete && form.mode === "item" && entry.number === form.data.shown.number) form.data.shown.complete = true;
  drawEvidenceOffer(form);
}

function showState(form, one, state, message) {
  one.state = state;
  one.message = message || "";
  if (one.thread) showRemarkState(form, one);
  else if (one.box) {
    const line = one.box.querySelector(":scope > .state");
    line.dataset.state = state;
    line.textContent = stateWords(one);
  }
}

function showMessage(form, words) {
  if (form.notice) form.notice.textContent = words;
}

function build(form, data) {
  Object.assign(form, { data, load: data.load, mode: data.mode, texts: new Map(), current: 0, part: "A", span: null, small: null, warned: false });
  form.cells = { item: itemCells, guesses: guessCells, closing: closingCells }[data.mode](data);
  form.remarks = data.mode === "item" ? remarksOf(data.shown) : [];
  restore(form);
  clear(form.root);
  form.root.dataset.mode = data.mode;
  form.root.dataset.drafts = data.mode === "item" ? data.shown.drafts.length : 0;
  form.notice = h("p", { class: "notice", role: "status" });
  form.live = h("p", { class: "sr", "aria-live": "polite" });
  form.savedLine = h("div", { class: "saved small", role: "status" });
  form.progress = h("div", { class: "progress" });
  form.help = helpDialog(form);
  const panes = data.mode === "item" ? [...drawTexts(form), questions(form)] : [after(form)];
  form.root.append(head(form), data.session.notice ? h("p", { class: "stamp small" }, data.session.notice) : "", form.notice,
    data.mode === "item" ? tabs(form, panes) : "", h("div", { class: "panes" }, panes), foot(form), form.live, form.help);
  showPane(form, data.mode === "item" ? "draftA" : "questions");
  const first = form.cells.findIndex((cell) => cell.question.required && !cell.answer);
  form.current = Math.max(first, 0);
  lightCell(form);
  form.watch.take();
  form.root.focus({ preventScroll: true });
  form.say(data.mode === "item" ? fillWords(W.item_of, { n: data.shown.number, total: data.shown.total }) : "");
  window.scrollTo(0, 0);
}

// What is in the outbox is newer than what the server has.
function restore(form) {
  for (const entry of form.outbox.entries) {
    const remark = entry.cell.startsWith("remark|");
    let one = holderOf(form, entry);
    if (!one && remark && form.mode === "item" && entry.number === form.data.shown.number) {
      const { answer, part } = entry.body;
      one = { thread: answer.thread, part, text: answer.text, start_char: answer.start_char, end_char: answer.end_char, revision: 0, pending: 0, state: "", message: "" };
      form.remarks.push(one);
    }
    if (!one) continue;
    one.pending += 1;
    one.state = "saving";
    if (remark) one.text = entry.body.answer.text;
    else one.answer = entry.kind === "guess" ? { kind: "value", value: entry.body.guess } : entry.body.answer;
  }
}
