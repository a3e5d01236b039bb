// What a person has done and the API has not yet answered: shown at once, sent in order, sent again when it could not be reached.

const AGAIN_MS = [400, 1_000, 2_000, 4_000];
const NOT_GIVEN = "not given"; // the audit trail's word for a name that nobody gave
const BY_A_CLINICIAN = "a clinician"; // the API's name for the source of a medicine that a person decided

let editNumber = 0;

// The same key sent again after a lost answer changes nothing twice.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
}

function authorOf(state) {
  return state.typed.name.trim() || NOT_GIVEN;
}

// The first save: a person never asks for it.
async function saveFirst(app, tries = 0) {
  const { store } = app;
  const { view } = store.state;
  if (!view || view.id || view.saving) return;
  const key = view.key || newKey();
  store.set({ view: { ...view, key, saving: true } });
  try {
    const body = { key, label: "", draft: view.draft, request: view.request, details: view.details, author: authorOf(store.state) };
    const saved = await askJson("cases", { method: "POST", body });
    if (store.state.view?.draft.id !== view.draft.id) return;
    takeView(app, saved);
    if (!app.apart) nameLetter(saved.id);
    bringCarried(app);
    sendNext(app);
  } catch (error) {
    if (store.state.view?.draft.id !== view.draft.id) return;
    store.set({ view: { ...store.state.view, saving: false }, away: Boolean(error.away), refused: error.away ? "" : error.message });
    if (error.away) setTimeout(() => saveFirst(app, tries + 1), AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
  }
}

// The answer of the API is the letter from now on; parts that it leaves out are as they were.
function takeView(app, given) {
  const { store } = app;
  const before = store.state.view;
  const draft = { ...given.draft };
  const same = before && (before.id === given.id || before.id === null);
  for (const part of ["evidence", "note", "record"]) if (draft[part] === null || draft[part] === undefined) draft[part] = same ? before.draft[part] : null;
  const kept = { ...given, draft };
  for (const part of ["exports", "edits", "versions"]) if (!kept[part] && same) kept[part] = before[part];
  store.set({ view: kept, phase: "letter", saved_at: new Date(given.updated_at || Date.now()), away: false, refused: "" });
}

// Before anything is typed into a signed letter: whether it is to be reopened, and then goes on.
function askToReopen(app, then) {
  if (app.store.state.view?.state === "signed") app.store.set({ dialog: { kind: "reopen", change: null, then } });
  else then();
}

// change: an Edit of the API without its author, several that are made together, or a call that gives one once it is sent. Gives the
// number of what waits to be sent.
function edit(app, change, more = {}) {
  const { store } = app;
  const { view } = store.state;
  if (!view) return;
  if (view.state === "signed" && !more.reopen) {
    // another may have signed it meanwhile: what was typed stays where it was typed
    if (more.back) more.back(W.kept_for_next, true);
    else if (change.text && change.sentence) store.set({ editing: { kind: change.kind === "insert_after" ? "insert" : "text", id: change.sentence, text: change.text } });
    store.set({ dialog: { kind: "reopen", change, more } });
    showModelled(app.root);
    return;
  }
  change = typeof change === "function" ? change : Array.isArray(change) ? change.map(asNamed) : asNamed(change);
  const letter = letterOf(store.state); // with what is on its way: another's change is what differs from it
  const changes = typeof change === "function" ? [] : [change].flat();
  const item = { ...queued(change, more), bases: changes.map((one, at) => [more.seen || []].flat()[at] || seenIn(letter, one)) };
  store.set({ queue: [...store.state.queue, ...(more.seen ? againstLetter(item, letter) : [item])], refused: "" });
  afterDraw(() => showModelled(app.root));
  sendNext(app);
  return item.id;
}

// An item of the queue. more: what is to be done with its answer; seen: what it is about as its author saw it, where that is not as it is now.
function queued(change, more = {}) {
  return { id: ++editNumber, key: newKey(), change, bases: [], state: "waiting", more, ...more };
}

async function sendNext(app, tries = 0) {
  const { store } = app;
  const { view, queue } = store.state;
  if (!view || !view.id || app.sending) return;
  const item = queue.find((one) => one.state !== "conflict");
  if (!item) return;
  app.sending = true;
  let wait = null;
  let stale = false;
  try {
    const change = item.gap ? asNumbered(view, item.gap, item.change) : typeof item.change === "function" ? item.change(view) : item.change;
    if (change) {
      const body = { key: item.key, version: view.version, edits: [change].flat().map((one) => ({ ...one, author: authorOf(store.state) })), ...(item.reopen ? { reopen: true } : {}) };
      const answer = await askJson(`cases/${view.id}/edits?evidence=no`, { method: "POST", body });
      if (store.state.view?.id === view.id) accepted(app, item, answer);
    } else {
      dropItem(app, item);
      if (item.gap) store.set({ refused: fillWords(W.gap_gone, { text: item.change.text }) });
    }
  } catch (error) {
    if (store.state.view?.id !== view.id) return void (app.sending = false);
    if (error.away) {
      store.set({ away: true });
      wait = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)];
    } else if (error.status === 409 && error.error.newest) await rebase(app, error.error);
    else if (error.kind === "signed") await signedMeanwhile(app, item, error);
    else {
      refuse(app, item, error);
      stale = error.status === 409;
    }
  }
  app.sending = false;
  if (stale) refreshLetter(app);
  if (wait !== null) setTimeout(() => sendNext(app, tries + 1), wait);
  else sendNext(app);
}

