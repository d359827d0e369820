import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./testing/fake_platform";
import { FakeServer, frame } from "./testing/fake_server";
import { numbers, surroundings } from "./testing/watched";
import type { ConnectionState, StreamOptions } from "./types";

// A stream with a connection that has been greeted at `start`.
async function connected(options: StreamOptions = {}, start = 0, head = start) {
  const world = surroundings(new FakeServer());
  const watched = world.watch(options);
  world.server.last.open().hello(start, head);
  await settle();
  return { ...world, watched };
}

const phases = (states: ConnectionState[]) => states.map((state) => state.phase);

test("R-PAGE-1: the request has the filters, the cursor and the token, the last not in the address", () => {
  const { server, watch } = surroundings(new FakeServer());
  watch({ types: ["b", "a"], projectIds: ["p"], sessionIds: ["s", "t"], after: "7-a", token: "oriel_x", baseUrl: "http://oriel.test/sub" });
  const { url, headers } = server.last;
  assert.equal(url.pathname, "/sub/api/events");
  assert.deepEqual(Object.fromEntries(url.searchParams), { types: "a,b", project_id: "p", session_id: "s,t", last_event_id: "7-a" });
  assert.equal(headers.get("Authorization"), "Bearer oriel_x");
});

test("without filters and cursor nothing is asked for", () => {
  const { server, watch } = surroundings(new FakeServer());
  watch({ types: [] });
  assert.equal(server.last.url.href, "http://oriel.test/api/events");
});

test("options that cannot be meant are told at once", () => {
  const { watch } = surroundings(new FakeServer());
  assert.throws(() => watch({ token: "two\nlines" }));
  assert.throws(() => watch({ baseUrl: "http://" }));
});

test("R-PAGE-1: after a cut it asks for what follows the last whole event, and delivers each once", async () => {
  const { server, clock, watched } = await connected();
  server.last.event(1).send(frame(2).slice(0, -1));
  await settle();
  assert.deepEqual(watched.sequences, [1]);
  assert.equal(watched.stream.cursor, "1-a");
  server.last.cut();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "1-a");
  server.last.open().hello(1, 2).event(1).event(2);
  await settle();
  assert.deepEqual(watched.sequences, [1, 2]);
  assert.equal(watched.phase, "live");
});

test("R-PAGE-1: who is cut before the first event goes on from where hello said", async () => {
  const { server, clock, watched } = await connected({}, 41);
  assert.equal(watched.stream.cursor, "41-a");
  server.last.end();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "41-a");
});

test("events come in batches as they arrived, with their names and numbers", async () => {
  const { server, watched } = await connected();
  server.last.send(frame(1) + frame(2) + frame(3));
  await settle();
  assert.deepEqual(watched.batches, [3]);
  assert.deepEqual(watched.events[1], { index: 0, type: "note", text: "event 2", id: "2-a", sequence: 2, event: "note" });
});

test("a block with only an id moves the cursor", async () => {
  const { server, watched } = await connected();
  server.last.send(": heartbeat\n\nid: 9-a\n\n");
  await settle();
  assert.equal(watched.stream.cursor, "9-a");
  assert.deepEqual(watched.events, []);
});

