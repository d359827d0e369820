import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./testing/fake_platform";
import { FakeServer, frame } from "./testing/fake_server";
import { numbers, environment } from "./testing/watcher";
import type { ConnectionState, StreamOptions } from "./types";

// A stream with an open connection that starts after sequence `start`.
async function connected(options: StreamOptions = {}, start = 0, head = start) {
  const env = environment(new FakeServer());
  const watcher = env.watch(options);
  env.server.last.open().hello(start, head);
  await settle();
  return { ...env, watcher };
}

const phases = (states: ConnectionState[]) => states.map((state) => state.phase);

test("R-PAGE-1: the request has the filters, the cursor and the token, and the token is not in the URL", () => {
  const { server, watch } = environment(new FakeServer());
  watch({ types: ["b", "a"], projectIds: ["p"], sessionIds: ["s", "t"], after: "7-a", token: "oriel_x", baseUrl: "http://oriel.test/sub" });
  const { url, headers } = server.last;
  assert.equal(url.pathname, "/sub/api/events");
  assert.deepEqual(Object.fromEntries(url.searchParams), { types: "a,b", project_id: "p", session_id: "s,t", last_event_id: "7-a" });
  assert.equal(headers.get("Authorization"), "Bearer oriel_x");
});

test("without filters and cursor the request has no query", () => {
  const { server, watch } = environment(new FakeServer());
  watch({ types: [] });
  assert.equal(server.last.url.href, "http://oriel.test/api/events");
});

test("invalid options throw at once", () => {
  const { watch } = environment(new FakeServer());
  assert.throws(() => watch({ token: "two\nlines" }));
  assert.throws(() => watch({ baseUrl: "http://" }));
});

test("R-PAGE-1: after a cut it resumes after the last complete event and delivers each event once", async () => {
  const { server, clock, watcher } = await connected();
  server.last.event(1).send(frame(2).slice(0, -1));
  await settle();
  assert.deepEqual(watcher.sequences, [1]);
  assert.equal(watcher.stream.cursor, "1-a");
  server.last.cut();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "1-a");
  server.last.open().hello(1, 2).event(1).event(2);
  await settle();
  assert.deepEqual(watcher.sequences, [1, 2]);
  assert.equal(watcher.phase, "live");
});

test("R-PAGE-1: a stream that is cut before its first event resumes at the cursor of hello", async () => {
  const { server, clock, watcher } = await connected({}, 41);
  assert.equal(watcher.stream.cursor, "41-a");
  server.last.end();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "41-a");
});

test("events arrive in batches, with their names and sequences", async () => {
  const { server, watcher } = await connected();
  server.last.send(frame(1) + frame(2) + frame(3));
  await settle();
  assert.deepEqual(watcher.batches, [3]);
  assert.deepEqual(watcher.events[1], { index: 0, type: "note", text: "event 2", id: "2-a", sequence: 2, event: "note" });
});

test("a block with only an id moves the cursor", async () => {
  const { server, watcher } = await connected();
  server.last.send(": heartbeat\n\nid: 9-a\n\n");
  await settle();
  assert.equal(watcher.stream.cursor, "9-a");
  assert.deepEqual(watcher.events, []);
});

