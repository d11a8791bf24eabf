// A WordPress with theme and plugin, filled with registries as people would write them. The items come over HTTP from a
// server that answers as the item service does; their pictures are files in the site's uploads.

import {
  evaluate,
  itemsOf,
  php,
  type RecordingService,
  recordingService,
  type TestItem,
} from '../wordpress/site.ts';
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
    const ids = await evaluate(
      site,
      `$ids = array();
      foreach ( ${php(registries)} as $i => $one ) {
        $ids[ $one['title'] ] = wp_insert_post( array(
          'post_type' => 'registry', 'post_status' => $one['status'], 'post_title' => wp_slash( $one['title'] ), 'post_author' => 2,
          'post_date' => sprintf( '2026-10-%02d 10:00:00', $i + 1 ),
          'post_content' => implode( "\\n\\n", array_map( fn( $p ) => "<!-- wp:paragraph -->\\n<p>$p</p>\\n<!-- /wp:paragraph -->", $one['story'] ) ),
        ) );
        update_post_meta( $ids[ $one['title'] ], 'registry_event_type', $one['type'] );
        update_post_meta( $ids[ $one['title'] ], 'registry_event_date', $one['date'] );
        update_post_meta( $ids[ $one['title'] ], 'registry_currency', 'EUR' );
      }
      return $ids;`,
    );
    const rows = wishes.map(({ picture, ...wish }, index): [number, TestItem] => [
      index + 1,
      {
        id: index + 1,
        registry_id: ids['Amélie & Jonas'],
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
        await evaluate(
          site,
          `$file = wp_upload_bits( "picture-${post}.jpg", null, base64_decode( '${jpeg.toString('base64')}' ) );
          $id = wp_insert_attachment( array( 'post_mime_type' => 'image/jpeg', 'post_title' => 'Picture' ), $file['file'], ${post} );
          list( $width, $height ) = getimagesize( $file['file'] );
          wp_update_attachment_metadata( $id, array( 'width' => $width, 'height' => $height, 'file' => _wp_relative_upload_path( $file['file'] ) ) );
          return set_post_thumbnail( ${post}, $id );`,
        );
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
