// The pinned line: whose draft this is, the allergies, what must not be missed, who writes, and on what knowledge.

function allergyParts(allergies, words) {
  if (!allergies) return [h("span", { class: "quiet small" }, words.reading)];
  const parts = [h("span", { class: "head" + (allergies.status === "none_known" ? " none" : "") }, words.allergies)];
  if (allergies.said) parts.push(h("strong", {}, allergies.said));
  for (const item of allergies.items) {
    const extra = [item.reaction, item.kind === "intolerance" ? words.intolerance : ""].filter(Boolean).join(", ");
    parts.push(
      h("span", { class: "item" + (item.checked ? "" : " unchecked") }, item.text, h("i", {}, extra ? ` (${extra})` : "",
        item.checked ? "" : `: ${words.unchecked}`)),
    );
  }
  return parts;
}

// Where the text goes; a text that leaves this computer has a shape and a weight of its own.
function whereLine(writer, words) {
  if (!writer.leaves && !writer.where) return null; // not known while the service does not answer
  const goes = [writer.where, ...(writer.others || [])].map((said) => /goes to (.*)/.exec(said)?.[1]).filter(Boolean);
  const where = writer.leaves ? words.goes.replace("{where}", [...new Set(goes)].join(", ")) : words.stays;
  return h("div", { class: "small quiet end writer" + (writer.leaves ? " leaves" : "") },
    h("span", { "aria-hidden": "true" }, writer.leaves ? "↗ " : "⌂ "), where);
}

export default function ({ data, parentElement }) {
  guardLeaving();
  const root = rootIn(parentElement, "pin");
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", data.words.region);
  clear(root);
  const who = h("div", { class: "who" }, data.label, data.person ? h("span", {}, data.person) : null);
  root.append(h("div", { class: "row" }, who, whereLine(data.writer, data.words)));
  const shown = data.label || data.allergies;
  root.append(h("div", { class: "row" }, shown ? h("div", { class: "allergies", "data-status": data.allergies?.status },
    allergyParts(data.allergies, data.words)) : null, h("div", { class: "small quiet" + (shown ? " end" : "") }, data.notice)));
  for (const alert of data.alerts) {
    const word = { severe: "⚠ ", warning: "△ ", info: "i " }[alert.level] + data.words[alert.level];
    root.append(h("div", { class: "alert " + alert.level, role: "alert" }, h("span", { class: "mark" }, word), h("span", {}, alert.message)));
  }
}
