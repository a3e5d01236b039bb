// Texts in the page's language: each component keeps its words in one object, in English, and the page's catalogue gives them by their English.

// What the catalogue lacks stays English.
function translateWords(into, english, translated) {
  for (const [name, text] of Object.entries(english)) {
    if (typeof text === "string") into[name] = translated[text] || text;
    else translateWords(into[name], text, translated);
  }
}

function fillWords(words, values) {
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function countWords(forms, n, more) {
  return fillWords(forms[n === 1 ? 0 : 1], { n, ...more });
}
