import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeBrowser, settle } from "./testing/fake_platform";
import { FakeOriel, FakeServer } from "./testing/fake_server";
import { numbers, Watcher } from "./testing/watcher";
import type { StreamOptions } from "./types";

function environment<T extends FakeServer = FakeOriel>(server: T = new FakeOriel() as unknown as T) {
  const browser = new FakeBrowser();
  const open = async (options: StreamOptions = {}) => {
    const tab = browser.tab();
    const watcher = new Watcher(tab, server, { shared: true, ...options });
    await settle();
    return Object.assign(watcher, { tab });
  };
  return { browser, clock: browser.clock, server, open };
}

test("R-PAGE-1: all tabs of a browser share one connection, and each receives every event once and in order", async () => {
  const { server, open } = environment();
  const tabs = [await open(), await open(), await open()];
  server.publish(5);
  await settle();
  server.publish(5);
  await settle();
  assert.equal(server.open.length, 1);
  for (const tab of tabs) {
    assert.deepEqual(tab.sequences, numbers(1, 10));
    assert.equal(tab.phase, "live");
    assert.equal(tab.stream.cursor, "10-a");
  }
});

test("R-PAGE-1: tabs with other filters, tokens or servers do not share a connection; the order of names does not matter", async () => {
  const { server, open } = environment();
  await open({ types: ["a", "b"] });
  await open({ types: ["b", "a"] });
  assert.equal(server.open.length, 1);
  await open({ types: ["a"] });
  await open({ types: ["a", "b"], token: "t" });
  await open({ types: ["a", "b"], baseUrl: "http://other.test" });
  await open({ sessionIds: ["a", "b"] });
  await open({ types: ["a", "b"], shared: false });
  assert.equal(server.open.length, 6);
});

test("R-PAGE-1: without locks or channels each stream has its own connection", async () => {
  const { server, browser } = environment();
  const tab = browser.tab();
  Object.defineProperty(tab, "sharing", { value: undefined });
  const tabs = [new Watcher(tab, server, { shared: true }), new Watcher(tab, server, { shared: true })];
  await settle();
  server.publish();
  await settle();
  assert.equal(server.open.length, 2);
  for (const one of tabs) assert.deepEqual(one.sequences, [1]);
});

test("R-PAGE-1: a page without permission to use locks or channels has its own connection", async () => {
  const { server, browser } = environment();
  const deny = () => { throw new DOMException("sandboxed", "SecurityError"); };
  for (const broken of [{ channel: deny }, { locks: { request: async () => deny() } }]) {
    const tab = browser.tab();
    Object.defineProperty(tab, "sharing", { value: { ...tab.sharing, ...broken } });
    const watcher = new Watcher(tab, server, { shared: true });
    await settle();
    server.publish();
    await settle();
    assert.equal(watcher.sequences.length, 1);
    watcher.stream.close();
  }
  assert.equal(server.open.length, 0);
});

test("R-PAGE-1: when the leader's tab closes, another resumes at the shared cursor", async () => {
  const { server, open } = environment();
  const [first, second, third] = [await open(), await open(), await open()];
  server.publish(3);
  await settle();
  first.stream.close();
  server.publish(3); // while nobody is connected
  await settle();
  assert.equal(server.open.length, 1);
  assert.equal(server.last.cursor, "3-a");
  second.stream.close();
  server.publish(3);
  await settle();
  assert.deepEqual(first.sequences, numbers(1, 3));
  assert.deepEqual(second.sequences, numbers(1, 6));
  assert.deepEqual(third.sequences, numbers(1, 9));
  assert.equal(third.phase, "live");
});

test("R-PAGE-1: a tab with an older cursor catches up on its own connection, then shares", async () => {
  const { server, open } = environment();
  server.publish(20);
  const first = await open();
  const second = await open({ after: "5-a" });
  const third = await open({ after: "0" });
  await settle();
  assert.equal(server.open.length, 1);
  server.publish(2);
  await settle();
  assert.deepEqual(first.sequences, [21, 22]);
  assert.deepEqual(second.sequences, numbers(6, 22));
  assert.deepEqual(third.sequences, numbers(1, 22));
  assert.deepEqual([first.phase, second.phase, third.phase], ["live", "live", "live"]);
});

test("R-PAGE-1: a tab that catches up is not live before it has caught up", async () => {
  const server = new FakeServer();
  const { open } = environment(server);
  await open();
  server.last.open().hello(20, 20);
  await settle();
  const second = await open({ after: "5-a" });
  server.last.open().hello(5, 20).event(6);
  await settle();
  assert.deepEqual(second.stream.state, { phase: "catching_up", remaining: 14 });
  assert.ok(second.states.every((state) => state.phase !== "live"));
});

