// What the note decides or found and the letter does not tell: its own words below the part in which they would stand, to be put into
// words or left. They are no part of the letter.

function drawUntold(app, letter, section, last) {
  if (letter.document !== "discharge_instructions" || letter.state === "signed") return null;
  const here = letter.untold.filter((one) => one.section === section.title || (last && !letter.sections.some((other) => other.title === one.section)));
  const after = section.sentences.filter((one) => !one.deleted).at(-1);
  if (!here.length || !after) return null;
  return v("aside", { key: `untold-${section.title}`, class: "untold small", "aria-label": W.untold, "data-rove": "untold" },
    v("p", { class: "quiet" }, W.untold),
    v("ul", {}, here.map((one) => v("li", { key: one.start_char },
      v("button", { type: "button", class: "link", lang: "en", title: W.show_in_note, onclick: () => showInNote(app, one.start_char, one.end_char) }, `“${one.text}”`),
      v("button", { type: "button", class: "link add-untold", "aria-label": `${W.add_untold}: ${one.text}`, onclick: () => startInsert(app, after.id, one.text) }, icon("add"), W.add_untold)))));
}
