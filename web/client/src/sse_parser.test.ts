import assert from "node:assert/strict";
import { test } from "node:test";
import { SseParser, type SseBlock } from "./sse_parser";

const encoder = new TextEncoder();

function parse(chunks: Uint8Array[], limit = 1000) {
  const blocks: SseBlock[] = [];
  const retries: number[] = [];
  let comments = 0;
  const sink = {
    block: (block: SseBlock) => void blocks.push(block),
    comment: () => void (comments += 1),
    retry: (ms: number) => void retries.push(ms),
  };
  const parser = new SseParser(sink, limit);
  for (const chunk of chunks) parser.push(chunk);
  return { blocks, retries, comments };
}

const parseText = (text: string, limit?: number) => parse([encoder.encode(text)], limit);
const data = (text: string) => parseText(text).blocks.map((block) => block.data);

test("R-PAGE-1: chunks of any size give the same events", () => {
  const text = "\uFEFF: hi\r\nretry: 2000\r\nid: 1-a\revent: é\ndata: 漢字 🙂\r\ndata:second\r\n\r\n\nid: 2-a\n\n: beat\rdata: x\r\r";
  const bytes = encoder.encode(text);
  const whole = parse([bytes]);
  assert.equal(whole.comments, 2);
  assert.deepEqual(whole.retries, [2000]);
  assert.deepEqual(whole.blocks.filter((block) => block.data), [
    { id: "1-a", event: "é", data: "漢字 🙂\nsecond", isTooLong: false },
    { id: "2-a", event: "message", data: "x", isTooLong: false },
  ]);
  assert.deepEqual(parse([...bytes].map((byte) => Uint8Array.of(byte))), whole);
  for (let first = 0; first <= bytes.length; ++first) {
    for (let second = first; second <= bytes.length; ++second) {
      const parts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      assert.deepEqual(parse(parts), whole, `cut at ${first} and ${second}`);
    }
  }
});

test("R-PAGE-1: a blank line completes an event", () => {
  assert.deepEqual(parseText("id: 1-a\ndata: {}\n").blocks, []);
  assert.equal(parseText("id: 1-a\ndata: {}\n\n").blocks.length, 1);
});

test("fields are parsed by the standard", () => {
  assert.deepEqual(data("data\n\ndata:\n\ndata:  two spaces\n\ndata:a:b\n\nfoo: bar\ndata: known\n\n"), ["", "", " two spaces", "a:b", "known"]);
  assert.deepEqual(parseText("retry: 1x\nretry:\nretry: -1\nretry: 5\n").retries, [5]);
  assert.deepEqual(parseText("id: 1\n\nid: 2\0\n\nid\n\n").blocks.map((block) => block.id), ["1", "1", ""]);
});

test("invalid UTF-8 becomes replacement characters, and the stream continues", () => {
  const chunks = [encoder.encode("data: <"), Uint8Array.of(0xff, 0xc3), encoder.encode(">\n\ndata: next\n\n")];
  assert.deepEqual(parse(chunks).blocks.map((block) => block.data), ["<\uFFFD\uFFFD>", "next"]);
});

test("an event beyond the limit is reported without its data", () => {
  const long = "x".repeat(50);
  const text = `id: 1\ndata: ${long}\n\nid: 2\n${`data: ${long.slice(0, 15)}\n`.repeat(5)}\nid: 3\ndata: ok\n\n`;
  for (const size of [1, 7, 1000]) {
    const bytes = encoder.encode(text);
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    const { blocks } = parse(chunks, 30);
    assert.deepEqual(blocks.map(({ id, isTooLong }) => [id, isTooLong]), [["1", true], ["2", true], ["3", false]]);
    assert.equal(blocks[2]!.data, "ok");
  }
});
