// Small means to build the page from data. Data only ever becomes text: nothing here writes markup.

function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, children);
  return node;
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function clear(node) {
  while (node.firstChild) node.removeChild(node.firstChild);
}

// Offsets count Unicode code points; JavaScript strings count UTF-16 units.
function codePoints(text) {
  return Array.from(text || "");
}

// The theme arrives as custom properties; light or dark is read off the background.
function markTheme(host, inside) {
  const background = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const probe = document.createElement("span");
  probe.style.color = background || "#fff";
  document.body.append(probe);
  const [r, g, b] = (getComputedStyle(probe).color.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
  probe.remove();
  inside.dataset.theme = 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

// One root element in the component's own tree, the same one at every update.
function rootIn(parentElement, className) {
  let root = parentElement.querySelector("." + className);
  if (!root) {
    root = h("div", { class: className + " lp" });
    parentElement.append(root);
  }
  const host = parentElement.host || parentElement;
  markTheme(host, root);
  return root;
}
