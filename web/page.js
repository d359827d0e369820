// The newest events of the stream, newest first; after a cut it goes on from the last id. Read with fetch, because
// EventSource shows named events only to those who know their names beforehand, and hides an error's status.
const kShown = 500;
const list = document.getElementById("events");
const state = document.getElementById("state");
const form = document.getElementById("filters");
const token = new URLSearchParams(location.hash.slice(1)).get("access_token");

let source;
let lastId = "";
let retry;

function say(text, kind) {
  state.textContent = text;
  state.className = kind;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function show(type, data, isNotice) {
  const time = new Date(data.timestamp ?? Date.now());
  const item = document.createElement("li");
  item.append(element("time", "", time.toLocaleTimeString()), element("span", "type", type));
  const where = [data.project_id, data.session_id].filter(Boolean).join(" / ");
  const what = data.text || (data.data === undefined ? "" : JSON.stringify(data.data));
  item.append(element("span", isNotice ? "what notice" : "what", [where, what].filter(Boolean).join("  ")));
  list.prepend(item);
  while (list.childElementCount > kShown) list.lastElementChild.remove();
  document.getElementById("empty").hidden = true;
}

async function watch() {
  clearTimeout(retry);
  source?.abort();
  source = new AbortController();
  const mine = source;
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
  if (lastId) query.set("last_event_id", lastId);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let wait = 2000;
  try {
    const answer = await fetch(`api/events?${query}`, { headers, signal: mine.signal, cache: "no-store" });
    if (!answer.ok) {
      const body = await answer.json().catch(() => ({}));
      wait = 1000 * (answer.headers.get("Retry-After") ?? 10);
      throw new Error(body.error?.message ?? `status ${answer.status}`);
    }
    say("live", "live");
    let rest = "";
    const text = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await text.read();
      if (done) break;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) take(block);
    }
    throw new Error("connection closed");
  } catch (error) {
    if (mine.signal.aborted) return;
    say(`${error.message}; trying again in ${wait / 1000} s`, "down");
    retry = setTimeout(watch, wait * (0.5 + Math.random()));
  }
}

function take(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  if (fields.id) lastId = fields.id;
  if (!fields.event) return;
  const data = JSON.parse(fields.data);
  if (fields.event === "hello" || fields.event === "bye") return;
  if (fields.event === "gap") {
    show("gap", { text: `${data.missed ?? "some"} events are no longer held` }, true);
  } else {
    show(fields.event, data, false);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  lastId = "";
  list.replaceChildren();
  watch();
});
watch();