test("R-PAGE-1: consecutive failures increase the delay up to 30 s", async () => {
  const { browser, server, clock, watch } = environment(new FakeServer());
  browser.randomValue = 1;
  const watcher = watch();
  const delays = [];
  for (let round = 0; round < 7; ++round) {
    server.last.failToConnect();
    await settle();
    const { state } = watcher.stream;
    assert.ok(state.phase === "reconnecting");
    assert.equal(state.attempt, round + 1);
    assert.match(state.reason, /connection refused/);
    delays.push(state.at - clock.now);
    await clock.advance(state.at - clock.now - 1);
    assert.equal(server.exchanges.length, round + 1, "no attempt before the delay is over");
    await clock.advance(1);
    assert.equal(server.exchanges.length, round + 2);
  }
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("R-PAGE-1: events and heartbeats reset the backoff, a hello alone does not", async () => {
  const { server, clock, watcher } = await connected();
  const attemptAfter = async (text: string) => {
    server.last.send(text).cut();
    await settle();
    const { state } = watcher.stream;
    assert.ok(state.phase === "reconnecting");
    await clock.advance(2000);
    server.last.open().hello(0, 0);
    await settle();
    return state.attempt;
  };
  assert.equal(await attemptAfter(""), 1);
  assert.equal(await attemptAfter(""), 2);
  assert.equal(await attemptAfter(frame(1)), 1);
  assert.equal(await attemptAfter(""), 2);
  assert.equal(await attemptAfter(": heartbeat\n\n"), 1);
});

// The delay without jitter.
async function delayAfter(act: (server: FakeServer, now: number) => void) {
  const { browser, server, clock, watcher } = await connected();
  browser.randomValue = 0;
  act(server, clock.now);
  await settle();
  const { state } = watcher.stream;
  assert.ok(state.phase === "reconnecting");
  return { delay: state.at - clock.now, reason: state.reason };
}

test("R-PAGE-1: `retry` is the minimum delay after a cut", async () => {
  assert.equal((await delayAfter((server) => server.last.send("retry: 2500\n\n").end())).delay, 2500);
});

test("R-PAGE-1: `bye` has the reason and the minimum delay", async () => {
  const bye = 'retry: 2000\nevent: bye\ndata: {"reason":"shutdown","retry_ms":4000}\n\n';
  assert.deepEqual(await delayAfter((server) => server.last.send(bye)), { delay: 4000, reason: "the server closed the stream: shutdown" });
});

test("R-PAGE-1: a 503 is retried after its Retry-After, in seconds or as a date", async () => {
  const body = { error: { code: "too_many_clients", message: "too many clients", hint: "try again later" } };
  for (const header of ["7", "date"]) {
    const { browser, server, clock, watch } = environment(new FakeServer());
    browser.randomValue = 0;
    const watcher = watch();
    const value = header === "date" ? new Date(clock.now + 7000).toUTCString() : header;
    server.last.answer(503, body, { "Retry-After": value });
    await settle();
    const { state } = watcher.stream;
    assert.ok(state.phase === "reconnecting");
    assert.equal(state.reason, "too many clients");
    assert.equal(state.at - clock.now, 7000);
  }
});

test("R-PAGE-1: other errors of servers and proxies are retried", async () => {
  for (const status of [404, 408, 429, 500, 502, 504]) {
    const { server, clock, watch } = environment(new FakeServer());
    const watcher = watch();
    server.last.answer(status, "<html>");
    await settle();
    assert.equal(watcher.phase, "reconnecting", String(status));
    await clock.advance(1000);
    assert.equal(server.exchanges.length, 2);
  }
});

test("a response that is not an event stream is dropped and retried", async () => {
  const { server, clock, watch } = environment(new FakeServer());
  const watcher = watch();
  server.last.open("text/html").send("<html>please log in");
  await clock.advance(1000);
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
  assert.deepEqual(watcher.events, []);
});

test("R-PAGE-1: 400, 401 and 403 close the stream with the server's error until retryNow", async () => {
  for (const status of [400, 401, 403]) {
    const { server, clock, tab, watch } = environment(new FakeServer());
    const watcher = watch();
    server.last.answer(status, { error: { code: "no", message: "not you", hint: "make a token" } });
    await clock.advance(600_000);
    for (const wake of [...tab.online, ...tab.visible]) wake();
    await settle();
    assert.equal(server.exchanges.length, 1);
    assert.deepEqual(watcher.stream.state, { phase: "closed", reason: "not you", status, code: "no", hint: "make a token" });
    watcher.stream.retryNow();
    assert.equal(server.exchanges.length, 2);
    server.last.open().hello(0, 0);
    await settle();
    assert.equal(watcher.phase, "live");
  }
});

test("R-PAGE-1: a gap is reported between the events around it", async () => {
  const { server, watcher } = await connected();
  const received: unknown[] = [];
  watcher.stream.onEvents((events) => received.push(...events.map((event) => event.sequence)));
  watcher.stream.onGap((gap) => received.push(gap));
  server.last.send(`${frame(1)}event: gap\ndata: {"oldest":5,"head":9,"missed":3}\n\n${frame(5)}`);
  await settle();
  assert.deepEqual(received, [1, { oldest: 5, head: 9, missed: 3 }, 5]);
});

test("R-PAGE-1: it follows a journal that starts over", async () => {
  const { server, clock, watcher } = await connected({}, 50);
  server.last.cut();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "50-a");
  server.last.open().hello(0, 1, "b").send('event: gap\ndata: {"oldest":1,"head":1,"missed":null}\n\n').event(1, "b");
  await settle();
  assert.deepEqual(watcher.gaps, [{ oldest: 1, head: 1, missed: null }]);
  assert.deepEqual(watcher.sequences, [1]);
  assert.equal(watcher.stream.cursor, "1-b");
});

test("R-PAGE-1: heartbeats keep an idle connection, and missed ones end it", async () => {
  const { server, clock, watcher } = await connected();
  for (let beats = 0; beats < 5; ++beats) {
    await clock.advance(60_000);
    server.last.send(": heartbeat\n\n");
    await settle();
  }
  assert.equal(server.exchanges.length, 1);
  await clock.advance(64_000);
  assert.equal(watcher.phase, "live");
  await clock.advance(1000);
  assert.equal(watcher.phase, "reconnecting");
  assert.ok(server.last.signal.aborted);
  await clock.advance(1000);
  assert.equal(server.exchanges.length, 2);
});

test("R-PAGE-1: a request without a response times out", async () => {
  const { server, clock, watch } = environment(new FakeServer());
  watch();
  await clock.advance(21_000);
  assert.equal(server.exchanges.length, 2);
  server.last.open();
  await clock.advance(21_000);
  assert.equal(server.exchanges.length, 3);
});

test("R-PAGE-1: going online or becoming visible ends a wait at once", async () => {
  for (const kind of ["online", "visible"] as const) {
    const { server, tab, watcher } = await connected();
    server.last.cut();
    await settle();
    assert.equal(watcher.phase, "reconnecting");
    for (const wake of tab[kind]) wake();
    assert.equal(server.exchanges.length, 2);
  }
});

test("R-PAGE-1: a tab that becomes visible after a long sleep reconnects", async () => {
  const { server, clock, tab } = await connected();
  for (const wake of tab.visible) wake();
  assert.equal(server.exchanges.length, 1, "the connection is recent");
  clock.now += 65_000; // asleep: no timer has run
  for (const wake of tab.visible) wake();
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
});

test("R-PAGE-1: going online replaces the connection", async () => {
  const { server, tab } = await connected();
  for (const wake of tab.online) wake();
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
});

test("R-PAGE-1: it reports how many events remain, and when it is live", async () => {
  const { server, watcher } = await connected({ after: "10-a" }, 10, 13);
  assert.deepEqual(watcher.stream.state, { phase: "catching_up", remaining: 3 });
  server.last.event(11).event(12);
  await settle();
  assert.deepEqual(watcher.stream.state, { phase: "catching_up", remaining: 1 });
  server.last.event(13);
  await settle();
  assert.equal(watcher.phase, "live");
});

test("under a filter it is live after a second without events", async () => {
  const { server, clock, watcher } = await connected({ after: "10-a", types: ["x"] }, 10, 500);
  await clock.advance(900);
  server.last.event(11);
  await clock.advance(900);
  assert.equal(watcher.phase, "catching_up");
  await clock.advance(100);
  assert.equal(watcher.phase, "live");
  server.last.event(12);
  await settle();
  assert.equal(watcher.phase, "live");
});

test("the states are reported in order", async () => {
  const { server, clock, watcher } = await connected();
  server.last.cut();
  await clock.advance(1000);
  watcher.stream.close();
  assert.deepEqual(phases(watcher.states), ["live", "reconnecting", "connecting", "closed"]);
});

test("R-PAGE-1: close leaves nothing running in any state", async () => {
  const acts: ((env: Awaited<ReturnType<typeof connected>>) => Promise<void> | void)[] = [
    () => {},
    ({ server }) => server.last.cut(),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000)),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000).then(() => void server.last.open())),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000).then(() => server.last.answer(401, {}))),
  ];
  for (const act of acts) {
    const env = await connected({ after: "0-a" }, 0, 5);
    await act(env);
    await settle();
    env.watcher.stream.close();
    env.watcher.stream.close();
    await settle();
    const stateCount = env.watcher.states.length;
    const requestCount = env.server.exchanges.length;
    assert.equal(env.clock.timers.size, 0);
    assert.equal(env.tab.online.size + env.tab.visible.size, 0);
    assert.deepEqual(env.server.open, []);
    env.watcher.stream.retryNow();
    await env.clock.advance(600_000);
    assert.equal(env.server.exchanges.length, requestCount);
    assert.equal(env.watcher.states.length, stateCount);
    assert.deepEqual(env.watcher.stream.state, { phase: "closed" });
  }
});

