// The error that an answer tells of.

import { retryAfter } from "./backoff";
import { OrielError } from "./error";

// Somebody between us and Oriel may have answered: then there is only the status.
export async function readError(response: Response, now: number): Promise<OrielError> {
  const { status } = response;
  const body = await response.json().catch(() => undefined);
  const said = body?.error;
  const wait = retryAfter(response.headers.get("Retry-After"), now);
  return new OrielError({
    status,
    code: said?.code ?? "unknown",
    message: said?.message ?? `status ${status}`,
    hint: said?.hint ?? "",
    retryAfter: wait === undefined ? undefined : wait / 1000,
    data: said?.data,
  });
}
