import { openStreamOn } from "./open_stream_on";
import { thisPlatform } from "./platform";
import type { EventStream, StreamOptions } from "./types";

/** Throws if the options are invalid: a malformed base URL, or a token that a header cannot carry. */
export function openStream(options: StreamOptions = {}): EventStream {
  return openStreamOn(thisPlatform(), options);
}