function accepted(app, item, answer) {
  dropItem(app, item);
  nameInserted(app, item, answer);
  takeView(app, answer);
  // no one else was between: what waits is about the letter as this change has left it
  const letter = asServed(app.store.state.view);
  app.store.set({ queue: app.store.state.queue.map((one) => (one.state === "conflict" || typeof one.change === "function" ? one : { ...one, bases: changesOf(one).map((change, at) => one.bases[at] && seenIn(letter, change, one.bases[at])) })) });
  if (item.done) item.done(answer);
  const { dialog } = app.store.state; // the answer to one question whether to reopen is the answer to all
  if (dialog?.kind === "reopen" && answer.state !== "signed") reopenWith(app, app.store.state, dialog.change, dialog.more, dialog.then);
}

// A sentence that was added has a name of its own until the API has given it one: what was done with it meanwhile is done with that.
function nameInserted(app, item, answer) {
  const { store } = app;
  if (item.change.kind !== "insert_after") return;
  const before = new Set(store.state.view.sentences.map((one) => one.id));
  const [was, made] = [addedName(item.id), answer.sentences.find((one) => !before.has(one.id))];
  if (!made) return;
  SHOWN_AS.set(made.id, was);
  NAMED.set(was, made.id);
  const { chosen, editing, queue } = store.state;
  store.set({ chosen: chosen === was ? made.id : chosen, editing: editing?.id === was ? { ...editing, id: made.id } : editing,
    queue: queue.map((one) => (typeof one.change === "function" ? one : { ...one, change: Array.isArray(one.change) ? one.change.map(asNamed) : asNamed(one.change) })) });
}

function dropItem(app, item) {
  app.store.set({ queue: app.store.state.queue.filter((one) => one.id !== item.id) });
}

// Another has changed the letter: theirs comes in, ours is laid over it; where both changed one thing, a person decides.
async function rebase(app, error) {
  const { store } = app;
  takeView(app, error.view || await askJson(`cases/${store.state.view.id}`));
  const letter = asServed(store.state.view);
  const before = new Set(store.state.queue.filter((one) => one.state === "conflict").map((one) => one.id));
  const queue = store.state.queue.flatMap((one) => againstLetter(one, letter));
  const found = queue.find((one) => one.state === "conflict" && !before.has(one.id));
  store.set({ queue, ...(found?.change.sentence ? { chosen: found.change.sentence } : {}) });
  if (found) afterDraw(() => { showModelled(app.root); app.root?.querySelector(`.conflict`)?.scrollIntoView({ block: "nearest" }); });
}

// What the API does not take goes from the letter, with its reason and the words that were typed.
function refuse(app, item, error) {
  const { store } = app;
  dropItem(app, item);
  const typed = item.change.text || "";
  if (item.back) item.back(error.status === 422 ? item.needs : error.message);
  else store.set({ refused: error.message, ...(typed && item.change.sentence ? { editing: { kind: item.change.kind === "insert_after" ? "insert" : "text", id: item.change.sentence, text: typed } } : {}) });
  afterDraw(() => showModelled(app.root));
}

async function refreshLetter(app) {
  const { view } = app.store.state;
  if (!view?.id || app.sending) return;
  try {
    const newest = await askJson(`cases/${view.id}`);
    if (app.store.state.view?.id === newest.id && newest.version >= app.store.state.view.version) takeView(app, newest);
  } catch (error) {
    if (error.status === 404) app.store.set({ gone: true });
  }
}

// Another has signed it since this was done: as with any change of a signed letter, it asks before it goes on.
async function signedMeanwhile(app, item, error) {
  try {
    takeView(app, await askJson(`cases/${app.store.state.view.id}`));
  } catch {
    return refuse(app, item, error);
  }
  dropItem(app, item);
  edit(app, item.change, item.more);
}

// The version that an undo goes back to, over sessions: each change can be undone once, and an undo is no change.
function undoTarget(view) {
  const back = [];
  const whole = new Map();
  for (const record of view.edits) if (record.kind === "restore" && !record.sentence) whole.set(record.version, record.to_version);
  for (let version = 2; version <= view.version; version++) {
    if (whole.has(version)) {
      while (back.length && back[back.length - 1] >= whole.get(version)) back.pop();
    } else back.push(version - 1);
  }
  return back.length ? back[back.length - 1] : null;
}

function undoLast(app) {
  const { store } = app;
  const waiting = store.state.queue.filter((one) => one.state === "waiting");
  if (waiting.length && !app.sending) {
    dropItem(app, waiting[waiting.length - 1]);
    return;
  }
  if (!store.state.view || (!undoTarget(store.state.view) && !store.state.queue.length)) {
    toast(app, W.nothing_to_undo);
    return;
  }
  edit(app, (view) => {
    const to = undoTarget(view);
    return to ? { kind: "restore", to_version: to } : null;
  }, { done: () => toast(app, W.undone) });
}

let toastTimer = null;

function toast(app, words, undo) {
  if (app.apart) return;
  clearTimeout(toastTimer);
  app.store.set({ toast: { words, undo } });
  toastTimer = setTimeout(() => app.store.set({ toast: null }), 6_000);
}
