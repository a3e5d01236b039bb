// The menu at a word of the note: what the note says of it; the record follows, and so does the letter.

const PLAIN_KINDS = [["present", "check"], ["absent", "block"], ["past", "history"], ["family", "family_restroom"], ["uncertain", "help"], ["not_this_patient", "person_off"]];

function openMenu(app, menu, target) {
  const box = target.getBoundingClientRect ? target.getBoundingClientRect() : target;
  const frame = app.root.getBoundingClientRect();
  app.menuOpener = target.getBoundingClientRect ? target : null;
  const left = Math.max(8, Math.min(box.left - frame.left, frame.width - 300));
  const up = box.bottom > frame.top + frame.height - 420 && box.top - frame.top > 420;
  app.store.set({ hover: null, menu: { ...menu, left, ...(up ? { bottom: frame.bottom - box.top + 6 } : { top: box.bottom - frame.top + 6 }) } });
  afterDraw(() => app.root.querySelector(".menu button, .menu input")?.focus());
}

function closeMenu(app) {
  app.store.set({ menu: null, place: null });
  afterDraw(() => app.menuOpener?.isConnected && app.menuOpener.focus({ preventScroll: true }));
}

function drawMenu(app, state, letter) {
  const { menu } = state;
  const inside = menu.kind === "problem" ? problemMenu(app, state, letter) : correctMenu(app, state, letter);
  if (!inside) return null;
  const place = `left:${menu.left}px;${menu.bottom !== undefined ? `bottom:${menu.bottom}px` : `top:${menu.top}px`}`;
  return v("div", { key: "menu", class: "menu", role: menu.step ? "dialog" : "menu", "aria-label": menu.kind === "problem" ? W.problems_strip : W.correct, style: place, "data-rove": menu.step ? null : "menu",
    onkeydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); closeMenu(app); } }, onfocusout: (event) => { if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) app.store.set({ menu: null }); } }, inside);
}

function openCorrect(app, mention, target) {
  if (!app.store.state.view) return;
  openMenu(app, { kind: "correct", span: { start_char: mention.start_char, end_char: mention.end_char, text: spanText(app, mention) } }, target);
}

function spanText(app, mention) {
  return codePoints(app.store.state.view.draft.note.text).slice(mention.start_char, mention.end_char).join("");
}

function openCorrectAt(app, span, box) {
  if (span.text) openMenu(app, { kind: "correct", span }, box);
}

function correctMenu(app, state, letter) {
  const { span, step } = state.menu;
  const held = letter.corrections.find((one) => one.start_char === span.start_char && one.end_char === span.end_char);
  const mention = state.view.draft.note.mentions.find((one) => one.start_char === span.start_char && one.end_char === span.end_char);
  const title = v("p", { key: "title", class: "menu-title" }, "“", shortened(span.text, 60), "”", mention ? v("span", { class: "small quiet" }, mention.name, " · ", W.said_of[mention.allergen ? "allergy" : mention.assertion]) : null);
  if (step === "sense") return [title, senseForm(app, state, span)];
  if (step === "medication") return [title, medicationForm(app, span, mention)];
  if (step === "allergy") return [title, allergyForm(app, span)];
  const now = held ? held.kind : mention && (mention.allergen ? "allergy" : { negated: "absent", historical: "past" }[mention.assertion] || mention.assertion);
  const item = (kind, mark, action, more) => v("button", { key: kind, type: "button", role: "menuitem", "aria-current": now === kind ? "true" : null, onclick: action }, icon(mark), W.correct_kinds[kind], more || null);
  return [title, PLAIN_KINDS.map(([kind, mark]) => item(kind, mark, () => correct(app, span, { kind }))),
    item("other_sense", "translate", () => stepMenu(app, "sense"), "…"), item("medication", "pill", () => stepMenu(app, "medication"), "…"), item("allergy", "emergency", () => stepMenu(app, "allergy"), "…"),
    item("no_allergy", "do_not_disturb_on", () => correct(app, span, { kind: "no_allergy" })),
    held ? v("button", { key: "undo", type: "button", role: "menuitem", onclick: () => uncorrect(app, held) }, icon("undo"), W.take_back) : null];
}

