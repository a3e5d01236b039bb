// Where a person is typing. A redraw, or a mount in another place, can take the field away under their hands: it is found again with
// its text and its caret, and no key that was meant for it is taken for a command.

let drawing = false; // what a redraw takes the focus from, nobody has left

function watchTyping(app, root) {
  const came = (event) => { const target = event.composedPath()[0]; app.field = typing(target) ? target : null; app.fieldName = app.field && nameOf(target); };
  const went = (event) => {
    const target = event.composedPath()[0];
    if (!drawing) queueMicrotask(() => { if (app.field === target && target.isConnected) app.field = null; });
  };
  root.addEventListener("focusin", came);
  root.addEventListener("blur", went, true); // before the field hears of it
  return () => { root.removeEventListener("focusin", came); root.removeEventListener("blur", went, true); };
}

function drawKeeping(app, root, kids) {
  drawing = true;
  try {
    patchKids(root, kids);
  } finally {
    drawing = false;
  }
  backToTyping(app, root);
}

// The same field is the one that stands in the same row under the same name.
function nameOf(field) {
  const row = field.closest("[data-sentence], [data-row], [data-flag]");
  return JSON.stringify([field.tagName, field.id, field.name, field.getAttribute("aria-label"), row && { ...row.dataset }]);
}

function backToTyping(app, root) {
  const { field } = app;
  if (!field || (root.contains(field) && root.getRootNode().activeElement === field)) return;
  const here = root.contains(field) ? field : [...root.querySelectorAll(field.tagName)].find((one) => nameOf(one) === app.fieldName);
  if (!here) {
    app.field = null;
    left(field); // its place has gone: what is in it is dealt with as if the person had left it
    return;
  }
  const { value, selectionStart, selectionEnd } = field;
  if (here !== field && typing(here) && here.tagName !== "SELECT" && here.value !== value) here.value = value;
  app.field = here;
  here.focus({ preventScroll: true });
  if (selectionStart !== null && here.setSelectionRange && here.type !== "number") here.setSelectionRange(selectionStart, selectionEnd);
  giveKeys(app, here);
}

// While the page stands nowhere, between one mount and the next, what was being typed in has no place: its keys are kept for it.
function keepKeys(app) {
  window.addEventListener("keydown", (event) => {
    if (window[HELD] !== app || !app.field || app.field.isConnected || typing(event.composedPath()[0])) return;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key.length > 1 && !["Enter", "Backspace"].includes(event.key))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    app.keys.push(event.key);
  }, true);
}

function giveKeys(app, field) {
  for (const key of app.keys.splice(0)) {
    if (!app.field) return;
    if (key === "Enter") field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    else {
      const at = field.selectionStart - (key === "Backspace" && field.selectionStart === field.selectionEnd ? 1 : 0);
      field.setRangeText(key === "Backspace" ? "" : key, Math.max(0, at), field.selectionEnd, "end");
      field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    }
  }
}

function left(field) {
  const call = described.get(field)?.calls?.blur;
  if (call) call({ target: field, relatedTarget: null });
}
