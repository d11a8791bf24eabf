import { ApiError } from '../src/index.ts';

/** An error whose message is for the person who asked. */
export class ToolError extends Error {}

export const NOT_SIGNED_IN = 'The site did not accept this user name and application password.';

/** Returns a sentence for the person who asked about what went wrong; `changes`: whether they asked for a change. */
export function wordsOf(error: unknown, changes = true): string {
  if (error instanceof ToolError) return error.message;
  const unsure = changes ? ' The change may have been made: check before you try again.' : '';
  if (!(error instanceof ApiError)) return `Something went wrong.${unsure}`;
  const { status } = error.data;
  if (status === 401) return NOT_SIGNED_IN;
  const isLost = error.code === 'api_timeout' || error.code === 'api_unreachable' || (status ?? 0) >= 502;
  const wait = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} seconds.`;
  return `${error.message}${status === undefined ? '' : ` (${status})`}.${isLost ? unsure : ''}${wait}`;
}
