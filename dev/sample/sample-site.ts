// A WordPress with theme and plugin, filled with lifelike registries. The items come over HTTP from a
// server that answers as the item service does; their pictures are files in the site's uploads.

import { addPicture, addPost, setFeaturedImage } from '../wordpress/set-up.ts';
import { itemsOf, type RecordingService, recordingService, type TestItem } from '../wordpress/site.ts';
import { startWordPress, type WordPress, type WordPressOptions } from '../wordpress/wordpress.ts';
import { furnish } from './furnish.ts';
import { registries, wishes } from './lists.ts';

export interface SampleSite extends WordPress {
  itemService: RecordingService;
  /** Post ids by title. */
  registries: Record<string, number>;
  /** Gives a post its featured image, a JPEG. */
  setPicture(post: number, jpeg: Buffer): Promise<void>;
}

export async function startSampleSite(options: WordPressOptions = {}): Promise<SampleSite> {
  const service = await recordingService();
  const site = await startWordPress({
    theme: 'trousseau',
    env: { TROUSSEAU_BASE_URL: service.url, TROUSSEAU_USERNAME: 'site', TROUSSEAU_APP_PASSWORD: 'x' },
    ...options,
  }).catch(async (error) => {
    await service.close();
    throw error;
  });
  const stop = async () => {
    await Promise.all([site.stop(), service.close()]);
  };
  try {
    await furnish(site);
    const ids: Record<string, number> = {};
    for (const [n, { title, status, story, type, date }] of registries.entries())
      ids[title] = await addPost(site, {
        ...{ post_type: 'registry', post_status: status, post_title: title, post_author: 2 },
        post_date: `2026-10-${String(n + 1).padStart(2, '0')} 10:00:00`,
        post_content: story
          .map((text) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`)
          .join('\n\n'),
        meta_input: { registry_event_type: type, registry_event_date: date, registry_currency: 'EUR' },
      });
    const rows = wishes.map(({ picture, ...wish }, index): [number, TestItem] => [
      index + 1,
      {
        id: index + 1,
        registry_id: ids['Amélie & Jonas']!,
        description: null,
        retailer: null,
        price: null,
        quantity_needed: 1,
        quantity_purchased: 0,
        is_active: true,
        ...wish,
        image_url: picture ? `${site.url}/wp-content/uploads/sample/${picture}.svg` : null,
      },
    ]);
    service.answer = itemsOf(new Map(rows));
    return {
      ...site,
      itemService: service,
      registries: ids,
      async setPicture(post, jpeg) {
        const { id } = await addPicture(site, { post_title: 'Picture' }, post, jpeg);
        await setFeaturedImage(site, post, id);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
