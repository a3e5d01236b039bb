// The keyboard: one letter a deed while a letter is open, and one tab stop a group of controls, with the arrows inside it.

function listenKeys(app, root) {
  const onKey = (event) => keyPressed(app, event);
  const onFocus = (event) => remember(root, event);
  const onArrow = (event) => arrowPressed(event);
  document.addEventListener("keydown", onKey);
  root.addEventListener("focusin", onFocus);
  root.addEventListener("keydown", onArrow);
  return () => { document.removeEventListener("keydown", onKey); root.removeEventListener("focusin", onFocus); root.removeEventListener("keydown", onArrow); };
}

function typing(target) {
  return target && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

function keyPressed(app, event) {
  const { state } = app.store;
  const target = event.composedPath()[0];
  if (event.defaultPrevented || state.dialog) return;
  if (app.field && !typing(target)) backToTyping(app, app.root);
  if (app.field && !typing(target)) return; // the key goes to the field
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing(target) && state.phase === "letter") { event.preventDefault(); undoLast(app); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && state.phase === "letter") { event.preventDefault(); app.store.set({ dialog: { kind: "sign" } }); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(target)) return;
  if (event.key === "?") { event.preventDefault(); app.store.set({ dialog: { kind: "keys" } }); return; }
  if (event.key === "Escape") { if (state.menu) closeMenu(app); else if (state.opened) closeDocument(app); else if (state.sheet) app.store.set({ sheet: false }); else if (state.concept) app.store.set({ concept: null }); return; }
  if (state.phase !== "letter" || state.menu) return;
  const act = LETTER_KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act(app, state.chosen);
}

const LETTER_KEYS = {
  j: (app) => step(app, 1),
  k: (app) => step(app, -1),
  e: (app, id) => id && startEdit(app, id),
  a: (app, id) => id && startInsert(app, id),
  d: (app, id) => id && removeSentence(app, id),
  c: (app, id) => id && checkAndGoOn(app, id),
  s: (app, id) => id && nextSource(app, id),
  g: (app) => nextGap(app),
  m: () => document.querySelector("[data-testid=stHeader] a[href]")?.focus(),
  u: (app) => undoLast(app),
};

function step(app, by) {
  const { live } = letterOf(app.store.state);
  const at = live.findIndex((one) => one.id === app.store.state.chosen);
  const next = live[at < 0 ? (by > 0 ? 0 : live.length - 1) : Math.max(0, Math.min(live.length - 1, at + by))];
  if (!next) return;
  app.store.set({ column: "letter" });
  choose(app, next.id, { focus: true });
}

// Checking goes on to the next sentence; taking a check back stays.
function checkAndGoOn(app, id) {
  const sentence = letterOf(app.store.state).live.find((one) => one.id === id);
  if (!sentence) return;
  check(app, id, !sentence.checked_by);
  if (!sentence.checked_by) step(app, 1);
}

const REACHED = "button, a[href], input:not([type=file]), select, textarea, [role=button], summary";

function itemsOf(group) {
  return [...group.querySelectorAll(REACHED)].filter((one) => one.closest("[data-rove]") === group && !one.hasAttribute("data-skip") && !one.disabled && !(one.matches("textarea.editor")));
}

const remembered = new WeakMap();

// Each group has one tab stop: where the keyboard was last in it, else its first.
function rove(root) {
  for (const group of root.querySelectorAll("[data-rove]")) {
    const items = itemsOf(group);
    const last = remembered.get(group);
    const here = items.includes(last) ? last : group.querySelector("[aria-selected=true], .sentence.chosen .words, [aria-current]") || items[0];
    const stop = items.includes(here) ? here : items[0];
    for (const one of items) one.tabIndex = one === stop ? 0 : -1;
  }
  for (const one of root.querySelectorAll("[data-skip]")) one.tabIndex = -1;
}

function remember(root, event) {
  const target = event.composedPath()[0];
  const group = target.closest?.("[data-rove]");
  if (!group) return;
  const items = itemsOf(group);
  if (!items.includes(target)) return;
  remembered.set(group, target);
  for (const one of items) one.tabIndex = one === target ? 0 : -1;
}

function arrowPressed(event) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = event.composedPath()[0];
  const group = target.closest?.("[data-rove]");
  if (!group || (["TEXTAREA", "SELECT"].includes(target.tagName) && !["medicines", "safety"].includes(group.dataset.rove))) return;
  const items = itemsOf(group).filter((one) => one.checkVisibility());
  const at = items.indexOf(target);
  if (at < 0) return;
  const next = target.closest("td") && group.dataset.rove === "medicines" && ["ArrowUp", "ArrowDown"].includes(event.key) ? cellBeside(items, target, by) : items[Math.max(0, Math.min(items.length - 1, at + by))];
  if (!next || next === target) return;
  event.preventDefault();
  next.focus({ preventScroll: group.dataset.rove === "letter" });
  if (next.getAttribute("role") === "tab") next.click();
}

// Up and down in the table stay in the column.
function cellBeside(items, target, by) {
  const [row, cell] = [target.closest("tr"), target.closest("td")];
  let beside = row;
  do beside = beside && (by > 0 ? beside.nextElementSibling : beside.previousElementSibling); while (beside && !beside.matches(".medicine"));
  if (!beside) return items[by > 0 ? items.length - 1 : 0];
  return items.find((one) => one.closest("tr") === beside && one.closest("td").cellIndex === cell.cellIndex) || null;
}
