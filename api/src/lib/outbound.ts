import type { buildConnector, Dispatcher } from 'undici';

export type Outgoing = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'signal'>;

/** An answer whose body is still on its way. */
export type Arriving = {
  status: number;
  header(name: string): string | undefined;
  body: Dispatcher.ResponseData['body'];
};

export type OutboundLimits = {
  connections: number;
  connectMs: number;
  /** The longest wait for the headers, and for each next part of the body. The caller's `signal` limits the whole request. */
  totalMs: number;
  /** The body's size on the wire. */
  bytes: number;
  headerBytes?: number;
  /** Requests that run or wait. With more than these the other side is too slow, and waiting would make it worse. */
  pending: number;
  /** Opens connections. Set where some addresses are forbidden. */
  connect?: buildConnector.connector;
};

// Interim answers (1xx) before the real one: an endless series of them would occupy the process.
const MOST_HINTS = 10;

/** An address not to connect to. Callers hear of it only if they wrote it: they mustn't learn which names exist inside. */
export class AddressRefused extends Error {
  readonly isAsWritten: boolean;

  constructor(message: string, isAsWritten: boolean) {
    super(message);
    this.isAsWritten = isAsWritten;
  }
}

/** Why nothing usable came back; `dropped`: the connection broke, as a kept one does if the other side closes it just then. */
export class OutboundError extends Error {
  readonly reason: 'busy' | 'late' | 'unreachable' | 'dropped' | 'too_large' | 'not_allowed';

  constructor(reason: OutboundError['reason'], cause?: unknown) {
    super(`outbound request: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** The one way to send a request to another machine: bounded in time, size and number. Redirects are not followed. */
export function outbound(limits: OutboundLimits, counters = { running: 0, answered: 0, failed: 0 }) {
  const { connections, connectMs, totalMs, bytes, headerBytes, pending, connect } = limits;
  // undici is loaded with the first request: it would take a fifth of the time of a start.
  let opened: ReturnType<typeof open> | undefined;
  let isClosed = false;
  async function open() {
    const { Agent, request } = await import('undici');
    const agent = new Agent({
      connections,
      // Over HTTP/2, one connection has a hundred requests at once, and stays in use when it is dead.
      allowH2: false,
      connect: connect ?? { timeout: connectMs },
      headersTimeout: totalMs,
      bodyTimeout: totalMs,
      maxResponseSize: bytes,
      ...(headerBytes !== undefined && { maxHeaderSize: headerBytes }),
    });
    return { agent, request };
  }
  let running = 0;

  /** Sends a request. `read` takes what it needs of the answer; the rest is dropped. */
  async function exchange<T>(
    url: string,
    options: Outgoing,
    read: (answer: Arriving) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (isClosed) throw new OutboundError('unreachable');
    if (running >= pending) throw new OutboundError('busy');
    running++;
    counters.running++;
    try {
      let hints = 0;
      opened ??= open();
      const { agent, request } = await opened;
      const { statusCode, headers, body } = await request(url, {
        ...options,
        dispatcher: agent,
        signal,
        onInfo() {
          if (++hints > MOST_HINTS) throw new Error('only interim answers');
        },
      });
      // A body that is cut off emits an error; without a listener that would end the process.
      body.on('error', () => {});
      try {
        const taken = await read({
          status: statusCode,
          header(name) {
            const value = headers[name];
            return Array.isArray(value) ? value.join(', ') : value;
          },
          body,
        });
        counters.answered++;
        return taken;
      } finally {
        body.destroy();
      }
    } catch (error) {
      counters.failed++;
      throw new OutboundError(reasonOf(error), error);
    } finally {
      running--;
      counters.running--;
    }
  }

  const end = (how: 'close' | 'destroy') => async () => {
    isClosed = true;
    await (await opened)?.agent[how]();
  };
  // `destroy` doesn't wait for what is under way.
  return { exchange, close: end('close'), destroy: end('destroy') };
}

const REASONS: Partial<Record<string, OutboundError['reason']>> = {
  UND_ERR_HEADERS_TIMEOUT: 'late',
  UND_ERR_BODY_TIMEOUT: 'late',
  UND_ERR_CONNECT_TIMEOUT: 'late',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_SOCKET: 'dropped',
  ECONNRESET: 'dropped',
  EPIPE: 'dropped',
};

function reasonOf(error: unknown): OutboundError['reason'] {
  if ((error as Error).name === 'TimeoutError') return 'late';
  if (error instanceof OutboundError) return error.reason;
  if (error instanceof AddressRefused) return error.isAsWritten ? 'not_allowed' : 'unreachable';
  return REASONS[String((error as { code?: unknown }).code)] ?? 'unreachable';
}
