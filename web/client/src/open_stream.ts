import { openStreamOn } from "./open_stream_on";
import { thisPlatform } from "./platform";
import type { EventStream, StreamOptions } from "./types";

/** Throws when the options cannot be meant: an impossible address, or a token that no header can carry. */
export function openStream(options: StreamOptions = {}): EventStream {
  return openStreamOn(thisPlatform(), options);
}
