import type { Registry } from '../contract/index.ts';
import type { SeenRegistry } from '../domain/registries.ts';
import { surpriseDay } from '../host/post-format.ts';

export function presentRegistry({ post, itemIds }: SeenRegistry): Registry {
  const meta = {
    registry_item_ids: itemIds,
    registry_invitees: post.invitees,
    registry_owners: post.coOwners,
    registry_event_type: post.eventType,
    registry_event_date: post.eventDate,
    registry_currency: post.currency,
    registry_surprise_until: post.surpriseUntil && surpriseDay(post.surpriseUntil),
    registry_surprise_keeps: post.surpriseKeeps,
    registry_pay_to: post.payTo,
  };
  return {
    id: post.id,
    user_id: post.authorId,
    title: post.title,
    status: post.status,
    story: post.story,
    permalink: post.permalink,
    share_key: post.id,
    slug: post.slug,
    meta,
    created_at: post.createdAt,
    updated_at: post.updatedAt,
  };
}
