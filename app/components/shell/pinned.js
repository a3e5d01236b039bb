// The pinned line, which stays in sight: whose notes these are, the allergies, and how many alerts stand below it. A press leads to them.

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

// How many alerts of a level there are; nothing where there is none.
function countOf(alerts, severe, words, mark) {
  const n = alerts.filter((alert) => (alert.level === "severe") === severe).length;
  return n ? h("button", { type: "button", class: "alert-count" + (severe ? " severe" : ""), onclick: showAlerts }, h("span", { "aria-hidden": "true" }, mark), words.replace("{n}", n)) : null;
}

function showAlerts() {
  const place = document.querySelector(".st-key-pinned_alerts");
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "start" });
}

export default function ({ data, parentElement }) {
  guardLeaving();
  const root = rootIn(parentElement, "pin");
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", data.words.region);
  clear(root);
  root.append(h("div", { class: "who" }, data.label, data.person ? h("span", {}, data.person) : null),
    h("div", { class: "allergies", "data-status": data.allergies?.status }, allergyParts(data.allergies, data.words)),
    h("div", { class: "counts" }, countOf(data.alerts, true, data.words.n_severe, "⚠ "), countOf(data.alerts, false, data.words.n_to_look, "△ ")));
}
