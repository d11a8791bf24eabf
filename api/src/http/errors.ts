import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CLEAN_TEXT } from '../contract/common.ts';
import { Problem, type ProblemCode, STATUS } from '../contract/problem.ts';
import { siteKeyOf } from './site-key.ts';

/** A problem whose answer also carries headers of its own. */
export class ProblemWithHeaders extends Problem {
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, headers: Record<string, string>) {
    super(code, detail);
    this.headers = headers;
  }
}

type ValidationError = NonNullable<FastifyError['validation']>[number] & { data?: unknown };

export function answerError(error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) {
  // Where the server itself refuses a request, no hook has run.
  reply.header('x-request-id', request.id);
  const problem = problemOf(error);
  if (!problem) {
    request.log.error({ err: error, request: request.id, site: siteKeyOf(request) }, 'internal error');
    reply.code(500).send({ detail: 'Internal error' });
    return;
  }
  const status = STATUS[problem.code];
  if (problem.cause instanceof Error)
    request.log.warn(
      { err: problem.cause, request: request.id, site: siteKeyOf(request), status },
      problem.message,
    );
  if (problem.code === 'unauthorized') reply.header('www-authenticate', 'Basic realm="trousseau"');
  if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter);
  if (problem instanceof ProblemWithHeaders) reply.headers(problem.headers);
  // Fastify would close the connection, and a caller who is still sending would be reset before reading why.
  if (problem.code === 'too_large') reply.removeHeader('connection');
  reply.code(status).send({ detail: problem.message });
}

function problemOf(error: FastifyError | Problem): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error.validation) return new Problem('invalid', sentences(error.validation));
  // Fastify's own refusals: a wrong Content-Length, no media type at all, a path with a broken percent-escape.
  switch (error.statusCode) {
    case 400:
      return error.code === 'FST_ERR_BAD_URL' ? notHere() : new Problem('bad_request', error.message);
    case 413:
      return new Problem('too_large', 'The body is larger than 1 MiB');
    case 414:
      return notHere();
    case 415:
      return new Problem('unsupported_media_type', 'The body must be application/json');
    default:
      return undefined;
  }
}

export const notHere = () => new Problem('not_found', 'Not found');

const MOST_SENTENCES = 20;

function sentences(faults: ValidationError[]): string {
  // The `if` of a `list` (in the contract) fails whenever an entry does, and only repeats what the entry's own faults say.
  const said = faults.filter(({ keyword }) => keyword !== 'if');
  const sentences = said.slice(0, MOST_SENTENCES).map(sentence);
  const rest = said.slice(MOST_SENTENCES).map((fault) => fieldOf(fault).replaceAll(/\.\d+/g, ''));
  const fields = [...new Set(rest)];
  if (fields.length > 0) sentences.push(`and ${rest.length} more in ${fields.join(', ')}`);
  return sentences.join('; ');
}

const fieldOf = ({ instancePath, keyword, params }: ValidationError) =>
  (keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath)
    .slice(1)
    .replaceAll('/', '.');

// Formats whose name alone would not say what is wanted.
const FORMATS: Record<string, string> = {
  address: 'an email address, with one @',
  currency: 'a currency such as EUR (ISO 4217)',
  surprise: 'a real date, "always" or empty',
};

// The limits in a schema, by keyword, each with what it counts.
const LIMITS: Record<string, [words: string, unit?: string]> = {
  minLength: ['at least', 'characters'],
  maxLength: ['at most', 'characters'],
  maxItems: ['at most', 'entries'],
  minimum: ['at least'],
  maximum: ['at most'],
  exclusiveMinimum: ['more than'],
};

function limitOf(keyword: string, limit: unknown, data: unknown): string | undefined {
  const [words, unit] = LIMITS[keyword] ?? [];
  if (!words) return undefined;
  if (unit && words === 'at least' && limit === 1) return 'must not be empty';
  const got = typeof data === 'string' ? [...data].length : Array.isArray(data) ? data.length : String(data);
  return `${[words, limit, unit].filter((word) => word !== undefined).join(' ')}, got ${got}`;
}

function sentence(fault: ValidationError): string {
  const { keyword, params, message, data } = fault;
  const why: Record<string, string> = {
    required: 'is required',
    enum: `must be one of ${(params.allowedValues as unknown[] | undefined)?.map(String).join(', ')}`,
    type: `must be ${String(params.type).replaceAll(',', ' or ')}`,
    pattern:
      params.pattern === CLEAN_TEXT
        ? 'must not contain NUL or lone surrogates'
        : `must match ${String(params.pattern)}`,
    format: `must be ${FORMATS[String(params.format)] ?? `a real ${String(params.format)}`}`,
  };
  return `${fieldOf(fault) || 'body'}: ${why[keyword] ?? limitOf(keyword, params.limit, data) ?? message}`;
}

/** Input that Node's parser refuses never becomes a request, so its error response is written by hand. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  // The names are those of `STATUS_CODES`: importing anything from `node:http` loads all of `fetch`, a fifth of a start.
  const [status, detail] = {
    HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
    ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
  }[error.code ?? ''] ?? ['400 Bad Request', 'Not a valid HTTP request'];
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${body.length}\r\nx-request-id: ${randomUUID()}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The caller's own request id where it is a sensible one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
