// The workspace: one component from the pasted note to the signed letter. Its state outlives the component's own life on the page.

const HELD = "leapnoteWorkspace";
const SERVICE_MS = 3_000;

export default function ({ data, parentElement }) {
  const root = rootIn(parentElement, "ws");
  TRANSLATED = data.words || {};
  translateWords(W, ENGLISH, TRANSLATED);
  Object.assign(W_DATA, data.values || {});
  const app = window[HELD] && window[HELD].owner === data.owner ? window[HELD] : (window[HELD] = newApp(data));
  attach(app, root, data);
  return () => detach(app, root);
}

function newApp(data) {
  const app = { store: newStore(), owner: data.owner, sending: false, root: null, started: false, keys: [], left: new Set(), unsent: new Map() };
  const { state } = app.store;
  app.store.state = { ...state, owner: data.owner, locked: Boolean(data.person), typed: { ...state.typed, name: data.person || "" } };
  app.act = (change) => edit(app, change);
  keepKeys(app);
  keepUnsent(app);
  app.focusNote = () => afterDraw(() => app.root?.querySelector("#ws-note")?.focus());
  return app;
}

function attach(app, root, data) {
  if (app.detach && app.root !== root) app.detach();
  const first = app.root !== root;
  app.root = root;
  app.data = data;
  if (first) {
    const draw = (state) => {
      if (!root.isConnected) return;
      drawKeeping(app, root, drawWorkspace(app, state));
      fitChips(root);
      rove(root);
    };
    app.store.listeners.add(draw);
    const stopTyping = watchTyping(app, root);
    const stopKeys = listenKeys(app, root);
    const stopLife = listenLife(app);
    const stopDrops = listenDrops(app, root);
    const wider = new ResizeObserver(() => { fitChips(root); rove(root); });
    wider.observe(root);
    app.detach = () => { wider.disconnect(); app.store.listeners.delete(draw); stopTyping(); stopKeys(); stopLife(); stopDrops(); app.detach = null; app.root = null; };
    draw(app.store.state);
  }
  if (!first) app.store.set({}); // in the language that the page may have now
  if (!app.started) start(app);
  else {
    keepTyped(app); // the page's server may be another than before, and hold nothing
    if (app.allSamples) draftSampleInAddress(app, app.allSamples);
  }
  followAddress(app);
}

function detach(app, root) {
  if (app.root === root && app.detach) app.detach();
}

async function start(app) {
  app.started = true;
  app.typedBack = bringBackTyped(app).then(() => app.store.state.phase === "empty" && document.activeElement === document.body && app.focusNote());
  loadService(app);
}

// Who writes, the sample notes and the answers to alerts; what does not come yet is asked for again.
async function loadService(app, tries = 0) {
  const { store } = app;
  try {
    const [service, samples] = await Promise.all([askJson("systems"), askJson("cases/demonstration")]);
    const wanted = app.data.samples || [];
    store.set({ service, samples: wanted.map((name) => samples.find((one) => one.name === name)).filter(Boolean), away: false });
    app.allSamples = samples;
    if (service.waiting) setTimeout(() => loadService(app), SERVICE_MS); // until the language model is ready
    draftSampleInAddress(app, samples);
  } catch (error) {
    store.set({ away: Boolean(error.away) });
    setTimeout(() => loadService(app, tries + 1), AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
    return;
  }
  askJson("flag-answers").then((answers) => store.set({ answers })).catch(() => {});
}

function afterDraw(then) {
  queueMicrotask(() => queueMicrotask(then));
}

// The open letter is named in the address, so that a reload and a second window open it.
function letterInAddress() {
  return new URLSearchParams(window.location.search).get("letter") || "";
}

// A demonstration is a link: the sample that the address names is drafted at once, and its name goes from the address.
async function draftSampleInAddress(app, samples) {
  const sample = samples.find((one) => one.name === new URLSearchParams(window.location.search).get("sample"));
  if (!sample) return;
  nameLetter("");
  await app.typedBack;
  loadSample(app, sample);
}

function nameLetter(id) {
  const address = new URL(window.location.href);
  address.searchParams.delete("sample");
  if (id) address.searchParams.set("letter", id);
  else address.searchParams.delete("letter");
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, "", address);
}

function followAddress(app) {
  const { store } = app;
  const wanted = letterInAddress();
  const { phase, view } = store.state;
  if (wanted && view?.id !== wanted && phase !== "running") openLetter(app, wanted);
  else if (!wanted && phase === "letter" && view?.id) newLetter(app, false);
}

async function openLetter(app, id, tries = 0) {
  const { store } = app;
  const offerBack = leave(app);
  const left = leftOf(app, id);
  if (left) takeUp(app, left);
  else store.set({ ...freshLetter(store.state), phase: "opening" });
  offerBack();
  if (left) return;
  try {
    const view = await askJson(`cases/${encodeURIComponent(id)}`);
    await app.typedBack;
    if (letterInAddress() !== id) return;
    takeView(app, view);
    if (app.unsent.has(id)) store.set({ queue: unsentFor(app, view) });
    sendNext(app);
  } catch (error) {
    if (letterInAddress() !== id) return;
    if (error.away) {
      store.set({ away: true });
      setTimeout(() => letterInAddress() === id && store.state.phase === "opening" && openLetter(app, id, tries + 1), AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
    } else store.set({ phase: "missing" });
  }
}

// A new letter holds nothing of the one before, which stays where it is saved; one click goes back to it.
function newLetter(app, byHand = true) {
  const { store } = app;
  const offerBack = leave(app, byHand);
  store.set(freshLetter(store.state));
  nameLetter("");
  keepTyped(app);
  offerBack();
  app.focusNote();
}

function isTyped(typed) {
  return ["note", ...BESIDE_NOTE].some((name) => typed[name].trim());
}

// Before something else comes on the page. Gives what offers the way back: to a note that is not drafted, and, where it is asked for, to the letter.
function leave(app, toLetter = false) {
  const { phase, view, typed } = app.store.state;
  if (phase === "running" && stopRun) stopRun();
  const left = leaveLetter(app);
  if (phase === "letter") return () => toLetter && toast(app, W.former_kept, () => goBack(app, left, view.id));
  return () => isTyped(typed) && toast(app, W.note_cleared, () => bringBack(app, typed));
}

function goBack(app, left, id) {
  if (app.left.has(left)) {
    const offerBack = leave(app);
    takeUp(app, left);
    return void offerBack();
  }
  const saved = id || left.store.state.view.id; // it may have been saved meanwhile
  nameLetter(saved);
  return void openLetter(app, saved);
}

function bringBack(app, typed) {
  leave(app);
  app.store.set((state) => ({ ...freshLetter(state), typed }));
  nameLetter("");
  keepTyped(app);
  app.focusNote();
}
