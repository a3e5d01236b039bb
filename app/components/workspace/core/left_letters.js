// A letter that is left before the API has all of it goes on being sent, as in a window of its own, until it is opened again. What is not
// yet sent is held for this tab as well, so that a reload loses nothing.

function isUnsent({ phase, view, queue }) {
  return phase === "letter" && Boolean(view) && (!view.id || queue.length > 0);
}

function keepUnsent(app) {
  let before = app.store.state;
  app.store.listeners.add((now) => {
    if (now.queue !== before.queue || isUnsent(now) !== isUnsent(before)) keepTyped(app);
    before = now;
  });
}

// The letter on the page, if something of it is not yet sent.
function leaveLetter(app) {
  return isUnsent(app.store.state) ? sendApart(app, app.store.state) : null;
}

// Who waited for the answer to a change has gone on to something else.
function withoutCalls({ more: _, done, back, needs, held, ...item }) {
  return item;
}

function sendApart(app, { view, queue, typed }) {
  const left = { store: newStore(), sending: false, root: null, apart: true };
  left.store.state = { ...left.store.state, phase: "letter", typed, view: { ...view, saving: false }, queue: queue.map(withoutCalls) };
  left.store.listeners.add((state) => {
    if (!isUnsent(state)) app.left.delete(left);
    keepTyped(app);
  });
  app.left.add(left);
  if (view.id) sendNext(left);
  else saveFirst(left);
  keepTyped(app);
  return left;
}

function leftOf(app, id) {
  return [...app.left].find((one) => one.store.state.view.id === id) || null;
}

// It is back on the page as it was left; what is on its way is sent again under its key.
function takeUp(app, left) {
  const { view, queue, typed } = left.store.state;
  app.left.delete(left);
  left.store.listeners.clear();
  left.store.set({ phase: "empty", view: null, queue: [] });
  app.store.set((state) => ({ ...freshLetter(state), phase: "letter", typed: { ...typed, name: state.typed.name, role: state.typed.role },
    view: { ...view, saving: false }, queue, saved_at: view.id ? new Date(view.updated_at) : null }));
  nameLetter(view.id || "");
  if (view.id) sendNext(app);
  else saveFirst(app);
}

// What a reload must not lose, as values: of a saved letter its changes, of another the letter itself.
function unsentOf(app) {
  return [app.store.state, ...[...app.left].map((one) => one.store.state)].filter(isUnsent).map(({ view: { id, key, draft, request, details }, queue }) => ({
    view: id ? { id } : { key, draft, request, details },
    queue: queue.filter((one) => typeof one.change !== "function").map(({ key, change, bases, gap, reopen }) => ({ key, change, bases, gap, reopen })) }));
}

function bringBackUnsent(app, unsent, typed) {
  for (const { view, queue } of unsent) {
    if (view.id) app.unsent.set(view.id, queue);
    else takeOver(app, sendApart(app, { view: { ...unsavedView(view.draft, view.request, view.details), key: view.key }, queue: queue.map(asQueued), typed: { ...EMPTY_TYPED, ...typed } }));
  }
  for (const id of app.unsent.keys()) if (id !== letterInAddress()) sendUnsent(app, id);
}

// The letter that was open when the page was loaded anew is open again.
function takeOver(app, left) {
  if (!letterInAddress() && app.store.state.phase === "empty") takeUp(app, left);
}

async function sendUnsent(app, id, tries = 0) {
  try {
    const view = await askJson(`cases/${encodeURIComponent(id)}`);
    if (app.unsent.has(id)) sendApart(app, { view, queue: unsentFor(app, view), typed: app.store.state.typed });
  } catch (error) {
    if (error.away) setTimeout(() => sendUnsent(app, id, tries + 1), AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
    else app.unsent.delete(id);
  }
}

// The changes of a letter that a reload has kept, laid over it as it is now.
function unsentFor(app, view) {
  const kept = app.unsent.get(view.id) || [];
  app.unsent.delete(view.id);
  return kept.map(asQueued).flatMap((one) => againstLetter(one, asServed(view)));
}

function asQueued({ change, ...more }) {
  return queued(change, more);
}
