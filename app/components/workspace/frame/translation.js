// The letter for the patient in another language: by a language model alone, beside the English, and never without saying that nobody has read it.

function openTranslation(app) {
  app.store.set({ dialog: { kind: "translation", language: usualTranslation(), found: null, busy: false, message: "" } });
}

// The page's own language, where it is not the letter's.
function usualTranslation() {
  return W_DATA.language in W.letter_languages ? W_DATA.language : "es";
}

function hasModel(state) {
  const name = state.service?.generator?.name || PLAIN_WRITER;
  return !name.startsWith(PLAIN_WRITER);
}

function drawTranslation(app, state) {
  const { language, found, busy, message } = state.dialog;
  const put = (more) => app.store.set((now) => (now.dialog?.kind === "translation" ? { dialog: { ...now.dialog, ...more } } : null));
  if (!hasModel(state)) return dialog(app, "translation", W.translation, v("p", { class: "needs-model" }, icon("info"), W.needs_model));
  return dialog(app, "translation", W.translation,
    v("div", { class: "translation-choice" }, v("label", {}, W.translate_to, v("select", { "data-first": "", onchange: (event) => put({ language: event.target.value, found: null }) },
      Object.entries(W.letter_languages).map(([code, words]) => v("option", { value: code, selected: code === language }, words)))),
    v("button", { type: "button", class: "primary", disabled: busy, onclick: () => translate(app, put) }, W.translate),
    found ? v("button", { type: "button", class: "button", onclick: () => copyTranslation(app, found) }, icon("content_copy"), W.copy_translation) : null, v("span", { class: "small quiet" }, staysWords(state))),
    busy ? v("p", { class: "quiet", role: "status" }, icon("progress_activity", "turning"), W.translating) : null,
    message ? v("p", { class: "form-hint", role: "alert" }, message) : null,
    found ? [v("p", { class: "unreviewed", role: "status" }, icon("warning"), W.unreviewed), translationTable(found)] : null);
}

function translationTable(found) {
  return v("table", { class: "comparison-table translation-table" }, v("thead", {}, v("tr", {}, v("th", { scope: "col" }, W.english), v("th", { scope: "col" }, W.letter_languages[found.language]))),
    v("tbody", {}, found.sentences.map((one) => v("tr", { key: one.id }, v("td", { lang: "en" }, one.english), one.text ? v("td", { lang: found.language, dir: "auto" }, one.text)
      : v("td", { class: "small quiet" }, fillWords(W.not_translated, { reason: said(one.reason) }))))));
}

async function translate(app, put) {
  const { dialog: asked, view } = app.store.state;
  put({ busy: true, message: "", found: null });
  try {
    const found = await askJson(`cases/${view.id}/translation`, { method: "POST", body: { language: asked.language, version: view.version } });
    put(app.store.state.dialog?.language === asked.language ? { busy: false, found } : { busy: false });
  } catch (error) {
    put({ busy: false, message: error.message });
  }
}

// What is pasted elsewhere says first that nobody has read it.
function copyTranslation(app, found) {
  const text = [W.unreviewed, ...found.sentences.map((one) => one.text || one.english)].join("\n");
  navigator.clipboard.writeText(text).then(() => toast(app, W.copied)).catch(() => toast(app, W.not_copied));
}
