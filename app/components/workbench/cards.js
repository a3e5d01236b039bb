// One card for each piece of evidence, as it is shown in its tab and under a chosen sentence.

const SMALL_WORDS = new Set(("about after also because before from have into more most other over some such than that their "
  + "them then there these they this those under until very were what when which while with would your").split(" "));

function card(bench, id, lit) {
  const found = bench.model.evidence.get(id);
  if (!found) return "";
  const { kind, item } = found;
  const citing = bench.model.citing.get(id) || [];
  return h("article", { class: "card" + (lit ? " lit" : ""), "data-card": id, tabindex: 0,
    "aria-label": `${KINDS[id[0]]} ${id}`, ...pressed(() => bench.choose({ kind: "evidence", id })) },
    h("header", { class: "small" }, h("span", { class: "id" }, id), h("span", { class: "quiet" }, headOf(kind, item)),
      h("span", { class: "quiet end" }, citing.length ? `cited by ${plural(citing.length, "sentence")}` : "not cited")),
    bodyOf(bench, kind, item, citing));
}

function headOf(kind, item) {
  if (kind === "paths") return `from “${item.keyword}”`;
  if (kind === "passages") return `${item.source}: ${item.title}`;
  if (kind === "notes") return [item.note_type, item.section, item.date].filter(Boolean).join(", ");
  return item.relation ? item.relation.replaceAll("_", " ") : "definition";
}

function bodyOf(bench, kind, item, citing) {
  if (kind === "paths") return [pathLine(bench, item), pathWords(bench, item)];
  if (kind !== "passages") return h("p", {}, item.text);
  const chosen = bench.selection && bench.selection.kind === "sentence" ? [bench.selection.index] : citing;
  const sentences = chosen.filter((index) => citing.includes(index)).map((index) => bench.model.data.sentences[index].text);
  return [h("p", { class: "passage-text" }, markMatches(item.text, sentences)),
    h("p", { class: "small quiet" }, [item.licence, item.document_id].filter(Boolean).join(" · "))];
}

// The passage with what the sentences took from it marked: runs of at least three of the same words, and, where there
// is no such run, single words that carry meaning. A mark stands only where the characters really match.
function markMatches(text, sentences) {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((m) => ({ start: m.index, end: m.index + m[0].length, word: m[0].toLowerCase() }));
  const marked = new Array(words.length).fill(false);
  const wanted = sentences.map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []));
  for (const sentence of wanted) markRuns(words, sentence, marked);
  if (!marked.some(Boolean)) {
    const single = new Set(wanted.flat().filter((word) => word.length > 3 && !SMALL_WORDS.has(word)));
    words.forEach((word, i) => { marked[i] = single.has(word.word); });
  }
  const parts = [];
  let at = 0;
  for (let i = 0; i < words.length; i++) {
    if (!marked[i]) continue;
    let j = i;
    while (j + 1 < words.length && marked[j + 1]) j++;
    parts.push(text.slice(at, words[i].start), h("mark", { class: "match" }, text.slice(words[i].start, words[j].end)));
    at = words[j].end;
    i = j;
  }
  return [...parts, text.slice(at)];
}

function markRuns(words, sentence, marked) {
  const starts = new Map();
  sentence.forEach((word, i) => starts.set(word, [...(starts.get(word) || []), i]));
  for (let i = 0; i < words.length; i++) {
    let longest = 0;
    for (const start of starts.get(words[i].word) || []) {
      let length = 0;
      while (i + length < words.length && start + length < sentence.length && words[i + length].word === sentence[start + length]) length++;
      longest = Math.max(longest, length);
    }
    if (longest >= 3) for (let k = 0; k < longest; k++) marked[i + k] = true;
  }
}
