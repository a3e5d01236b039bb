// The note as pasted, its mentions marked by semantic group (a letter and an underline) and by what the note says of them.

const LETTERS = { DISO: "D", CHEM: "C", PROC: "P", ANAT: "A", PHYS: "F", PHEN: "H", DEVI: "V", LIVB: "L", ACTI: "T",
  CONC: "I", OBJC: "O", OCCU: "U", ORGA: "G", GENE: "N", GEOG: "E" };
const LONGEST_WHOLE = 24; // characters; a longer word may break
const ASSERTIONS = {
  negated: { mark: "no", word: "negated: the note says it is not there" },
  historical: { mark: "past", word: "history: the note says it was there" },
  family: { mark: "♢ family", word: "family: it is about a relative" },
  uncertain: { mark: "?", word: "uncertain: the note is not sure" },
  hypothetical: { mark: "if", word: "hypothetical: the note says what might be" },
  present: { mark: "", word: "present" },
};

function drawNote(pane, bench) {
  const { data, chars } = bench.model;
  const body = h("div", { class: "note-text", "aria-label": "The note as pasted" });
  const titles = new Map(data.note.sections.filter((s) => s.body_char > s.start_char).map((s) => [s.start_char, s.body_char]));
  const cuts = cutsOf(bench.model, titles);
  for (let i = 0; i + 1 < cuts.length; i++) body.append(noteSegment(bench, cuts[i], cuts[i + 1], titles));
  if (!chars.length) body.append(h("p", { class: "quiet" }, "There is no note: a question was asked."));
  const empty = bench.model.data.phase !== "running" && chars.length && !data.note.mentions.length;
  pane.append(data.note.mentions.length ? legend(bench) : "", empty ? h("p", { class: "quiet small pad" }, "Nothing in it was recognised.") : "", body);
}

function cutsOf(model, titles) {
  const cuts = new Set([0, model.chars.length]);
  const add = (item) => item.start_char !== null && cuts.add(item.start_char).add(item.end_char);
  model.data.note.mentions.forEach(add);
  model.lists.notes.filter(model.inNote).forEach(add);
  model.data.conditions.forEach((condition) => condition.because.forEach(add));
  titles.forEach((end, start) => cuts.add(start).add(end));
  return [...cuts].filter((cut) => cut >= 0 && cut <= model.chars.length).sort((a, b) => a - b);
}

// A stretch between two cuts lies wholly inside or outside every mention.
function noteSegment(bench, start, end, titles) {
  const { data, chars } = bench.model;
  const text = chars.slice(start, end).join("");
  const covering = data.note.mentions.map((m, index) => ({ m, index })).filter(({ m }) => m.start_char <= start && end <= m.end_char);
  const inTitle = [...titles].some(([from, to]) => from <= start && end <= to);
  const place = { "data-start": start, "data-end": end };
  if (!covering.length) return h("span", { ...place, class: inTitle ? "title" : "" }, text);
  covering.sort((a, b) => a.m.end_char - a.m.start_char - (b.m.end_char - b.m.start_char));
  const { m, index } = covering[0];
  const said = ASSERTIONS[m.assertion];
  const last = end === m.end_char;
  const mark = m.allergen ? "allergy" : said.mark;
  const besides = m.allergen ? "" : (m.also || []).map((a) => `; also ${a === "historical" ? "history" : a}`).join("");
  const about = `${m.text}: ${m.name}. ${data.groups[m.group]}. ${m.allergen ? "allergen" : said.word}${besides}`
    + `${m.assertion_cue ? ` (by “${m.assertion_cue}”)` : ""}. Score ${m.score.toFixed(2)}.${m.why ? " Found by " + m.why : ""}`;
  return h("span", { ...place, class: `mention ${m.allergen ? "allergen" : m.assertion} g-${m.group}`, title: about, role: "button",
    tabindex: last ? 0 : -1, "aria-label": about, "data-mention": index,
    ...pressed(() => bench.choose({ kind: "mention", index })) }, last ? marked(text, mark, LETTERS[m.group]) : text);
}

// The last word of a mention stays on one line with its mark: a "no" at the start of the next line would seem to be of the word after it.
function marked(text, mark, letter) {
  const at = Math.max(0, text.search(/\S+\s*$/));
  const long = text.length - at > LONGEST_WHOLE;
  return [text.slice(0, at), h("span", { class: long ? "" : "whole", "data-mark": mark, "data-letter": letter }, text.slice(at))];
}

function legend(bench) {
  const { data } = bench.model;
  const groups = new Map();
  for (const m of data.note.mentions) groups.set(m.group, (groups.get(m.group) || 0) + 1);
  const said = [...new Set(data.note.mentions.filter((m) => !m.allergen).map((m) => m.assertion))].filter((a) => a !== "present");
  const boxed = data.note.mentions.some((m) => m.allergen);
  return h("div", { class: "legend small" },
    [...groups].sort((a, b) => b[1] - a[1]).map(([group, count]) => h("button", { class: "key g-" + group, type: "button",
      "aria-label": `Light the ${count} mentions of ${data.groups[group]}`, onclick: () => bench.choose({ kind: "group", group }) },
      h("span", { class: "mention-sample g-" + group }, data.groups[group]), h("sup", {}, LETTERS[group]), ` ${count}`)),
    said.map((a) => h("span", { class: "key" }, h("span", { class: "mention " + a }, h("span", { "data-mark": ASSERTIONS[a].mark }, a === "historical" ? "history" : a)))),
    boxed ? h("span", { class: "key" }, h("span", { class: "mention allergen" }, "allergen")) : null);
}

// What a keyboard and a mouse both do.
function pressed(action) {
  return {
    onclick: (event) => { event.stopPropagation(); action(event); },
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      action(event);
    },
  };
}