test("R-PAGE-1: a listener may close the stream, and nothing is delivered after that", async () => {
  for (const last of [frame(2), `${frame(2)}event: bye\ndata: {"reason":"shutdown","retry_ms":1}\n\n`, `${frame(2)}data: {broken\n\n`]) {
    const { server, clock, watcher } = await connected();
    watcher.stream.onEvents(() => watcher.stream.close());
    server.last.send(frame(1) + last);
    await clock.advance(600_000);
    assert.deepEqual(watcher.sequences, [1, 2]);
    assert.equal(watcher.phase, "closed");
    assert.equal(clock.timers.size, 0);
    assert.equal(server.exchanges.length, 1);
  }
});

test("an exception of a listener affects neither the other listeners nor the stream", async (t) => {
  t.mock.method(console, "error", () => {});
  const { server, watcher } = await connected();
  watcher.stream.onEvents(() => { throw new Error("mine"); });
  const seen: number[] = [];
  const stop = watcher.stream.onEvents((events) => seen.push(events.length));
  server.last.event(1);
  await settle();
  stop();
  server.last.event(2);
  await settle();
  assert.deepEqual(seen, [1]);
  assert.deepEqual(watcher.sequences, [1, 2]);
});

test("R-PAGE-1: an unreadable event is requested again with the cursor before it", async () => {
  const { server, clock, watcher } = await connected();
  server.last.send(`${frame(1)}id: 2-a\ndata: {"cut\n\n${frame(3)}`);
  await clock.advance(1000);
  assert.deepEqual(watcher.sequences, [1]);
  assert.equal(server.last.cursor, "1-a");
});

test("an overlong event is reported as a gap, and later events are delivered", async () => {
  const { server, watcher } = await connected({ maxEventLength: 200 }, 0, 0);
  server.last.send(`${frame(1)}id: 2-a\ndata: "${"x".repeat(300)}"\n\n${frame(3)}`);
  await settle();
  assert.deepEqual(watcher.sequences, [1, 3]);
  assert.deepEqual(watcher.gaps, [{ missed: 1, oldest: 3, head: 2 }]);
});

test("events in chunks of any size are delivered in order", async () => {
  const { server, watcher } = await connected();
  const bytes = numbers(1, 500).map((sequence) => frame(sequence)).join("");
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 1013) server.last.send(bytes.slice(at, at + size));
  await settle();
  await settle();
  assert.deepEqual(watcher.sequences, numbers(1, 500));
});
