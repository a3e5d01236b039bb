// The outbox: what was answered and is not acknowledged yet. It is stored for the tab, so that neither a reload nor a server
// that dies loses it, and it is sent whole, in order, until each entry has its acknowledgement.

const FIRST_RETRY_MS = 4000;
const LONGEST_RETRY_MS = 30000;

function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // plain http on a hospital's network has no randomUUID
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function newOutbox() {
  const asked = new URLSearchParams(window.location.search);
  const token = asked.get("token") || asked.get("link") || "";
  const name = "rating-outbox-" + token.slice(0, 16);
  let entries = [];
  try {
    entries = JSON.parse(window.sessionStorage.getItem(name) || "[]");
  } catch { /* storage may be forbidden: then the outbox lives as long as the page */ }
  const box = { entries, sentAt: -Infinity, waits: FIRST_RETRY_MS, failing: false };
  box.store = () => {
    try {
      window.sessionStorage.setItem(name, JSON.stringify(box.entries));
    } catch { /* as above */ }
  };
  box.add = (entry) => {
    box.entries.push(entry);
    box.store();
  };
  // what came back; returns the entries that have their acknowledgement
  box.acknowledge = (acks) => {
    const ended = [];
    box.failing = false;
    box.entries = box.entries.filter((entry) => {
      const ack = acks[entry.id];
      if (!ack) return true;
      if (!ack.final) {
        box.failing = true;
        return true;
      }
      ended.push({ entry, ack });
      return false;
    });
    box.waits = box.failing ? Math.min(box.waits * 1.5, LONGEST_RETRY_MS) : FIRST_RETRY_MS;
    box.store();
    return ended;
  };
  box.due = () => box.entries.length > 0 && performance.now() - box.sentAt > box.waits;
  return box;
}

// How long the page was visible since it was last asked, by the browser's steady clock.
function newWatch() {
  let seen = 0;
  let since = document.hidden ? null : performance.now();
  const count = () => {
    if (document.hidden && since !== null) {
      seen += performance.now() - since;
      since = null;
    } else if (!document.hidden && since === null) since = performance.now();
  };
  document.addEventListener("visibilitychange", count);
  return {
    take() {
      const now = performance.now();
      const whole = seen + (since === null ? 0 : now - since);
      seen = 0;
      if (since !== null) since = now;
      return Math.min(Math.round(whole), 86400000);
    },
    end: () => document.removeEventListener("visibilitychange", count),
  };
}
