// Every text that is seen, with less contrast to what lies under it than WCAG 2 asks (4.5, large text 3): ratio, words, colours.
() => {
  const parsed = (colour) => {
    const numbers = (colour.match(/[\d.]+/g) || []).map(Number);
    if (numbers.length < 3) return null;
    const scale = colour.startsWith("color(srgb") ? 255 : 1;
    return [...numbers.slice(0, 3).map((n) => n * scale), numbers.length > 3 ? numbers[3] : 1];
  };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3]));
  const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const up = (e) => e.assignedSlot || e.parentElement || e.getRootNode().host || null;
  const above = (e) => (e ? [e, ...above(up(e))] : []);
  const under = (e) => above(e).reverse().map((x) => parsed(getComputedStyle(x).backgroundColor)).filter((c) => c && c[3] > 0)
    .reduce((below, c) => over(c, below), [255, 255, 255]);
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  return all(document).flatMap((e) => {
    const words = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join(" ").trim();
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    if (!words || box.width < 2 || box.height < 2 || style.visibility === "hidden" || e.namespaceURI.endsWith("svg")
      || ["STYLE", "SCRIPT"].includes(e.tagName) || e.closest("[disabled], [aria-disabled=true]")) return [];
    const ground = under(e);
    const ink = parsed(style.color);
    const seen = above(e).reduce((share, x) => share * Number(getComputedStyle(x).opacity), ink[3]);
    const [a, b] = [light(over([...ink.slice(0, 3), seen], ground)), light(ground)].sort((x, y) => y - x);
    const drawn = e.getAttribute("aria-hidden") === "true" && style.fontFamily.includes("Material Symbols"); // a picture: WCAG 1.4.11 asks 3
    const large = drawn || parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    return ratio < (large ? 3 : 4.5) ? [`${ratio.toFixed(2)} ${words.slice(0, 40)}: ${style.color} on ${ground.map(Math.round)}`] : [];
  });
}
