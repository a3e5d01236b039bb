// A description of what is to be seen, and the least change that makes the page equal to it. Data only ever becomes text.

function v(tag, props, ...kids) {
  const given = props || {};
  return { tag, props: given, key: given.key, kids: kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false && kid !== "") };
}

// A part that is described anew only when one of the values it is made of, or the page's language, is another one.
function lazy(key, made_of, describe) {
  return { lazy: describe, made_of: [W_DATA.language, ...made_of], key };
}

const SVG_SPACE = "http://www.w3.org/2000/svg";
const described = new WeakMap();

// Make node's children equal to the descriptions, keeping what has the same key (or, without one, the same place and tag).
function patchKids(node, kids, space) {
  const keyed = new Map();
  for (const child of node.childNodes) {
    const before = described.get(child);
    if (before && before.key !== undefined) keyed.set(before.key, child);
  }
  const kept = new Set(kids.map((kid) => kid.key).filter((key) => key !== undefined));
  let at = node.firstChild;
  for (const kid of kids) {
    at = withoutGone(node, at, kept);
    const wanted = typeof kid === "object" ? kid : String(kid);
    let found = null;
    if (typeof wanted === "object" && wanted.key !== undefined) found = keyed.get(wanted.key) || null;
    else if (at && fits(at, wanted)) found = at;
    if (found && !fits(found, wanted)) found = null;
    if (!found) {
      node.insertBefore(make(wanted, space), at);
      continue;
    }
    if (found !== at) node.insertBefore(found, at);
    else at = at.nextSibling;
    patchOne(found, wanted, space);
  }
  while (at) {
    const next = at.nextSibling;
    node.removeChild(at);
    at = next;
  }
}

// What is no longer wanted goes first, so that what stays need not move: a moved field would lose the focus.
function withoutGone(node, at, kept) {
  while (at) {
    const key = described.get(at)?.key;
    if (key === undefined || kept.has(key)) return at;
    const next = at.nextSibling;
    node.removeChild(at);
    at = next;
  }
  return at;
}

function fits(node, wanted) {
  if (typeof wanted === "string") return node.nodeType === Node.TEXT_NODE;
  const before = described.get(node);
  if (!before || before.key !== wanted.key) return false;
  return wanted.lazy ? Boolean(before.made_of) : before.tag === wanted.tag && !before.made_of;
}

function make(wanted, space) {
  if (typeof wanted === "string") return document.createTextNode(wanted);
  if (wanted.lazy) {
    const inside = wanted.lazy();
    const node = make({ ...inside, key: wanted.key }, space);
    described.get(node).made_of = wanted.made_of;
    return node;
  }
  const inner = wanted.tag === "svg" ? SVG_SPACE : space;
  const node = inner ? document.createElementNS(inner, wanted.tag) : document.createElement(wanted.tag);
  described.set(node, { tag: wanted.tag, key: wanted.key, props: {} });
  setProps(node, {}, wanted.props);
  patchKids(node, wanted.kids, inner);
  setValue(node, wanted.props);
  if (wanted.props.made) wanted.props.made(node);
  return node;
}

function patchOne(node, wanted, space) {
  if (typeof wanted === "string") {
    if (node.data !== wanted) node.data = wanted;
    return;
  }
  const before = described.get(node);
  if (wanted.lazy) {
    if (before.made_of.length === wanted.made_of.length && before.made_of.every((one, i) => one === wanted.made_of[i])) return;
    const inside = wanted.lazy();
    before.made_of = wanted.made_of;
    update(node, before, { ...inside, key: wanted.key }, space);
    return;
  }
  update(node, before, wanted, space);
}

function update(node, before, wanted, space) {
  const inner = wanted.tag === "svg" ? SVG_SPACE : space;
  const had = before.props;
  setProps(node, had, wanted.props);
  if (!wanted.props.foreign) patchKids(node, wanted.kids, inner);
  setValue(node, wanted.props);
}

const NOT_ATTRIBUTES = new Set(["key", "made", "foreign", "value", "checked"]);

function setProps(node, had, props) {
  const known = described.get(node);
  for (const name of Object.keys(had)) if (!(name in props) && !NOT_ATTRIBUTES.has(name)) unset(node, known, name);
  for (const [name, value] of Object.entries(props)) {
    if (NOT_ATTRIBUTES.has(name) || had[name] === value) continue;
    if (name.startsWith("on")) listen(node, known, name.slice(2), value);
    else if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  known.props = props;
}

// What a person is typing stays: a field that shows other words than the model gave it keeps them.
function setValue(node, props) {
  const known = described.get(node);
  if ("value" in props) {
    if (node.value === props.value) Object.assign(known, { given: props.value, shown: node.value });
    else if (!("given" in known) || (node.value === known.shown && props.value !== known.given)) give(node, props.value);
  }
  if ("checked" in props && node.checked !== props.checked) node.checked = props.checked;
}

// given: the model's value; shown: what the field makes of it.
function give(node, value) {
  node.value = value;
  Object.assign(described.get(node), { given: value, shown: node.value });
}

// The field as the model has it, whatever was typed.
function showGiven(node) {
  const known = described.get(node);
  if (known && "value" in known.props) give(node, known.props.value);
}

// What was typed into the letter's fields and was not taken: each shows again what the model has. A gap and the field that a person
// is in hold words that no model has yet.
function showModelled(root) {
  for (const node of root?.querySelectorAll("input, textarea, select") || []) {
    const known = described.get(node);
    if (known && "value" in known.props && !node.closest("dialog") && !node.matches(".gap") && root.getRootNode().activeElement !== node && node.value !== known.props.value) showGiven(node);
  }
}

function unset(node, known, name) {
  if (name.startsWith("on")) listen(node, known, name.slice(2), null);
  else node.removeAttribute(name);
}

// One listener a kind of event; what it calls is looked up when the event comes. A field that was taken away was not left.
function listen(node, known, kind, call) {
  known.calls = known.calls || {};
  const heard = (event) => known.calls[kind] && known.calls[kind](event);
  const whenLeft = ({ relatedTarget }) => drawing || queueMicrotask(() => node.isConnected && heard({ target: node, relatedTarget }));
  if (!(kind in known.calls)) node.addEventListener(kind, kind === "blur" ? whenLeft : heard);
  known.calls[kind] = call;
}

function icon(name, more) {
  return v("span", { class: "icon" + (more ? " " + more : ""), "aria-hidden": "true" }, name);
}
