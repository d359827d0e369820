import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryQuantile, parseMetrics, rate } from "./metrics";
import { groupsOf, passes, readFilter, writeFilter } from "./overview_filter";
import { snapshots } from "./recorded.testing";
import { addressOf, parseRoute } from "./route";
import { addUsage, spentOf, tokensOf } from "./usage";

test("R_PAGE_2 a URL leads back to its view with any session id", () => {
  assert.deepEqual(parseRoute(addressOf("session", { sessionId: "a/b c#%" })).sessionId, "a/b c#%");
  assert.equal(parseRoute("").view, "overview");
  assert.equal(parseRoute("#/nowhere/else").view, "overview");
  assert.equal(parseRoute("#/sessions/%zz").sessionId, "%zz");
  assert.equal(parseRoute(addressOf("needs-you")).view, "needs-you");
});

test("R_PAGE_2 the filter of the overview is stored in the URL", () => {
  const filter = readFilter(new URLSearchParams("text=never&project=shop&state=failed&by=project&view=board&agent=demo"));
  assert.deepEqual(readFilter(writeFilter(filter)), filter);
  assert.equal(readFilter(new URLSearchParams("state=nonsense&by=colour")).activity, "");
});

test("R_PAGE_2 sessions are filtered by project, state, agent and text", () => {
  const all = snapshots();
  const count = (query: string): number => all.filter((session) => passes(session, readFilter(new URLSearchParams(query)))).length;
  assert.deepEqual(["", "project=shop", "state=ended", "agent=claude", "text=find+NEVER", "text=nothing+such"].map(count), [2, 1, 1, 1, 1, 0]);
  assert.deepEqual(groupsOf(all, readFilter(new URLSearchParams())).map((group) => group.key), ["failed", "ended"]);
  assert.equal(groupsOf(all, readFilter(new URLSearchParams("view=board"))).length, 5);
});

test("R_HEALTH_2 metrics become rates, and a reset counter gives no negative rate", () => {
  const text = (events: number, slow: number): string =>
    `# HELP x y\noriel_journal_events_total ${events}\noriel_sse_delivery_seconds_bucket{le="0.001"} 90\noriel_sse_delivery_seconds_bucket{le="0.01"} ${slow}\noriel_sse_delivery_seconds_bucket{le="+Inf"} ${slow}\n`;
  const a = parseMetrics(text(100, 90), 1000);
  const b = parseMetrics(text(150, 100), 3000);
  assert.equal(rate(a, b, "oriel_journal_events_total"), 25);
  assert.equal(rate(b, { ...a, at: 4000 }, "oriel_journal_events_total"), 100);
  assert.ok(Number.isNaN(rate(undefined, b, "oriel_journal_events_total")));
  assert.equal(deliveryQuantile(undefined, b, 0.99), 0.01);
  assert.equal(deliveryQuantile(undefined, b, 0.5), 0.001);
});

test("R_PAGE_2 tokens and cost add up over tasks, and the context is the newest", () => {
  const first = addUsage(null, { input_tokens: 100, output_tokens: 20, cost_usd: 0.5, context_used: 10, context_size: 100 });
  const both = addUsage(first, { input_tokens: 1, output_tokens: 2, cache_read_tokens: 7, cost_usd: 0.25, context_used: 30 });
  assert.deepEqual(both, { input_tokens: 101, output_tokens: 22, cache_read_tokens: 7, cost_usd: 0.75, context_used: 30, context_size: 100 });
  assert.equal(first.input_tokens, 100);
  const spent = spentOf(both);
  assert.deepEqual([tokensOf(spent), spent.cost, spent.contextUsed, spent.contextSize], [123, 0.75, 30, 100]);
  assert.equal(spentOf(null).isKnown, false);
  assert.equal(spentOf({}).isKnown, false);
});