function stepMenu(app, step) {
  app.store.set((state) => ({ menu: { ...state.menu, step, found: null, words: state.menu.span.text } }));
  afterDraw(() => app.root.querySelector(".menu input")?.focus());
  if (step === "sense") searchSense(app, app.store.state.menu.span.text);
}

function correct(app, span, what) {
  const correction = { start_char: span.start_char, end_char: span.end_char, text: span.text, concept_id: "", reaction: "", ...what };
  closeMenu(app);
  edit(app, { kind: "correct", correction });
  if (!app.store.state.dialog) toast(app, fillWords(W.corrected_as, { words: shortened(span.text, 40), kind: W.correct_kinds[what.kind] }), () => uncorrect(app, correction));
}

function uncorrect(app, { start_char, end_char, text, kind }) {
  if (app.store.state.menu) closeMenu(app);
  edit(app, { kind: "uncorrect", correction: { start_char, end_char, text, kind } });
}

let senseTimer = null;

function searchSense(app, words) {
  clearTimeout(senseTimer);
  senseTimer = setTimeout(async () => {
    const asked = words.trim().slice(0, 100);
    const found = asked ? await askJson(`concepts?limit=8&q=${encodeURIComponent(asked)}`).catch(() => []) : [];
    if (app.store.state.menu?.step === "sense") app.store.set((state) => ({ menu: { ...state.menu, found } }));
  }, 120);
}

function senseForm(app, state, span) {
  const { found } = state.menu;
  return v("div", { key: "sense", class: "menu-form" }, v("label", {}, v("span", { class: "small quiet" }, W.search_meaning), v("input", { type: "search", value: span.text, oninput: (event) => searchSense(app, event.target.value) })),
    v("ul", { class: "senses" }, found === null ? v("li", { class: "quiet" }, W.looking_up) : found.length ? found.map((one) => v("li", { key: one.concept_id }, v("button", { type: "button", onclick: () => correct(app, span, { kind: "other_sense", concept_id: one.concept_id }) },
      v("strong", {}, one.name), v("span", { class: "small quiet" }, shortened(one.definition || one.category.replaceAll("_", " "), 80))))) : v("li", { class: "quiet" }, W.no_meaning)));
}

function medicationForm(app, span, mention) {
  const record = app.store.state.view.draft.record;
  const known = record?.medications.find((one) => one.spans.some((place) => place.start_char <= span.start_char && span.end_char <= place.end_char));
  return v("form", { key: "medication", class: "menu-form", onsubmit: (event) => { event.preventDefault(); const { dose, timing, status } = Object.fromEntries(new FormData(event.target));
    correct(app, span, { kind: "medication", concept_id: mention?.concept_id || "", dosage: { text: dose, timing_text: timing }, status }); } },
  v("label", {}, v("span", { class: "small quiet" }, W.dose), v("input", { type: "text", name: "dose", value: known?.dosage.text || "", maxlength: 200 })),
  v("label", {}, v("span", { class: "small quiet" }, W.when), v("input", { type: "text", name: "timing", value: known?.dosage.timing_text || "", maxlength: 200 })),
  v("label", {}, v("span", { class: "small quiet" }, W.status), v("select", { name: "status" }, Object.entries(W.medication_states).map(([code, words]) => v("option", { value: code, selected: code === (known?.status || "active") }, words)))),
  v("button", { type: "submit", class: "button" }, W.take_as_medicine));
}

function allergyForm(app, span) {
  return v("form", { key: "allergy", class: "menu-form", onsubmit: (event) => { event.preventDefault(); correct(app, span, { kind: "allergy", reaction: event.target.reaction.value.trim() }); } },
    v("label", {}, v("span", { class: "small quiet" }, W.reaction), v("input", { type: "text", name: "reaction", maxlength: 500 })), v("button", { type: "submit", class: "button" }, W.take_as_allergy));
}
