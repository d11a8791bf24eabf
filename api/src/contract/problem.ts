/** Expected failures, each with its status. */
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
  host_failed: 502,
  unavailable: 503,
  host_timeout: 504,
};
export type ProblemCode = keyof typeof STATUS;

// The store or the host failed during a change, which may have happened all the same.
const UNCERTAIN: ProblemCode[] = ['host_failed', 'host_timeout', 'unavailable'];

/** An error meant for the caller: its message becomes `detail`. The cause is for the log alone. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly retryAfter: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    { cause, retryAfter }: { cause?: unknown; retryAfter?: number | undefined } = {},
  ) {
    super(detail, { cause });
    this.name = 'Problem';
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Not a refusal: what was asked for may have been done all the same. */
  get mayHaveHappened(): boolean {
    return UNCERTAIN.includes(this.code);
  }
}

export const tooManyRequests = (detail: string, retryAfter: number): Problem =>
  new Problem('too_many_requests', detail, { retryAfter });

export const storeUnavailable = (cause: unknown, retryAfter = 5): Problem =>
  new Problem('unavailable', 'The item store cannot be reached at the moment', { cause, retryAfter });
