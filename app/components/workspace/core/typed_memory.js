// What is typed and not yet drafted is held by the page's own server for this tab, in memory alone, so that a reload loses nothing.

const TAB_NAME = "leapnote_workspace";
const WINDOW_NAME = "leapnote_window"; // tells those apart who gave no name
const TYPED_MS = 400;
let typedTimer = null;

function tabAddress() {
  return new URL("leapnote/tab", document.baseURI);
}

// A name that this tab keeps over reloads.
function keptName(key) {
  const name = window.sessionStorage.getItem(key) || newKey();
  window.sessionStorage.setItem(key, name);
  return name;
}

async function bringBackTyped(app) {
  const name = window.sessionStorage.getItem(TAB_NAME);
  if (!name) return;
  try {
    const answer = await fetch(new URL(`?name=${encodeURIComponent(name)}`, tabAddress()), { headers: { "X-Leapnote": "page" }, cache: "no-store" });
    const held = answer.ok ? await answer.json() : null;
    if (!held?.typed) return;
    const { phase, typed: here } = app.store.state;
    const typed = { ...here, ...held.typed, ...(app.data.person ? { name: app.data.person } : {}) };
    if (phase === "empty" && !here.note) app.store.set({ typed });
    else if (isTyped(typed) && letterInAddress()) toast(app, W.note_cleared, () => bringBack(app, typed));
    bringBackUnsent(app, held.unsent || [], typed);
  } catch { /* the page's server is away: what is typed from now on is held here */ }
}

// Called after each change of what is typed; the last one of a moment is sent.
function keepTyped(app) {
  if (app.apart) return;
  clearTimeout(typedTimer);
  typedTimer = setTimeout(() => sendTyped(app), TYPED_MS);
}

function sendTyped(app, leaving) {
  clearTimeout(typedTimer);
  const name = keptName(TAB_NAME);
  const { typed, phase } = app.store.state;
  const held = { typed: phase === "letter" ? { ...EMPTY_TYPED, name: typed.name, role: typed.role } : typed, unsent: unsentOf(app) };
  fetch(new URL(`?name=${encodeURIComponent(name)}`, tabAddress()), { method: "PUT", keepalive: Boolean(leaving), body: JSON.stringify(held),
    headers: { "X-Leapnote": "page", "Content-Type": "application/json" } }).catch(() => { if (!leaving) typedTimer = setTimeout(() => sendTyped(app), 2_000); });
}

// While the page lives: presence, what was typed last, and the address.
function listenLife(app) {
  const leave = () => sendTyped(app, true);
  const back = () => followAddress(app);
  window.addEventListener("pagehide", leave);
  window.addEventListener("popstate", back);
  const presence = setInterval(() => document.visibilityState === "visible" && tellPresence(app), 5_000);
  return () => {
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("popstate", back);
    clearInterval(presence);
  };
}

// Who else has this letter open, and whether there is something newer to show.
async function tellPresence(app) {
  const { store } = app;
  const { view, chosen } = store.state;
  if (!view?.id || store.state.phase !== "letter") return;
  const asked = new URLSearchParams({ name: authorOf(store.state), window: keptName(WINDOW_NAME), version: view.version, ...(chosen ? { sentence: chosen } : {}) });
  try {
    const found = await askJson(`cases/${view.id}/presence?${asked}`);
    if (store.state.view?.id !== view.id) return;
    if (JSON.stringify(found.others) !== JSON.stringify(store.state.others)) store.set({ others: found.others });
    if (found.newest > store.state.view.version && !store.state.queue.length) refreshLetter(app);
    if (store.state.away) store.set({ away: false });
  } catch (error) {
    if (error.away) store.set({ away: true });
  }
}
