// Opens a stream on a platform, which tests replace.

import { headersOf, urlOf } from "./address";
import type { FeedRequest } from "./feed";
import { OwnStream } from "./own_stream";
import type { Platform } from "./platform";
import { SharedStream } from "./shared_stream";
import type { EventStream, StreamOptions } from "./types";

export function openStreamOn(platform: Platform, options: StreamOptions): EventStream {
  const { types = [], projectIds = [], sessionIds = [], token, after } = options;
  const filter = { types: [...types].sort(), project_id: [...projectIds].sort(), session_id: [...sessionIds].sort() };
  const request: FeedRequest = {
    url: (cursor) => urlOf(options, "api/events", { ...filter, last_event_id: cursor }),
    headers: headersOf(options),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    minDelay: options.minDelay ?? 1000,
    maxDelay: options.maxDelay ?? 30_000,
    connectTimeout: options.connectTimeout ?? 20_000,
    deadAfter: options.deadAfter ?? 65_000,
    maxEventLength: options.maxEventLength ?? 2 ** 27,
  };
  const group = JSON.stringify([1, request.url(undefined), token ?? ""]);
  const isShared = platform.sharing && (options.shared ?? "document" in globalThis);
  return isShared ? new SharedStream(platform, request, after, group) : new OwnStream(platform, request, after);
}
