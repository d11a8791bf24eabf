import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** The responses of a route that has nothing to say but that it is done. */
export const NO_CONTENT = { 204: Type.Null({ description: 'Done' }) };

/** A response whose JSON is already written. */
export type JsonResponse = { status: number; json: string; etag?: string | undefined };

/** The body of a response, as it goes out. */
export type Sent = string | Buffer;

/** What a handler returns to give this response. */
export function send(reply: FastifyReply, { status, json, etag }: JsonResponse): Sent {
  if (etag !== undefined) reply.header('etag', etag);
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  return json.length < LONG ? json : encoded(reply, json);
}

// Short text goes out in one piece with its head. Long text Node would measure, copy behind the head and encode into
// fresh memory, which the kernel hands over page by page: a fifth of the time of a list.
const LONG = 16 * 1024;
const ROOM = 192 * 1024;
const MOST_BYTES_PER_UNIT = 3;
// A slow reader keeps a room until it has read everything: their number bounds the memory that readers can hold.
const rooms = Array.from({ length: 16 }, () => Buffer.allocUnsafeSlow(ROOM));

/** The text as bytes, in memory that is used again once the answer has gone out; as it is where there is none. */
function encoded({ raw }: FastifyReply, text: string): Sent {
  // An answer that waits behind another one on its connection, or whose connection is gone, may never emit `close`.
  const tells = raw.socket?.writable;
  const room = tells && text.length * MOST_BYTES_PER_UNIT <= ROOM ? rooms.pop() : undefined;
  if (!room) return text;
  raw.once('close', () => rooms.push(room));
  return room.subarray(0, room.write(text));
}