test("R-PAGE-1: tabs catch up one at a time, because a browser limits connections", async () => {
  const server = new FakeServer();
  const { open } = environment(server);
  await open();
  server.last.open().hello(20, 20);
  await settle();
  const late = [await open({ after: "5-a" }), await open({ after: "6-a" }), await open({ after: "7-a" })];
  assert.equal(server.exchanges.length, 2);
  late[0]!.stream.close();
  await settle();
  assert.equal(server.exchanges.length, 3);
  assert.equal(server.last.cursor, "6-a");
});

test("a tab without a cursor does not receive the events that the leader catches up on", async () => {
  const server = new FakeServer();
  const { open } = environment(server);
  const first = await open({ after: "0" });
  server.last.open().hello(0, 3).event(1);
  await settle();
  const second = await open();
  assert.equal(second.stream.cursor, "3-a");
  server.last.event(2).event(3).event(4);
  await settle();
  assert.deepEqual(first.sequences, numbers(1, 4));
  assert.deepEqual(second.sequences, [4]);
});

test("a tab ahead of the leader does not report the leader's gap", async () => {
  const server = new FakeServer();
  const { open } = environment(server);
  const first = await open({ after: "1-a" });
  const second = await open({ after: "9-a" });
  server.last.open().hello(1, 9).send('event: gap\ndata: {"oldest":8,"head":9,"missed":6}\n\n').event(8).event(9).event(10);
  await settle();
  assert.deepEqual([first.sequences, first.gaps.length], [[8, 9, 10], 1]);
  assert.deepEqual([second.sequences, second.gaps.length], [[10], 0]);
});

test("R-PAGE-1: a follower recovers from a lost message between tabs", async () => {
  const { server, clock, open } = environment();
  const first = await open();
  const second = await open();
  server.publish(1);
  await settle();
  let isLossy = true;
  first.tab.loses = () => isLossy;
  server.publish(2);
  await settle();
  isLossy = false;
  assert.deepEqual(second.sequences, [1]);
  await clock.advance(20_000); // without events it asks the leader
  assert.deepEqual(second.sequences, [1, 2, 3]);
  isLossy = true;
  server.publish(2);
  await settle();
  isLossy = false;
  server.publish(1); // an event reveals the loss
  await settle();
  assert.deepEqual(second.sequences, numbers(1, 6));
  assert.equal(server.open.length, 1);
});

test("R-PAGE-1: a hanging leader is replaced, and follows when it recovers", async () => {
  const { server, clock, open } = environment();
  const first = await open();
  const second = await open();
  first.tab.isHung = true;
  await clock.advance(120_000);
  server.publish(2);
  await settle();
  assert.deepEqual(second.sequences, [1, 2]);
  first.tab.isHung = false;
  await clock.advance(20_000);
  server.publish(1);
  await settle();
  assert.equal(server.open.length, 1);
  assert.deepEqual(first.sequences, [1, 2, 3]);
  assert.deepEqual(second.sequences, [1, 2, 3]);
});

test("R-PAGE-1: all tabs have the state of the connection, and any of them can end a wait", async () => {
  for (const end of ["retryNow", "online", "visible"] as const) {
    const server = new FakeServer();
    const { open } = environment(server);
    const first = await open();
    const second = await open();
    server.last.failToConnect();
    await settle();
    assert.equal(first.phase, "reconnecting");
    assert.deepEqual(second.stream.state, first.stream.state);
    if (end === "retryNow") second.stream.retryNow();
    else for (const wake of second.tab[end]) wake();
    await settle();
    assert.equal(server.exchanges.length, 2);
    assert.equal(second.phase, "connecting");
  }
});

test("a follower ends the wait of a leader whose timers are late", async () => {
  const server = new FakeServer();
  const { clock, open } = environment(server);
  const first = await open();
  await open();
  first.tab.later = (ms, run) => clock.later(ms + 60_000, run);
  server.last.failToConnect();
  await clock.advance(1000);
  assert.equal(server.exchanges.length, 2);
});

test("R-PAGE-1: a rejection applies to all tabs and is not repeated for each", async () => {
  const server = new FakeServer();
  const { clock, open } = environment(server);
  const first = await open();
  server.last.answer(401, { error: { code: "unauthorized", message: "no token", hint: "" } });
  await settle();
  const second = await open();
  await clock.advance(600_000);
  assert.equal(server.exchanges.length, 1);
  assert.equal(first.phase, "closed");
  assert.deepEqual(second.stream.state, first.stream.state);
  second.stream.retryNow();
  await settle();
  server.last.open().hello(0, 0).event(1);
  await settle();
  for (const tab of [first, second]) assert.deepEqual(tab.sequences, [1]);
});

