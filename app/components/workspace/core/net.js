// The way to the API, through the page's own server: one header marks it as the page's, and no other site can send it.

class ApiProblem extends Error {
  constructor(status, error) {
    super(errorWords(error.kind, error.message || W.no_answer));
    this.status = status;
    this.kind = error.kind || "";
    this.error = error;
    this.away = status === 0 || status === 502 || status === 503 || status === 504;
  }
}

function addressOf(path) {
  return new URL("leapnote/v1/" + path, document.baseURI);
}

async function ask(path, { method = "GET", body, raw, signal, type, accept } = {}) {
  const headers = { "X-Leapnote": "page" };
  if (accept) headers.Accept = accept;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (type) headers["Content-Type"] = type;
  let answer;
  try {
    answer = await fetch(addressOf(path), { method, headers, signal, credentials: "same-origin", cache: "no-store",
      body: raw !== undefined ? raw : body !== undefined ? JSON.stringify(body) : undefined });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiProblem(0, { message: W.no_answer });
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

async function problemOf(answer) {
  let found = {};
  try {
    found = await answer.json();
  } catch { /* an answer without a reason: its status is the reason */ }
  const error = found.error || { message: `${W.no_answer} (${answer.status})` };
  return new ApiProblem(answer.status, error.fields ? { ...error, message: refusedWords(error.fields) } : error);
}

// A field that the API refuses is named as the page calls it.
function refusedWords(fields) {
  return fields.map(({ path, message }) => (path.length ? `${fieldName(path)}: ${message}` : message)).join("; ");
}

async function askJson(path, options) {
  const answer = await ask(path, options);
  return answer.status === 204 ? null : answer.json();
}

// Server-sent events, read as they come; onEvent gets each event's JSON.
async function readEvents(path, body, onEvent, signal) {
  const answer = await ask(path, { method: "POST", body, signal, accept: "text/event-stream" });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let read;
    try {
      read = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ApiProblem(0, { message: W.broke_off });
    }
    if (read.done) break;
    rest += read.value.replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n");
      if (data) onEvent(JSON.parse(data));
    }
  }
}

// A file is fetched with the header and then handed to the browser, since a plain link could not carry it.
async function download(path) {
  const answer = await ask(path);
  const named = /filename="?([^";]+)"?/.exec(answer.headers.get("Content-Disposition") || "");
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = named ? named[1] : "letter";
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
