/** Expected failures; `http/errors.ts` gives each its status. */
export type ProblemCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'too_many_requests'
  | 'host_failed'
  | 'host_timeout'
  | 'unavailable';

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
  new Problem('unavailable', 'The item store cannot be reached at the moment', {
    cause,
    retryAfter,
  });
