import { Agent, type Dispatcher, errors, request } from 'undici';

export type Outgoing = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;
export type Incoming = { status: number; text: string; header(name: string): string | undefined };

type Limits = {
  connections: number;
  connectMs: number;
  /** From the first byte sent to the last byte read. */
  totalMs: number;
  bytes: number;
  /** Requests that run or wait; past this the other side is too slow for what is asked of it, and waiting makes it worse. */
  pending: number;
};

/** Why nothing usable came back; `dropped`: on a kept connection that the other side closed at the same moment. */
export class OutboundError extends Error {
  readonly reason: 'busy' | 'late' | 'unreachable' | 'dropped';

  constructor(reason: OutboundError['reason'], cause?: unknown) {
    super(`outbound request: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** The one way to send a request to another machine: bounded in time, size and number. Redirects are not followed. */
export type Outbound = ReturnType<typeof outbound>;

export function outbound({ connections, connectMs, totalMs, bytes, pending }: Limits) {
  const agent = new Agent({
    connections,
    connect: { timeout: connectMs },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    maxResponseSize: bytes,
  });
  const counted = { running: 0, answered: 0, failed: 0 };

  return {
    counted,

    async send(url: string, options: Outgoing): Promise<Incoming> {
      if (counted.running >= pending) throw new OutboundError('busy');
      counted.running++;
      try {
        const signal = AbortSignal.timeout(totalMs);
        const { statusCode, headers, body } = await request(url, { ...options, dispatcher: agent, signal });
        const text = await body.text();
        counted.answered++;
        return {
          status: statusCode,
          text,
          header(name) {
            const value = headers[name];
            return Array.isArray(value) ? value.join(', ') : value;
          },
        };
      } catch (error) {
        counted.failed++;
        throw new OutboundError(reasonOf(error), error);
      } finally {
        counted.running--;
      }
    },

    close: () => agent.close(),
  };
}

function reasonOf(error: unknown): OutboundError['reason'] {
  const late =
    (error as Error).name === 'TimeoutError' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError;
  if (late) return 'late';
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code) ? 'dropped' : 'unreachable';
}
