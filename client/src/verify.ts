import { Webhook } from 'standardwebhooks';
import type { RegistryEvent } from 'trousseau-api/contract';

/** The headers of a request, and its raw body. */
export type Message = {
  headers: Headers | Record<string, string | string[] | undefined>;
  body: string;
};

/** An event of the feeds, or the `ping` of a test. */
export type WebhookEvent =
  | RegistryEvent
  | (Omit<RegistryEvent, 'type' | 'registry_id' | 'data'> & {
      type: 'ping';
      registry_id: number | null;
      data: Record<string, never>;
    });

/** Returns the event in a webhook's message. Throws if it isn't signed with this secret, or is older than five minutes. */
export function verify(secret: string, { headers, body }: Message): WebhookEvent {
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const own = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(body, own) as WebhookEvent;
}
