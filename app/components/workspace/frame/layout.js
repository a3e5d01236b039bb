// What is on the page: the head, note, letter and evidence side by side (as tabs where there is no room), the foot, and what lies over them.

function drawWorkspace(app, state) {
  app.root.dataset.phase = state.phase;
  app.root.dataset.column = state.column;
  const letter = state.phase === "letter" ? letterOf(state) : null;
  return [
    drawStatusForReaders(state, letter),
    state.phase === "empty" ? drawEntry(app, state) : state.phase === "missing" ? drawMissing(app) : drawBench(app, state, letter),
    drawOver(app, state, letter),
  ];
}

function drawBench(app, state, letter) {
  return v("div", { key: "bench", class: "bench-frame" + (state.dropping ? " dropping" : "") },
    drawHead(app, state, letter),
    v("div", { key: "tabs", class: "column-tabs", role: "tablist", "aria-label": W.columns, "data-rove": "columns" }, ["note", "letter", "evidence"].map((name) =>
      v("button", { key: name, type: "button", role: "tab", id: `ws-tab-${name}`, "aria-selected": String(state.column === name), "aria-controls": `ws-column-${name}`,
        onclick: () => app.store.set({ column: name }) }, W.column_names[name]))),
    v("div", { key: "columns", class: "columns" },
      v("section", { key: "note", id: "ws-column-note", class: "column note-column", "aria-label": W.column_names.note }, drawNotePane(app, state, letter)),
      v("section", { key: "letter", id: "ws-column-letter", class: "column letter-column", "aria-label": W.column_names.letter }, drawLetterPane(app, state, letter)),
      v("section", { key: "evidence", id: "ws-column-evidence", class: "column evidence-column" + (state.sheet ? " sheet" : ""), "aria-label": W.column_names.evidence },
        drawEvidencePane(app, state, letter))),
    drawFoot(app, state, letter));
}

function drawMissing(app) {
  return v("div", { key: "missing", class: "entry" }, v("div", { class: "entry-inside" }, v("h1", { class: "entry-title" }, W.missing_title), v("p", {}, W.missing),
    v("div", { class: "go" }, v("button", { type: "button", class: "primary", onclick: () => newLetter(app) }, W.new_letter))));
}

// What lies over the page: a menu at a word, a dialog, a preview, and one line about what was just done.
function drawOver(app, state, letter) {
  return v("div", { key: "over", class: "over" },
    state.menu ? drawMenu(app, state, letter) : null,
    state.dialog ? drawDialog(app, state, letter) : null,
    state.hover && letter ? drawPreview(state, letter) : null,
    v("div", { key: "toast", class: "toast-place", role: "status", "aria-live": "polite" }, state.toast ? v("div", { class: "toast" }, v("span", {}, state.toast.words),
      state.toast.undo ? v("button", { type: "button", class: "link", onclick: () => { const { undo } = state.toast; app.store.set({ toast: null }); undo(); } }, W.undo) : null) : null));
}

function drawDialog(app, state, letter) {
  const draw = { sign: drawSign, keys: drawKeys, details: drawDetails, versions: drawVersions, reopen: drawReopen, context: drawContext, outputs: drawOutputs, translation: drawTranslation, whose: drawWhose, picture: drawPictureDialog }[state.dialog.kind];
  return draw ? draw(app, state, letter) : null;
}

// A dialog that holds the focus while it is open, and gives it back.
function dialog(app, name, title, ...inside) {
  return v("dialog", { key: `dialog-${name}`, class: `dialog dialog-${name}`, "aria-labelledby": `ws-dialog-${name}`, oncancel: (event) => { event.preventDefault(); closeDialog(app); },
    onclick: (event) => { if (event.target.tagName === "DIALOG") closeDialog(app); },
    made: (node) => { app.opener = app.root.getRootNode().activeElement; afterDraw(() => { if (node.isConnected && !node.open) { node.showModal(); node.querySelector("[data-first]")?.focus(); } }); } },
    v("div", { class: "dialog-inside" }, v("header", { class: "dialog-head" }, v("h2", { id: `ws-dialog-${name}` }, title),
      v("button", { type: "button", class: "icon-button", "aria-label": W.close, onclick: () => closeDialog(app) }, icon("close"))), ...inside));
}

function closeDialog(app) {
  const { dialog: open } = app.store.state;
  app.store.set({ dialog: null });
  if (open?.closed) open.closed();
  afterDraw(() => app.opener?.isConnected && app.opener.focus({ preventScroll: true }));
}

// One line for those who listen: where the letter is.
function drawStatusForReaders(state, letter) {
  const words = state.phase === "running" ? W.writing : letter ? (letter.updating ? W.updating : fillWords(W.letter_ready, { n: letter.live.length })) : "";
  return v("p", { key: "status", class: "sr", role: "status", "aria-live": "polite" }, words);
}
