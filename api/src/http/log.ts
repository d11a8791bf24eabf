import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { siteKeyOf } from './site-key.ts';

/**
 * Logs one line per request after its response: changes and refusals at `info`, reads at `debug`. Lines hold no headers, which
 * hold credentials, and no paths, which may hold an invitee's address.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}
  override defaultErrorLog(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const log = request.log as Logger;
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    const level = changes || reply.statusCode >= 400 ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        request: request.id,
        site: siteKeyOf(request),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        user: request.viewer?.id,
        ...(error && { err: error }),
      },
      'request',
    );
  }
}
