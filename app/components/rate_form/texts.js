// Note, reference text and documents. Offsets count code points of the document's text.

function drawTexts(form) {
  const { shown } = form.data;
  const panes = [];
  const note = [shown.question ? h("div", { class: "asked" }, h("h3", {}, W.question_head), h("p", { class: "text" }, shown.question)) : null,
    shown.note ? h("div", { class: "text" }, shown.note) : null,
    shown.reference ? h("div", { class: "reference" }, h("h3", {}, W.reference), h("div", { class: "text" }, shown.reference)) : null];
  panes.push(pane(form, "note", shown.note ? W.note : W.question, note));
  for (const draft of shown.drafts) panes.push(pane(form, "draft" + draft.part, titleOf(form, draft.part), drawDraft(form, draft)));
  return panes;
}

function pane(form, name, title, inside) {
  return h("section", { class: "pane " + name.replace(/[A-H]$/, ""), "data-pane": name, "aria-label": title, tabindex: 0 }, h("h2", {}, title), inside);
}

function titleOf(form, part) {
  const { drafts } = form.data.shown;
  if (drafts.length === 1) return W.document;
  return fillWords(drafts.length !== 2 ? W.document_n : part === "A" ? W.document_left : W.document_right, { part });
}

function drawDraft(form, draft) {
  const text = h("div", { class: "text draft-text", "data-part": draft.part });
  form.texts.set(draft.part, text);
  fillDraft(form, draft, text);
  const found = draft.evidence === null ? null : h("div", { class: "evidence" }, h("h3", {}, W.rests_on),
    draft.evidence.length ? h("ol", {}, draft.evidence.map((one) => h("li", { class: "text" }, one))) : h("p", { class: "quiet" }, W.nothing_given));
  return [spanTools(form, draft.part), text, found];
}

// The text cut where sentences and marks begin and end; a mark's sign is style alone, so that offsets stay those of the text.
function fillDraft(form, draft, into) {
  clear(into);
  const chars = codePoints(draft.text);
  const marks = marksOf(form, draft.part);
  const cuts = new Set([0, chars.length]);
  for (const span of [...draft.sentences, ...marks]) cuts.add(span.start_char).add(span.end_char);
  const sorted = [...cuts].filter((cut) => cut >= 0 && cut <= chars.length).sort((a, b) => a - b);
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [start, end] = [sorted[i], sorted[i + 1]];
    const on = marks.filter((mark) => mark.start_char <= start && end <= mark.end_char);
    const last = on.filter((mark) => mark.end_char === end).map((mark) => mark.sign).join(" ");
    into.append(h("span", { "data-start": start, "data-end": end, class: on.length ? "marked " + on[0].kind : null, "data-sign": last || null },
      chars.slice(start, end).join("")));
  }
  lightSpan(form);
}

function marksOf(form, part) {
  const marks = [];
  for (const cell of form.cells.filter((c) => c.question.kind === "errors" && c.part === part))
    for (const [i, error] of errorsOf(cell).entries()) if (error.start_char !== null) marks.push({ ...error, kind: "error", sign: `E${i + 1}` });
  for (const [i, remark] of form.remarks.entries())
    if (remark.part === part && remark.start_char !== null) marks.push({ ...remark, kind: "remark", sign: `R${i + 1}` });
  return marks;
}

function redrawMarks(form) {
  for (const draft of form.data.shown.drafts || []) if (form.texts.has(draft.part)) fillDraft(form, draft, form.texts.get(draft.part));
}

function spanTools(form, part) {
  const errors = form.cells.find((c) => c.question.kind === "errors" && c.part === part);
  const hold = (event) => event.preventDefault(); // a press must not clear the selection
  return h("div", { class: "span-tools small", "data-tools": part },
    h("span", { class: "quiet chosen" }, W.select_words),
    h("button", { type: "button", class: "plain", onmousedown: hold, onclick: () => openRemark(form, part) }, key("m"), W.remark),
    errors ? h("button", { type: "button", class: "plain", onmousedown: hold, onclick: () => openError(form, errors) }, key("e"), W.mark_error) : null);
}

function key(name) {
  return h("kbd", { "aria-hidden": "true" }, name);
}

// What is selected with mouse or keyboard inside a document, also from within a shadow tree.
function readSelection(form) {
  const tree = form.root.getRootNode();
  const selection = tree.getSelection ? tree.getSelection() : window.getSelection();
  if (!selection) return;
  let range = null;
  if (selection.getComposedRanges && tree instanceof ShadowRoot) {
    const [found] = selection.getComposedRanges({ shadowRoots: [tree] });
    if (found) {
      range = document.createRange();
      range.setStart(found.startContainer, found.startOffset);
      range.setEnd(found.endContainer, found.endOffset);
    }
  } else if (selection.rangeCount) range = selection.getRangeAt(0);
  if (!range || range.collapsed) return;
  for (const [part, text] of form.texts) {
    if (!text.contains(range.startContainer)) continue;
    const start = offsetIn(text, range.startContainer, range.startOffset);
    const end = text.contains(range.endContainer) ? offsetIn(text, range.endContainer, range.endOffset) : codePoints(text.textContent).length;
    if (end > start) chooseSpan(form, { part, start_char: start, end_char: end, sentence: null });
  }
}

function offsetIn(text, node, offset) {
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(node, offset);
  return codePoints(before.toString()).length;
}

function chooseSpan(form, span) {
  form.span = span;
  lightSpan(form);
}

function lightSpan(form) {
  for (const [part, text] of form.texts) {
    const span = form.span && form.span.part === part ? form.span : null;
    for (const piece of text.querySelectorAll("[data-start]"))
      piece.classList.toggle("at", Boolean(span && span.sentence !== null && span.start_char <= Number(piece.dataset.start) && Number(piece.dataset.end) <= span.end_char));
    const hint = form.root.querySelector(`[data-tools="${part}"] .chosen`);
    if (hint) hint.textContent = span ? fillWords(W.chosen_words, { words: excerpt(text, span) }) : W.select_words;
  }
}

function excerpt(text, span) {
  const words = codePoints(text.textContent).slice(span.start_char, span.end_char).join("").trim().replace(/\s+/g, " ");
  return words.length > 60 ? words.slice(0, 57) + "…" : words;
}

// By keyboard: step -1 or 1 to another sentence, or with extend one more sentence at the end.
function stepSentence(form, step, extend) {
  const { drafts } = form.data.shown;
  if (!drafts || !drafts.length) return;
  const draft = drafts.find((d) => d.part === form.part) || drafts[0];
  const { sentences } = draft;
  if (!sentences.length) return;
  const at = form.span && form.span.part === draft.part && form.span.sentence !== null ? form.span : null;
  let span;
  if (extend && at) {
    const last = Math.min(at.last + 1, sentences.length - 1);
    span = { ...at, last, end_char: sentences[last].end_char };
  } else {
    const next = at ? Math.min(Math.max((step > 0 ? at.last : at.sentence) + step, 0), sentences.length - 1) : 0;
    span = { part: draft.part, sentence: next, last: next, start_char: sentences[next].start_char, end_char: sentences[next].end_char };
  }
  chooseSpan(form, span);
  showPane(form, "draft" + draft.part);
  const piece = form.texts.get(draft.part).querySelector(".at");
  if (piece) piece.scrollIntoView({ block: "nearest" });
  form.say(excerpt(form.texts.get(draft.part), span));
}
