// Below the pinned line and moving with the page: every alert in its words, where the text goes, and on what knowledge it rests.

// Where the text goes; a text that leaves this computer has a shape and a weight of its own.
function whereLine(writer, words) {
  if (!writer.leaves && !writer.where) return null; // not known while the service does not answer
  const goes = [writer.where, ...(writer.others || [])].map((said) => /goes to (.*)/.exec(said)?.[1]).filter(Boolean);
  const where = writer.leaves ? words.goes.replace("{where}", [...new Set(goes)].join(", ")) : words.stays;
  return h("div", { class: "writer" + (writer.leaves ? " leaves" : "") },
    h("span", { "aria-hidden": "true" }, writer.leaves ? "↗ " : "⌂ "), where);
}

export default function ({ data, parentElement }) {
  const root = rootIn(parentElement, "pin-below");
  clear(root);
  for (const alert of data.alerts) {
    const word = { severe: "⚠ ", warning: "△ ", info: "i " }[alert.level] + data.words[alert.level];
    root.append(h("div", { class: "alert " + alert.level, role: "alert" }, h("span", { class: "mark" }, word), h("span", {}, alert.message)));
  }
  root.append(h("div", { class: "row small quiet" }, h("div", {}, data.notice), whereLine(data.writer, data.words)));
}
