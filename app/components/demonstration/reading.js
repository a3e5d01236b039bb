// A draft to be read: sections, sentences, numbered sources that open below their sentence. Nothing can be changed here.

export default function ({ data, parentElement }) {
  const root = rootIn(parentElement, "reading");
  const words = JSON.stringify(data);
  if (root.dataset.words === words) return;
  root.dataset.words = words;
  clear(root);
  const body = h("div", { class: "text", role: "group", "aria-label": data.label || data.words.document });
  for (const section of data.sections) {
    if (section.title) body.append(h("h3", {}, section.title));
    body.append(h("ul", {}, section.sentences.map((sentence) => sentenceRow(data, sentence))));
  }
  if (!data.sections.length) body.append(h("p", { class: "quiet" }, data.words.nothing));
  root.append(body);
}

function sentenceRow(data, sentence) {
  const place = h("div", { class: "place", hidden: true });
  const buttons = sentence.sources.map((source) => sourceButton(data, source, place));
  return h("li", {}, h("span", {}, sentence.text), " ",
    sentence.marks.map((mark) => h("span", { class: "mark small" }, mark)), buttons, place);
}

function sourceButton(data, source, place) {
  const button = h("button", { type: "button", class: "source small", "aria-expanded": "false",
    "aria-label": data.words.source.replace("{n}", source.n) }, String(source.n));
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") === "true";
    for (const other of button.parentElement.querySelectorAll(".source")) other.setAttribute("aria-expanded", "false");
    clear(place);
    place.hidden = open;
    if (open) return;
    button.setAttribute("aria-expanded", "true");
    place.append(h("strong", { class: "small" }, `${source.n} ${source.label}`), h("p", {}, source.text));
  });
  return button;
}
