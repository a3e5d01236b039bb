// The versions of the letter: a list, two of them side by side, and the way back to one.

function openVersions(app) {
  const { view } = app.store.state;
  app.store.set({ dialog: { kind: "versions" }, compare: null });
  if (view.version > 1) compareVersions(app, view.version - 1, view.version);
}

async function compareVersions(app, from, to) {
  const { store } = app;
  store.set({ compare: { from, to, rows: null } });
  try {
    const rows = await askJson(`cases/${store.state.view.id}/comparison?from=${from}&to=${to}`);
    if (store.state.compare?.from === from && store.state.compare.to === to) store.set({ compare: { from, to, rows } });
  } catch (error) {
    store.set({ compare: { from, to, rows: [], message: error.message } });
  }
}

function drawVersions(app, state) {
  const { view, compare } = state;
  const rows = [...view.versions].reverse();
  return dialog(app, "versions", W.versions,
    v("div", { class: "versions" },
      v("ol", { class: "version-list", "aria-label": W.versions }, rows.map((one) => v("li", { key: one.version, class: one.version === compare?.to ? "shown" : "" },
        v("button", { type: "button", class: "version", "data-first": one.version === view.version ? "" : null, onclick: () => compareVersions(app, Math.max(1, one.version - 1), one.version) },
          v("strong", {}, fillWords(W.version_n, { n: one.version })), v("span", { class: "small quiet" }, [didIn(view, one.version), one.author === NOT_GIVEN ? "" : one.author, `${dayWords(one.at)} ${timeWords(one.at)}`].filter(Boolean).join(" · ")), one.signature ? v("span", { class: "small" }, icon("verified"), W.signed) : null),
        one.version < view.version ? v("button", { type: "button", class: "link", onclick: () => goBackTo(app, one.version) }, W.go_back) : v("span", { class: "small quiet" }, W.newest)))),
      compare ? v("div", { class: "comparison" }, v("div", { class: "comparison-choice" }, versionChoice(app, view, "from", compare), icon("arrow_forward"), versionChoice(app, view, "to", compare)), comparisonRows(compare, view.draft.generator.name)) : null));
}

// What was done in a version, in a few words.
function didIn(view, version) {
  const did = [...new Set(view.edits.filter((one) => one.version === version).map((one) => W.did[one.kind] || ""))].filter(Boolean);
  return upperFirst(did.slice(0, 2).join(", "));
}

function versionChoice(app, view, side, compare) {
  return v("label", {}, v("span", { class: "sr" }, W.compare_sides[side]), v("select", { onchange: (event) => compareVersions(app, side === "from" ? Number(event.target.value) : compare.from, side === "to" ? Number(event.target.value) : compare.to) },
    view.versions.map((one) => v("option", { value: one.version, selected: one.version === compare[side] }, fillWords(W.version_n, { n: one.version })))));
}

function comparisonRows(compare, writer) {
  if (compare.message) return v("p", { role: "alert" }, compare.message);
  if (!compare.rows) return v("p", { class: "quiet" }, W.looking_up);
  const changed = compare.rows.filter((one) => one.state !== "same");
  return v("table", { class: "comparison-table" }, v("thead", {}, v("tr", {}, v("th", { scope: "col" }, fillWords(W.version_n, { n: compare.from })), v("th", { scope: "col" }, fillWords(W.version_n, { n: compare.to })))),
    v("tbody", {}, changed.length ? changed.map((one, at) => v("tr", { key: at, class: `c-${one.state}` }, v("td", {}, one.before ? v("del", {}, one.before) : v("span", { class: "quiet" }, "–")), v("td", {}, one.after ? v("ins", {}, one.after) : v("span", { class: "quiet" }, "–"), one.by && one.by !== writer && one.by !== NOT_GIVEN ? v("span", { class: "small quiet by" }, one.by) : null)))
      : v("tr", {}, v("td", { colspan: 2, class: "quiet" }, W.no_difference))));
}

function goBackTo(app, version) {
  app.store.set({ dialog: null });
  const before = app.store.state.view.version;
  edit(app, { kind: "restore", to_version: version }, { done: () => toast(app, fillWords(W.back_at, { n: version }), () => edit(app, { kind: "restore", to_version: before })) });
}
