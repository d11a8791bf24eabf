import { ApiError } from '../src/index.ts';

/** An error whose message is for the person who asked. */
export class ToolError extends Error {}

export const NOT_SIGNED_IN = 'The site did not accept this user name and application password.';

/** Returns a sentence for the person who asked about what went wrong. */
export function wordsOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof ApiError))
    return 'Something went wrong. The change may have been made: check before you try again.';
  const { status } = error.data;
  if (error.code === 'api_timeout' || error.code === 'api_unreachable' || (status ?? 0) >= 502)
    return `${error.message}. The change may have been made: check before you try again.`;
  if (status === 401) return NOT_SIGNED_IN;
  const wait = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} seconds.`;
  return `${error.message}${status === undefined ? '' : ` (${status})`}.${wait}`;
}