test("R-PAGE-1: failures in a row are met with longer and longer waits, 30 s at most", async () => {
  const { browser, server, clock, watch } = surroundings(new FakeServer());
  browser.chance = 1;
  const watched = watch();
  const waits = [];
  for (let round = 0; round < 7; ++round) {
    server.last.refuse();
    await settle();
    const { state } = watched.stream;
    assert.ok(state.phase === "reconnecting");
    assert.equal(state.attempt, round + 1);
    assert.match(state.reason, /nobody is there/);
    waits.push(state.at - clock.now);
    await clock.advance(state.at - clock.now - 1);
    assert.equal(server.exchanges.length, round + 1, "not before its time");
    await clock.advance(1);
    assert.equal(server.exchanges.length, round + 2);
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("R-PAGE-1: the backoff is reset once events flow, and not by a hello alone", async () => {
  const { server, clock, watched } = await connected();
  const attemptAfter = async (said: string) => {
    server.last.send(said).cut();
    await settle();
    const { state } = watched.stream;
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

// How long it waits, with the least of jitter.
async function waitAfter(act: (server: FakeServer, now: number) => void) {
  const { browser, server, clock, watched } = await connected();
  browser.chance = 0;
  act(server, clock.now);
  await settle();
  const { state } = watched.stream;
  assert.ok(state.phase === "reconnecting");
  return { wait: state.at - clock.now, reason: state.reason };
}

test("R-PAGE-1: `retry` is the least wait after a cut", async () => {
  assert.equal((await waitAfter((server) => server.last.send("retry: 2500\n\n").end())).wait, 2500);
});

test("R-PAGE-1: `bye` says why and for how long", async () => {
  const bye = 'retry: 2000\nevent: bye\ndata: {"reason":"shutdown","retry_ms":4000}\n\n';
  assert.deepEqual(await waitAfter((server) => server.last.send(bye)), { wait: 4000, reason: "the server said goodbye: shutdown" });
});

test("R-PAGE-1: a 503 is tried again after its Retry-After, in seconds or as a date", async () => {
  const body = { error: { code: "too_many_clients", message: "all 100 places are taken", hint: "come back" } };
  for (const header of ["7", "date"]) {
    const { browser, server, clock, watch } = surroundings(new FakeServer());
    browser.chance = 0;
    const watched = watch();
    const value = header === "date" ? new Date(clock.now + 7000).toUTCString() : header;
    server.last.answer(503, body, { "Retry-After": value });
    await settle();
    const { state } = watched.stream;
    assert.ok(state.phase === "reconnecting");
    assert.equal(state.reason, "all 100 places are taken");
    assert.equal(state.at - clock.now, 7000);
  }
});

test("R-PAGE-1: other failures of servers and proxies are tried again", async () => {
  for (const status of [404, 408, 429, 500, 502, 504]) {
    const { server, clock, watch } = surroundings(new FakeServer());
    const watched = watch();
    server.last.answer(status, "<html>");
    await settle();
    assert.equal(watched.phase, "reconnecting", String(status));
    await clock.advance(1000);
    assert.equal(server.exchanges.length, 2);
  }
});

test("an answer that is no stream of events is tried again, not believed", async () => {
  const { server, clock, watch } = surroundings(new FakeServer());
  const watched = watch();
  server.last.open("text/html").send("<html>please log in");
  await clock.advance(1000);
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
  assert.deepEqual(watched.events, []);
});

test("R-PAGE-1: 400, 401 and 403 close the stream with the server's words, until somebody says retryNow", async () => {
  for (const status of [400, 401, 403]) {
    const { server, clock, tab, watch } = surroundings(new FakeServer());
    const watched = watch();
    server.last.answer(status, { error: { code: "no", message: "not you", hint: "make a token" } });
    await clock.advance(600_000);
    for (const wake of [...tab.online, ...tab.visible]) wake();
    await settle();
    assert.equal(server.exchanges.length, 1);
    assert.deepEqual(watched.stream.state, { phase: "closed", reason: "not you", status, code: "no", hint: "make a token" });
    watched.stream.retryNow();
    assert.equal(server.exchanges.length, 2);
    server.last.open().hello(0, 0);
    await settle();
    assert.equal(watched.phase, "live");
  }
});

test("R-PAGE-1: a gap is told in its place", async () => {
  const { server, watched } = await connected();
  const told: unknown[] = [];
  watched.stream.onEvents((events) => told.push(...events.map((event) => event.sequence)));
  watched.stream.onGap((gap) => told.push(gap));
  server.last.send(`${frame(1)}event: gap\ndata: {"oldest":5,"head":9,"missed":3}\n\n${frame(5)}`);
  await settle();
  assert.deepEqual(told, [1, { oldest: 5, head: 9, missed: 3 }, 5]);
});

test("R-PAGE-1: numbers that begin anew are followed", async () => {
  const { server, clock, watched } = await connected({}, 50);
  server.last.cut();
  await clock.advance(1000);
  assert.equal(server.last.cursor, "50-a");
  server.last.open().hello(0, 1, "b").send('event: gap\ndata: {"oldest":1,"head":1,"missed":null}\n\n').event(1, "b");
  await settle();
  assert.deepEqual(watched.gaps, [{ oldest: 1, head: 1, missed: null }]);
  assert.deepEqual(watched.sequences, [1]);
  assert.equal(watched.stream.cursor, "1-b");
});

test("R-PAGE-1: missed heartbeats show a dead connection, heartbeats keep a quiet one", async () => {
  const { server, clock, watched } = await connected();
  for (let beats = 0; beats < 5; ++beats) {
    await clock.advance(60_000);
    server.last.send(": heartbeat\n\n");
    await settle();
  }
  assert.equal(server.exchanges.length, 1);
  await clock.advance(64_000);
  assert.equal(watched.phase, "live");
  await clock.advance(1000);
  assert.equal(watched.phase, "reconnecting");
  assert.ok(server.last.signal.aborted);
  await clock.advance(1000);
  assert.equal(server.exchanges.length, 2);
});

test("R-PAGE-1: a server that takes the request and never answers is given up", async () => {
  const { server, clock, watch } = surroundings(new FakeServer());
  watch();
  await clock.advance(21_000);
  assert.equal(server.exchanges.length, 2);
  server.last.open();
  await clock.advance(21_000);
  assert.equal(server.exchanges.length, 3);
});

test("R-PAGE-1: going online and becoming visible end a wait at once", async () => {
  for (const kind of ["online", "visible"] as const) {
    const { server, tab, watched } = await connected();
    server.last.cut();
    await settle();
    assert.equal(watched.phase, "reconnecting");
    for (const wake of tab[kind]) wake();
    assert.equal(server.exchanges.length, 2);
  }
});

test("R-PAGE-1: who becomes visible after a sleep does not trust its old connection", async () => {
  const { server, clock, tab } = await connected();
  for (const wake of tab.visible) wake();
  assert.equal(server.exchanges.length, 1, "it is young");
  clock.now += 65_000; // asleep: no timer has run
  for (const wake of tab.visible) wake();
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
});

test("R-PAGE-1: after having been offline the connection is a new one", async () => {
  const { server, tab } = await connected();
  for (const wake of tab.online) wake();
  assert.equal(server.exchanges.length, 2);
  assert.ok(server.exchanges[0]!.signal.aborted);
});

test("R-PAGE-1: it says how much is to be caught up, and when it is live", async () => {
  const { server, watched } = await connected({ after: "10-a" }, 10, 13);
  assert.deepEqual(watched.stream.state, { phase: "catching_up", remaining: 3 });
  server.last.event(11).event(12);
  await settle();
  assert.deepEqual(watched.stream.state, { phase: "catching_up", remaining: 1 });
  server.last.event(13);
  await settle();
  assert.equal(watched.phase, "live");
});

test("under a filter the newest event may not come: then silence says that it is live", async () => {
  const { server, clock, watched } = await connected({ after: "10-a", types: ["x"] }, 10, 500);
  await clock.advance(900);
  server.last.event(11);
  await clock.advance(900);
  assert.equal(watched.phase, "catching_up");
  await clock.advance(100);
  assert.equal(watched.phase, "live");
  server.last.event(12);
  await settle();
  assert.equal(watched.phase, "live");
});

test("the states are told in order", async () => {
  const { server, clock, watched } = await connected();
  server.last.cut();
  await clock.advance(1000);
  watched.stream.close();
  assert.deepEqual(phases(watched.states), ["live", "reconnecting", "connecting", "closed"]);
});

test("R-PAGE-1: close leaves nothing running, whatever it was at", async () => {
  const acts: ((world: Awaited<ReturnType<typeof connected>>) => Promise<void> | void)[] = [
    () => {},
    ({ server }) => server.last.cut(),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000)),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000).then(() => void server.last.open())),
    ({ server, clock }) => (server.last.cut(), clock.advance(1000).then(() => server.last.answer(401, {}))),
  ];
  for (const act of acts) {
    const world = await connected({ after: "0-a" }, 0, 5);
    await act(world);
    await settle();
    world.watched.stream.close();
    world.watched.stream.close();
    await settle();
    const told = world.watched.states.length;
    const asked = world.server.exchanges.length;
    assert.equal(world.clock.timers.size, 0);
    assert.equal(world.tab.online.size + world.tab.visible.size, 0);
    assert.deepEqual(world.server.open, []);
    world.watched.stream.retryNow();
    await world.clock.advance(600_000);
    assert.equal(world.server.exchanges.length, asked);
    assert.equal(world.watched.states.length, told);
    assert.deepEqual(world.watched.stream.state, { phase: "closed" });
  }
});

test("R-PAGE-1: a listener may close the stream, and nothing comes after that", async () => {
  for (const last of [frame(2), `${frame(2)}event: bye\ndata: {"reason":"shutdown","retry_ms":1}\n\n`, `${frame(2)}data: {broken\n\n`]) {
    const { server, clock, watched } = await connected();
    watched.stream.onEvents(() => watched.stream.close());
    server.last.send(frame(1) + last);
    await clock.advance(600_000);
    assert.deepEqual(watched.sequences, [1, 2]);
    assert.equal(watched.phase, "closed");
    assert.equal(clock.timers.size, 0);
    assert.equal(server.exchanges.length, 1);
  }
});

test("a listener that fails harms neither the others nor the stream", async (t) => {
  t.mock.method(console, "error", () => {});
  const { server, watched } = await connected();
  watched.stream.onEvents(() => { throw new Error("mine"); });
  const seen: number[] = [];
  const stop = watched.stream.onEvents((events) => seen.push(events.length));
  server.last.event(1);
  await settle();
  stop();
  server.last.event(2);
  await settle();
  assert.deepEqual(seen, [1]);
  assert.deepEqual(watched.sequences, [1, 2]);
});

test("R-PAGE-1: an event that cannot be read is asked for again, with the place before it", async () => {
  const { server, clock, watched } = await connected();
  server.last.send(`${frame(1)}id: 2-a\ndata: {"cut\n\n${frame(3)}`);
  await clock.advance(1000);
  assert.deepEqual(watched.sequences, [1]);
  assert.equal(server.last.cursor, "1-a");
});

test("an event that is too long is told as a gap, and the next ones come", async () => {
  const { server, watched } = await connected({ maxEventLength: 200 }, 0, 0);
  server.last.send(`${frame(1)}id: 2-a\ndata: "${"x".repeat(300)}"\n\n${frame(3)}`);
  await settle();
  assert.deepEqual(watched.sequences, [1, 3]);
  assert.deepEqual(watched.gaps, [{ missed: 1, oldest: 3, head: 2 }]);
});

test("many events are delivered in order, however they are cut into chunks", async () => {
  const { server, watched } = await connected();
  const bytes = numbers(1, 500).map((sequence) => frame(sequence)).join("");
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 1013) server.last.send(bytes.slice(at, at + size));
  await settle();
  await settle();
  assert.deepEqual(watched.sequences, numbers(1, 500));
});
