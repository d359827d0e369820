// A failed request, with the error of the server.

export interface ErrorDetails {
  /** The HTTP status; 0 without a response. */
  status: number;
  /** Stable; "network" or "timeout" without a response. */
  code: string;
  message: string;
  hint: string;
  /** Seconds, from the Retry-After header. */
  retryAfter?: number;
  data?: any;
}

export class OrielError extends Error implements ErrorDetails {
  status: number;
  code: string;
  hint: string;
  retryAfter?: number;
  data?: any;

  constructor(details: ErrorDetails, cause?: unknown) {
    super(details.message, { cause });
    this.name = "OrielError";
    this.status = details.status;
    this.code = details.code;
    this.hint = details.hint;
    this.retryAfter = details.retryAfter;
    this.data = details.data;
  }
}
