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

test("a call has the token, its query without what is undefined, and its body as JSON", async () => {
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

test("an error tells what the server said, and when to come back", async () => {
  const { exchange, result } = called((api) => api.start());
  exchange.answer(429, { error: { code: "too_many", message: "all run", hint: "wait", data: { limit: 3 } } }, { "Retry-After": "5" });
  await assert.rejects(result, { name: "OrielError", status: 429, code: "too_many", message: "all run", hint: "wait", retryAfter: 5, data: { limit: 3 } });
});

test("an error of somebody between has at least its status", async () => {
  const { exchange, result } = called((api) => api.health());
  exchange.answer(502, "<html>bad gateway");
  await assert.rejects(result, { name: "OrielError", status: 502, code: "unknown", message: "status 502" });
});

test("no answer is an error too: none at all, none in time, and one that is cut", async () => {
  const away = called((api) => api.health());
  away.exchange.refuse();
  await assert.rejects(away.result, { name: "OrielError", status: 0, code: "network" });

  const late = called((api) => api.health(), { timeout: 1 });
  await assert.rejects(late.result, { name: "OrielError", status: 0, code: "timeout" });

  const cut = called((api) => api.health());
  cut.exchange.open("application/json").send('{"status"').cut();
  await assert.rejects(cut.result, { name: "OrielError", status: 0, code: "network" });
});
