// The head: whose letter this is, the allergies, one line of alerts, where it is saved, and signing.

function drawHead(app, state, letter) {
  const linked = letter ? linkedOf(state.view.draft) : state.run?.linked;
  return v("header", { key: "head", class: "head" },
    v("div", { key: letter ? "who" : "who-coming", class: "head-who" }, personButton(app, state, letter, linked)),
    v("div", { key: letter ? "safety" : "safety-coming", class: "head-safety" }, allergyPart(state, letter, linked), letter ? alertLine(app, letter) : v("span", { key: "alerts", class: "alert-line none" }, W.no_alerts_yet)),
    v("div", { key: letter ? "tools" : "stop", class: "head-tools", role: "toolbar", "aria-label": W.letter_tools, "data-rove": "head" }, letter ? headTools(app, state, letter) : state.phase === "running"
      ? v("button", { type: "button", class: "button", onclick: () => stopRun && stopRun() }, icon("stop_circle"), W.stop) : null));
}

function personButton(app, state, letter, linked) {
  const patient = linked?.patient;
  const details = letter?.details || {};
  const age = patient && patient.age !== null ? `${patient.age}` : "";
  const sex = patient?.sex ? { female: "F", male: "M" }[patient.sex] : "";
  const who = [age, sex].filter(Boolean).join(" ") || (linked ? W.person_unknown : "");
  const more = [details.patient_name, recordWords(details)].filter(Boolean);
  if (!letter) return v("span", { class: "who" }, v("strong", {}, who), patient?.pregnant ? ` · ${W.pregnant}` : "");
  return v("button", { type: "button", class: `who${more.length ? "" : " unnamed"}`, onclick: () => openDetails(app) },
    v("strong", {}, who, patient?.pregnant ? ` · ${W.pregnant}` : ""), v("span", { class: "who-more" }, more.length ? more.join(" · ") : W.add_details), icon("edit", "faint"));
}

function recordWords({ record_number: number }) {
  return !number || number.toUpperCase().startsWith(W.record_short.toUpperCase()) ? number || "" : `${W.record_short} ${number}`;
}

const REACTED = /allerg|\breaction/i; // why a medicine was stopped that the patient may react to

// What the whole record says of allergies: it never reads "none" while anything in it, in earlier notes or among what is to be asked
// contradicts it. flags: the alerts, which alone know of earlier notes.
function allergiesOf(linked, corrections, flags = []) {
  const { allergies, record } = linked;
  const items = new Map();
  const concepts = new Set(); // the same substance under another of its names is named once
  const put = (name, reaction, checked) => { const key = name.toLowerCase(); if (!items.has(key)) items.set(key, { name, reaction, checked }); };
  for (const one of allergies.items) { put(one.text, one.reaction || (one.kind === "intolerance" ? W.intolerance : ""), one.checked); if (one.concept_id) concepts.add(one.concept_id); }
  for (const one of record?.allergies.items || []) if (one.verification_status !== "refuted" && !one.possible && !concepts.has(one.concept_id) && ![...items.keys()].some((key) => key.includes(one.agent.toLowerCase()))) put(one.agent, one.reaction, Boolean(one.concept_id));
  for (const one of corrections || []) if (one.kind === "allergy") put(one.text, one.reaction, true);
  const doubtful = [...allergies.possible.map((one) => [one.name || one.text, one.concept_id]), ...(record?.allergies.items || []).filter((one) => one.possible || one.contradicted_by.length).map((one) => [one.agent, one.concept_id])];
  for (const one of record?.medications || []) if (REACTED.test(one.why_stopped)) doubtful.push([one.name, one.concept_id]);
  const possible = [...new Set(doubtful.filter(([name, concept]) => !items.has(name.toLowerCase()) && !concepts.has(concept)).map(([name]) => name))];
  const disagreeing = flags.filter((one) => one.kind === "allergy_disagreement" && one.sentence === null).flatMap((one) => one.evidence);
  const earlier = [...new Set(disagreeing)].filter((name) => !items.has(name.toLowerCase()));
  const alerted = flags.some((one) => one.kind === "allergy_conflict" || one.kind === "allergy_possible");
  return { status: allergies.status, items: [...items.values()], possible, earlier, contradicted: allergies.status === "none_known" && (items.size > 0 || possible.length > 0 || earlier.length > 0 || alerted) };
}

