// A request that failed, in the server's own words.

export interface ErrorDetails {
  /** 0: no answer came. */
  status: number;
  /** Stable; "network" and "timeout" when no answer came. */
  code: string;
  message: string;
  hint: string;
  /** Seconds, as the header has it. */
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
