import { ApiError } from '../src/index.ts';

/** A refusal in words for the person who asked. */
export class ToolError extends Error {}

/** Says what went wrong to the person who asked. */
export function wordsOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof ApiError))
    return 'Something went wrong here. It may have happened: look before you try again.';
  const { status } = error.data;
  if (error.code === 'api_timeout')
    return `${error.message}. It may have happened: look before you try again.`;
  if (status === 401) return 'The site refuses this user name and application password.';
  const wait = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} seconds.`;
  return `${error.message}${status === undefined ? '' : ` (${status})`}.${wait}`;
}