function allergyPart(state, letter, linked) {
  if (!linked) return v("span", { class: "allergies waiting" }, state.phase === "running" ? W.reading_allergies : "");
  const found = allergiesOf(linked, letter?.corrections, letter?.flags);
  if (!letter && found.status === "none_known" && !found.contradicted) return v("span", { class: "allergies waiting" }, W.reading_allergies); // the alerts may say otherwise
  const named = found.items.map((one, at) => v("span", { key: at, class: "allergen" + (one.checked ? "" : " unchecked") }, one.name, one.reaction ? v("i", {}, ` (${one.reaction})`) : null,
    one.checked ? null : v("i", {}, ` ${W.not_checked}`)));
  const asked = found.possible.length ? v("span", { class: "allergy-ask" }, icon("help"), fillWords(W.allergy_possible, { names: found.possible.join(", ") })) : null;
  const before = found.earlier.length ? v("span", { class: "allergy-ask" }, icon("help"), fillWords(W.allergy_earlier, { names: found.earlier.join(", ") })) : null;
  const said = found.items.length ? null : found.contradicted ? W.allergy_contradicted : found.possible.length ? "" : W.allergy_words[found.status];
  const none = found.status === "none_known" && !found.contradicted && !found.items.length;
  return v("div", { class: "allergies" + (none ? " none" : ""), "data-status": found.contradicted ? "contradicted" : found.status, role: "group", "aria-label": W.allergies },
    v("span", { class: "allergy-head" }, W.allergies), said ? v("span", { class: "allergy-said" }, said) : null, named, asked, before);
}

// "! 2 severe, 3 to look at": one line, behind which the alerts are.
function alertLine(app, letter) {
  const { severe, to_look } = letter.progress;
  const all = letter.flags.filter((flag) => flag.severity !== "info").length;
  if (!all) return v("span", { key: "alerts", class: "alert-line none" }, W.no_alerts);
  const parts = [severe ? fillWords(W.n_severe, { n: severe }) : "", to_look ? fillWords(W.n_to_look, { n: to_look }) : ""].filter(Boolean);
  return v("button", { key: "alerts", type: "button", class: "alert-line" + (severe ? " severe" : ""), onclick: () => showAlerts(app) },
    icon(severe ? "error" : "warning"), parts.length ? parts.join(", ") : W.alerts_answered);
}

function headTools(app, state, letter) {
  const signed = letter.state === "signed";
  return [presenceDots(state),
    v("button", { key: "undo", type: "button", class: "icon-button", "aria-label": W.undo, title: `${W.undo} (u)`, onclick: () => undoLast(app) }, icon("undo")),
    v("button", { key: "versions", type: "button", class: "icon-button", "aria-label": W.versions, title: W.versions, onclick: () => openVersions(app) }, icon("history")),
    v("button", { key: "new", type: "button", class: "icon-button", "aria-label": W.new_letter, title: W.new_letter, onclick: () => newLetter(app) }, icon("note_add")),
    v("button", { key: "keys", type: "button", class: "icon-button", "aria-label": W.keys, title: `${W.keys} (?)`, onclick: () => app.store.set({ dialog: { kind: "keys" } }) }, icon("keyboard")),
    v("button", { key: "outputs", type: "button", class: "button", onclick: () => app.store.set({ dialog: { kind: "outputs" } }) }, icon("ios_share"), W.take_away),
    v("button", { key: "sign", type: "button", class: signed ? "button signed" : "primary", onclick: () => app.store.set({ dialog: { kind: "sign" } }) }, signed ? [icon("verified"), W.signed] : W.sign_dots)];
}

function presenceDots(state) {
  if (!state.others.length) return null;
  return v("span", { key: "others", class: "others", role: "status", "aria-label": fillWords(W.also_here, { names: state.others.map(otherName).join(", ") }) },
    state.others.slice(0, 4).map((one, at) => v("span", { key: at, class: "other", title: otherName(one) }, initials(one))));
}

function otherName({ name }) {
  return name === NOT_GIVEN ? W.somebody_else : name;
}

function initials({ name }) {
  return name === NOT_GIVEN ? icon("person") : name.split(/\s+/).filter(Boolean).map((word) => word[0]).slice(0, 2).join("").toUpperCase();
}

// Saved 12:03 · kept until 28 Dec · on this computer
function savedWords(app, state) {
  const { view, queue, saved_at } = state;
  const waiting = queue.filter((one) => one.state === "waiting").length;
  if (state.away) return v("span", { key: "saved", class: "saved away", role: "status" }, icon("cloud_off"), waiting ? fillWords(W.kept_waiting, { n: waiting }) : W.away);
  if (!view.id || waiting) return v("span", { key: "saved", class: "saved" }, W.saving);
  const until = view.expires_at ? fillWords(W.kept_until, { day: dayWords(view.expires_at) }) : "";
  const words = [fillWords(W.saved_at, { time: timeWords(saved_at) }), until, W.on_this_computer].filter(Boolean).join(" · ");
  return v("span", { key: "saved", class: "saved", title: staysWords(state) }, icon("check_circle", "faint"), words);
}

function timeWords(moment) {
  return new Date(moment).toLocaleTimeString(W_DATA.language, { hour: "2-digit", minute: "2-digit" });
}

// A day without a time is the same day everywhere.
function wholeDay(day) {
  return new Date(`${day}T00:00:00`).toLocaleDateString(W_DATA.language, { day: "numeric", month: "short", year: "numeric" });
}

function dayWords(moment) {
  return new Date(moment).toLocaleDateString(W_DATA.language, { day: "numeric", month: "short" });
}
