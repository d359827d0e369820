export { OrielApi, type ApiOptions } from "./api";
export type * from "./api_types";
export { OrielError, type ErrorDetails } from "./error";
export { openStream } from "./open_stream";
export type * from "./types";