test("a rejected cursor closes only the tab that has it", async () => {
  const server = new FakeServer();
  const { open } = environment(server);
  const first = await open();
  server.last.open().hello(5, 5);
  await settle();
  const second = await open({ after: "nonsense" });
  server.last.answer(400, { error: { code: "invalid_cursor", message: "no cursor", hint: "" } });
  await settle();
  server.exchanges[0]!.event(6);
  await settle();
  assert.deepEqual(first.sequences, [6]);
  assert.equal(first.phase, "live");
  assert.equal(second.phase, "closed");
  assert.equal(server.exchanges.length, 2);
  await open({ after: "4-a" });
  assert.equal(server.last.cursor, "4-a", "other tabs can still catch up");
});

test("R-PAGE-1: all tabs follow a journal that starts over, with one gap each", async () => {
  const { server, clock, open } = environment();
  const tabs = [await open(), await open()];
  server.publish(3);
  await settle();
  server.epoch = "b";
  server.head = 2;
  server.cut();
  await clock.advance(1000);
  server.publish(1);
  await settle();
  for (const tab of tabs) {
    assert.deepEqual(tab.events.map((event) => event.id), ["1-a", "2-a", "3-a", "1-b", "2-b", "3-b"]);
    assert.deepEqual(tab.gaps, [{ oldest: 1, head: 2, missed: null }]);
  }
});

test("R-PAGE-1: all tabs follow a journal that was restored from an older copy", async () => {
  const server = new FakeServer();
  const { clock, open } = environment(server);
  const tabs = [await open({ after: "900-a" }), await open({ after: "900-a" })];
  server.last.open().hello(900, 900);
  await settle();
  server.last.cut();
  await clock.advance(1000);
  server.last.open().hello(0, 2).send('event: gap\ndata: {"oldest":1,"head":2,"missed":null}\n\n').event(1).event(2);
  await settle();
  for (const tab of tabs) {
    assert.deepEqual(tab.sequences, [1, 2]);
    assert.equal(tab.gaps.length, 1);
    assert.equal(tab.stream.cursor, "2-a");
  }
});

test("R-PAGE-1: close leaves nothing running in any tab", async () => {
  const { server, browser, clock, open } = environment();
  server.publish(5);
  const tabs = [await open(), await open(), await open({ after: "2-a" })];
  const early = new Watcher(browser.tab(), server, { shared: true });
  early.stream.close();
  await settle();
  for (const tab of tabs) tab.stream.close();
  await settle();
  assert.equal(clock.timers.size, 0);
  assert.equal(browser.openChannels, 0);
  assert.equal(browser.locks.held.size + browser.locks.waiting.length, 0);
  assert.deepEqual(server.open, []);
  for (const tab of tabs) assert.equal(tab.tab.online.size + tab.tab.visible.size, 0);
});

// Seeded random numbers from 0 to 1 (mulberry32).
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (let seed = 1; seed <= 25; ++seed) {
  test(`R-PAGE-1: random tabs, hangs, lost messages, cuts and outages lose and repeat nothing (seed ${seed})`, async () => {
    const { server, clock, open } = environment();
    const random = seededRandom(seed);
    const pick = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)];
    const gone: (Awaited<ReturnType<typeof open>> & { after: number })[] = [];
    let tabs: typeof gone = [];
    const acts = [
      () => server.publish(Math.ceil(random() * 4)),
      () => server.publish(1),
      () => clock.advance(random() * 3000),
      () => clock.advance(random() * 70_000),
      async () => {
        if (tabs.length > 5) return;
        const after = Math.floor(random() * (server.head + 1));
        const tab = Object.assign(await open({ after: `${after}-a` }), { after });
        tab.tab.loses = () => random() < 0.1;
        tabs.push(tab);
      },
      () => {
        const tab = pick(tabs);
        if (!tab || random() < 0.5) return;
        tab.stream.close();
        tabs = tabs.filter((other) => other !== tab);
        gone.push(tab);
      },
      () => server.cut(),
      () => void (server.isDown = random() < 0.3),
      () => { for (const tab of tabs) tab.tab.isHung &&= random() < 0.5; },
      () => { const tab = pick(tabs); if (tab && random() < 0.3) tab.tab.isHung = true; },
    ];
    for (let round = 0; round < 120; ++round) {
      await pick(acts)!();
      if (random() < 0.5) await settle();
    }
    server.isDown = false;
    for (const tab of tabs) {
      tab.tab.isHung = false;
      tab.tab.loses = () => false;
    }
    await clock.advance(200_000);
    server.publish(1);
    await clock.advance(60_000);
    for (const tab of [...tabs, ...gone]) {
      assert.deepEqual(tab.sequences, numbers(tab.after + 1, tab.after + tab.sequences.length));
    }
    for (const tab of tabs) assert.equal(tab.sequences.at(-1), server.head);
    assert.equal(server.open.length, tabs.length > 0 ? 1 : 0);
  });
}
