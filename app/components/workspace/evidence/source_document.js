// A source in its own document: the passage that the letter cites, marked where it stands, with what is before and after it.

const LEFT_OUT = 8; // characters between two passages of a section, above which text of the document is not held here

function openDocument(app, id) {
  const { store } = app;
  const { item } = evidenceOf(store.state.view.draft).get(id);
  store.set({ opened: { id, item, held: null, error: "" }, column: "evidence", sheet: true });
  afterDraw(() => app.root.querySelector(".document-view h4")?.focus());
  askJson(`documents?${new URLSearchParams({ source: item.source, document_id: item.document_id })}`).then((held) => settleDocument(app, id, { held }), (error) => settleDocument(app, id, { error: error.message }));
}

function settleDocument(app, id, change) {
  const { opened } = app.store.state;
  if (!opened || opened.id !== id) return;
  app.store.set({ opened: { ...opened, ...change } });
  afterDraw(() => app.root.querySelector(".document-view .cited mark, .document-view .cited")?.scrollIntoView({ block: "center" }));
}

function closeDocument(app) {
  const { id } = app.store.state.opened;
  app.store.set({ opened: null });
  pointAt(app, id);
}

// A letter that is drafted anew may number its sources anew: what was opened is shown while its number means the same passage.
function showsDocument(state) {
  const [asked, now] = [state.opened?.item, state.opened && evidenceOf(state.view.draft).get(state.opened.id)?.item];
  return Boolean(now) && now.document_id === asked.document_id && now.text === asked.text;
}

// Where a passage stands in one of the documents that are held; -1 where its text is another one there.
function placeOf(document, item) {
  return document.passages.findIndex((one) => one.start_char === item.start_char && one.text === item.text);
}

function drawDocument(app, state, letter) {
  const { id, item, held, error } = state.opened;
  const document = held && (held.find((one) => placeOf(one, item) >= 0) || held[0]);
  const chosen = letter.live.find((one) => one.id === state.chosen && (one.citations || []).includes(id));
  const cited = () => citedPassage(letter, id, item, chosen ? [chosen] : citing(letter, id));
  return v("div", { key: "document", class: "document-view" },
    v("button", { type: "button", class: "quiet-button", onclick: () => closeDocument(app) }, icon("arrow_back"), W.back_to_evidence),
    v("h4", { tabindex: -1, lang: "en" }, `${W.source_names[item.source] || item.source}: ${document ? document.title : item.title}`),
    v("p", { class: "small quiet" }, [item.licence, document?.date].filter(Boolean).map(said).join(" · ")),
    error ? v("p", { role: "alert" }, error) : null,
    !held ? (error ? cited() : v("p", { class: "quiet" }, W.looking_up))
      : !document ? [v("p", { class: "small" }, W.only_passage), cited()]
        : [placeOf(document, item) < 0 ? [v("p", { class: "small", role: "status" }, W.document_changed), cited()] : null, documentText(document, item, cited)]);
}

function citedPassage(letter, id, item, sentences) {
  return v("div", { key: "cited", class: "cited" }, v("p", { class: "cited-label small" }, v("span", { class: "source-number" }, letter.numbers.get(id)), W.cited_passage), v("p", { lang: "en" }, markedText(item.text, sentences.map((one) => one.text))));
}

// The passages in their order below the headings of their sections.
function documentText(document, item, cited) {
  const at = placeOf(document, item);
  const before = (place) => document.passages[place - 1];
  return v("div", { key: "text", class: "document-text" }, document.passages.map((one, place) => {
    const begins = !before(place) || before(place).section !== one.section;
    return [begins && one.section ? v("h5", { key: `h-${place}` }, said(one.section)) : null, !begins && one.start_char - before(place).end_char > LEFT_OUT ? v("p", { key: `g-${place}`, class: "quiet" }, "[…]") : null,
      place === at ? cited() : v("p", { key: `p-${place}`, lang: "en" }, one.text)];
  }));
}
