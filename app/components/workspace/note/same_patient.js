// Whether two texts are of one patient: what the lines over a note and its first words say of the person, and how many words they share.

const SHARED_WORDS = 0.75;
const HEAD_LINES = 20; // lines with words, from the top, among which the head of a note is
const AGE = /\b(\d{1,3})[ -]?(?:y\b|yo\b|y\/o|[fm]\b|years?\b)|\bage:?\s*(\d{1,3})\b/i;
const SEX = /\b\d{1,3}[ -]?(?:(?:y|yo|y\/o|years?)(?:[ -]?old)?[ -]*)?(f|m|female|male|woman|man|lady|gentleman|girl|boy)\b|\b(?:sex|gender)\s*[:=]?\s*(f|m|female|male)\b/i;
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
const FEMALE = /^(?:f|w|l|g(?!e))/i;

// An edit of the text before it, and not another patient's note; in doubt it is another's. details: what else is known of the one before.
function samePatient(before, now, details) {
  if (now.startsWith(before)) return true;
  if (unlikeIn({ ...details, ...personOf(before) }, personOf(now)).length) return false;
  if (changedIn(before, now).removed <= 1) return true;
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
  const [old, next] = [words(before), words(now)];
  if (!old.length || !next.length) return old.length === next.length;
  if (` ${next.join(" ")} `.includes(` ${old.join(" ")} `)) return true;
  const counted = new Map();
  for (const word of old) counted.set(word, (counted.get(word) || 0) + 1);
  let shared = 0;
  for (const word of next) {
    const left = counted.get(word) || 0;
    if (left) { shared += 1; counted.set(word, left - 1); }
  }
  return shared >= SHARED_WORDS * Math.max(old.length, next.length);
}

function isKeystroke(before, now) {
  const { removed, added } = changedIn(before, now);
  return removed <= 1 && added <= 1;
}

// How much of the text before is gone and how much stands in its place, between what both begin and end with.
function changedIn(before, now) {
  const shorter = Math.min(before.length, now.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === now[start]) start += 1;
  while (end < shorter - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return { removed: before.length - start - end, added: now.length - start - end };
}

// The fields in which two people are unlike, of those that are known of both.
function unlikeIn(here, other) {
  const alike = { patient_name: sameName, date_of_birth: (one, two) => dayCode(one) === dayCode(two), record_number: (one, two) => plainNumber(one) === plainNumber(two) };
  return ["age", "sex", "patient_name", "date_of_birth", "record_number"].filter((name) => here[name] && other[name] && !(alike[name] ? alike[name](here[name], other[name]) : here[name] === other[name]));
}

// What a text says of its patient.
function personOf(text) {
  const [age, sex] = [text.match(AGE), text.match(SEX)];
  return { ...labelled(text), ...(age ? { age: age[1] || age[2] } : {}), ...(sex ? { sex: FEMALE.test(sex[1] || sex[2]) ? "female" : "male" } : {}) };
}

// Name, number and day of birth behind their labels, as the API reads them.
function labelled(text) {
  const labels = Object.keys(W_DATA.head_labels).sort((a, b) => b.length - a.length).map((one) => one.replaceAll(".", "\\.").replaceAll(" ", "\\s"));
  const label = new RegExp(`(?:^|[\\s|;,])(${labels.join("|")})\\.?\\s?(?:[:#=]+|(?=\\s?[A-Z]*\\d))\\s*`, "gi");
  const found = {};
  for (const line of lines(text).slice(0, HEAD_LINES)) {
    const places = [...line.matchAll(label)];
    places.forEach((place, at) => {
      const [value] = line.slice(place.index + place[0].length, places[at + 1]?.index).trim().split(/\s{2,}|[\t|;]/);
      const field = W_DATA.head_labels[plainSpaces(place[1].toLowerCase())];
      if (STATED[field]?.(value)) found[field] ??= value;
    });
  }
  return found;
}

const STATED = {
  patient_name: (value) => value.split(/[\s,]+/).every((word) => /^\p{Lu}[\p{L}'’.-]*$|^\p{L}{2,3}$/u.test(word)) && nameWords(value).length > 1,
  date_of_birth: (value) => Boolean(dayCode(value)), record_number: (value) => /\d{3}/.test(plainNumber(value)),
};

function nameWords(name) {
  return name.toLowerCase().match(/\p{L}{2,}/gu) || [];
}

// "BYRON, ADA" is "Ada K. Byron": each word of the shorter name stands in the other.
function sameName(one, other) {
  const [shorter, longer] = [nameWords(one), nameWords(other)].sort((a, b) => a.length - b.length);
  return shorter.every((word) => longer.includes(word));
}

// A day however it is written: its three numbers; nothing where there are not three.
function dayCode(day) {
  const numbers = day.slice(0, 20).toLowerCase().replace(/\p{L}{3,}/gu, (word) => (MONTHS.indexOf(word.slice(0, 3)) + 3) / 3).match(/\d+/g) || [];
  return numbers.length === 3 ? numbers.map((one) => one % 100).sort((a, b) => a - b).join("-") : "";
}

function plainNumber(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
