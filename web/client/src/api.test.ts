import assert from "node:assert/strict";
import { test } from "node:test";
import { OrielApi } from "./api";
import { FakeServer } from "./testing/fake_server";

const baseUrl = "http://oriel.test";

function called(call: (api: OrielApi) => Promise<unknown>, options = {}) {
  const server = new FakeServer();
  const inits: RequestInit[] = [];
  const fetch = ((url: string, init: RequestInit) => (inits.push(init), server.fetch(url, init))) as typeof globalThis.fetch;
  const result = call(new OrielApi({ baseUrl, fetch, ...options }));
  return { exchange: server.last, init: inits[0]!, result };
}

test("a call sends the token, the defined query parameters and a JSON body", async () => {
  const { exchange, result } = called((api) => api.events("a b", { since_index: 0, types: ["x", "y"], limit: undefined }), { token: "t" });
  assert.equal(exchange.url.href, "http://oriel.test/api/sessions/a%20b/events?since_index=0&types=x%2Cy");
  assert.equal(exchange.headers.get("Authorization"), "Bearer t");
  exchange.answer(200, { events: [] }, { "Content-Type": "application/json" });
  assert.deepEqual(await result, { events: [] });

  const sent = called((api) => api.message("s", "hello"));
  assert.equal(sent.init.method, "POST");
  assert.equal(sent.init.body, '{"message":"hello"}');
  assert.equal(sent.exchange.headers.get("Content-Type"), "application/json");
});

test("an error has the server's message and retry time", async () => {
  const { exchange, result } = called((api) => api.start());
  exchange.answer(429, { error: { code: "too_many", message: "all run", hint: "wait", data: { limit: 3 } } }, { "Retry-After": "5" });
  await assert.rejects(result, { name: "OrielError", status: 429, code: "too_many", message: "all run", hint: "wait", retryAfter: 5, data: { limit: 3 } });
});

test("an error of an intermediary has at least a status", async () => {
  const { exchange, result } = called((api) => api.health());
  exchange.answer(502, "<html>bad gateway");
  await assert.rejects(result, { name: "OrielError", status: 502, code: "unknown", message: "status 502" });
});

test("a failed connection, a timeout and a truncated response are errors", async () => {
  const unreachable = called((api) => api.health());
  unreachable.exchange.failToConnect();
  await assert.rejects(unreachable.result, { name: "OrielError", status: 0, code: "network" });

  const late = called((api) => api.health(), { timeout: 1 });
  await assert.rejects(late.result, { name: "OrielError", status: 0, code: "timeout" });

  const cut = called((api) => api.health());
  cut.exchange.open("application/json").send('{"status"').cut();
  await assert.rejects(cut.result, { name: "OrielError", status: 0, code: "network" });
});

test("a turn with files is sent as a form, and its files are read as bytes", async () => {
  const form = new FormData();
  form.append("session_id", "s");
  const sent = called((api) => api.addTurn(form));
  assert.equal(sent.init.body, form);
  assert.equal(sent.exchange.headers.get("Content-Type"), null);
  sent.exchange.answer(202, { files: [] }, { "Content-Type": "application/json" });
  assert.deepEqual(await sent.result, { files: [] });

  const read = called((api) => api.file("a b", "f/1"));
  assert.equal(read.exchange.url.pathname, "/api/sessions/a%20b/files/f%2F1");
  read.exchange.answer(200, "content", { "Content-Type": "text/plain" });
  assert.equal(await ((await read.result) as Blob).text(), "content");
});

test("an import is previewed, started and cancelled", () => {
  assert.equal(called((api) => api.previewImport({ days: 7 })).init.body, '{"days":7,"dry_run":true}');
  assert.equal(called((api) => api.startImport()).init.body, "{}");
  assert.equal(called((api) => api.cancelImport()).init.method, "DELETE");
});

test("paths of a workspace are found by what is typed", () => {
  const { exchange } = called((api) => api.paths("a b", { match: "src/@x" }));
  assert.equal(exchange.url.href, "http://oriel.test/api/sessions/a%20b/paths?match=src%2F%40x");
});

test("directories are completed by what is typed", () => {
  const { exchange } = called((api) => api.directories({ match: "~/src" }));
  assert.equal(exchange.url.href, "http://oriel.test/api/directories?match=%7E%2Fsrc");
});
