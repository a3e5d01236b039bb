// The pinned line: whose draft this is, the allergies, what must not be missed, who writes, and on what knowledge.

function allergyParts(allergies) {
  if (!allergies) return [h("span", { class: "quiet small" }, "Allergies: known once the note has been read")];
  const parts = [h("span", { class: "head" + (allergies.status === "none_known" ? " none" : "") }, "ALLERGIES")];
  if (allergies.said) parts.push(h("strong", {}, allergies.said));
  for (const item of allergies.items) {
    const extra = [item.reaction, item.kind === "intolerance" ? "intolerance" : ""].filter(Boolean).join(", ");
    parts.push(
      h("span", { class: "item" + (item.checked ? "" : " unchecked") }, item.text, h("i", {}, extra ? ` (${extra})` : "",
        item.checked ? "" : ": not recognised, not checked")),
    );
  }
  return parts;
}

// Who writes, why, and where the text goes; a text that leaves this machine has a shape and a weight of its own.
function writerLine(writer) {
  const where = [writer.where, ...(writer.others || [])].filter(Boolean);
  return h("div", { class: "small quiet end writer" + (writer.leaves ? " leaves" : ""), title: writer.setting || null },
    `${writer.head || "Writer"}: `, h("strong", {}, writer.name), writer.reason ? ` (${writer.reason})` : "",
    where.map((words) => h("span", { class: "where" }, h("span", { "aria-hidden": "true" }, words.toLowerCase().includes("text goes to") ? "↗ " : "⌂ "), words)));
}

export default function ({ data, parentElement }) {
  guardLeaving();
  const root = rootIn(parentElement, "pin");
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", "Case and allergies");
  clear(root);
  const who = data.label
    ? h("div", { class: "who" }, data.label, data.person ? h("span", {}, data.person) : null)
    : h("div", { class: "who" }, "No case yet");
  const writer = writerLine(data.writer);
  root.append(h("div", { class: "row" }, who, data.stale
    ? h("span", { class: "small stale" }, "The note, or what else is known, was changed since this draft. Draft again.") : null, writer));
  const shown = data.label || data.allergies;
  root.append(h("div", { class: "row" }, shown ? h("div", { class: "allergies", "data-status": data.allergies?.status },
    allergyParts(data.allergies)) : null, h("div", { class: "small quiet" + (shown ? " end" : "") }, data.notice)));
  for (const alert of data.alerts) {
    const word = { severe: "⚠ Severe:", warning: "△ Warning:", info: "i Note:" }[alert.level];
    root.append(h("div", { class: "alert " + alert.level, role: "alert" }, h("span", { class: "mark" }, word), h("span", {}, alert.message)));
  }
  if (data.more_alerts) root.append(h("div", { class: "more small" },
    `⚠ and ${plural(data.more_alerts, "more severe flag")}, listed above the draft`));
}
