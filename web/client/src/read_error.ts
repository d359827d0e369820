// Converts an error response to an OrielError.

import { retryAfter } from "./backoff";
import { OrielError } from "./error";

// The response of an intermediary may have nothing but a status.
export async function readError(response: Response, now: number): Promise<OrielError> {
  const { status } = response;
  const body = await response.json().catch(() => undefined);
  const error = body?.error;
  const wait = retryAfter(response.headers.get("Retry-After"), now);
  return new OrielError({
    status,
    code: error?.code ?? "unknown",
    message: error?.message ?? `status ${status}`,
    hint: error?.hint ?? "",
    retryAfter: wait === undefined ? undefined : wait / 1000,
    data: error?.data,
  });
}
