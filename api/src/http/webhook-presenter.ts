import type { Webhook, WebhookDelivery, WebhookTest } from '../contract/index.ts';
import { idOf } from '../domain/events.ts';
import {
  type ListedDelivery,
  type SendProblem,
  type Sent,
  type StoredWebhook,
  WHEN_DECIDED,
  WHOLE_SITE,
} from '../domain/webhooks.ts';

const DETAILS: Record<SendProblem, string> = {
  unreachable: 'The receiver cannot be reached.',
  late: 'The receiver did not answer in time.',
  not_allowed: 'Nothing is sent to addresses like this one.',
};

const iso = (time: number) => new Date(time).toISOString();

export const presentWebhook = (webhook: StoredWebhook): Webhook => ({
  id: webhook.id,
  registry_id: webhook.registryId === WHOLE_SITE ? null : webhook.registryId,
  url: webhook.url,
  types: webhook.types,
  disabled_at: webhook.disabledAt === null ? null : iso(webhook.disabledAt),
  created_at: iso(webhook.createdAt),
});

export const presentTest = ({ ms, ...sent }: Sent): WebhookTest =>
  sent.status === null
    ? { status: null, ms, problem: { code: sent.problem, detail: DETAILS[sent.problem] } }
    : { status: sent.status, ms, problem: null };

export const presentDelivery = (delivery: ListedDelivery): WebhookDelivery => ({
  event_id: idOf(delivery),
  attempt: delivery.attempts,
  status: delivery.status,
  next_attempt_at: delivery.dueAt === null || delivery.dueAt === WHEN_DECIDED ? null : iso(delivery.dueAt),
});
