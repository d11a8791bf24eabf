// A WordPress with theme and plugin, filled with registries as people would write them. The items come over HTTP from a
// server that answers as the item service does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWordPress, type WordPress, type WordPressOptions } from '../../plugin/dev/wordpress.ts';
import {
  evaluate,
  itemsOf,
  php,
  type RecordingService,
  recordingService,
  type TestItem,
} from '../../plugin/test/site.ts';

const pictures = join(import.meta.dirname, 'pictures');

type Wish = Pick<TestItem, 'name' | 'url'> & {
  description?: string;
  retailer?: string;
  price?: number;
  picture?: string;
  quantity_needed?: number;
  quantity_purchased?: number;
};

const wishes: Wish[] = [
  {
    name: 'Enamelled cast-iron cocotte',
    description: 'Forest green, 26 cm. For Sunday stews and the bread we keep promising to bake.',
    url: 'https://shop.example/cocotte',
    retailer: 'Maison Bérard',
    price: 289,
    picture: 'cocotte',
  },
  {
    name: 'Washed linen bedding',
    description: 'In any of these four colours. We like them mixed.',
    url: 'https://shop.example/linen',
    retailer: 'Linnéa',
    price: 129.5,
    picture: 'linen',
    quantity_needed: 3,
    quantity_purchased: 1,
  },
  {
    name: 'Hand-blown wine glasses',
    description: 'One is a present. Twelve are a party.',
    url: 'https://shop.example/glasses',
    retailer: 'Glashütte Wolf',
    price: 24,
    picture: 'glasses',
    quantity_needed: 12,
    quantity_purchased: 8,
  },
  {
    name: 'Terracotta table lamp',
    description: 'For the reading corner under the stairs.',
    url: 'https://shop.example/lamp',
    retailer: 'Studio Lume',
    price: 98,
    picture: 'lamp',
  },
  {
    name: 'A picnic blanket, woven by somebody you know',
    description: 'No shop has it: Jonas’s aunt Łucja will tell you more.',
    url: 'https://shop.example/blanket',
  },
  {
    name: 'Little olive tree',
    url: 'https://shop.example/olive',
    retailer: 'Gärtnerei Anders',
    price: 45,
    picture: 'olive',
  },
  {
    name: 'Stand mixer',
    description: 'Rose, because life is short.',
    url: 'https://shop.example/mixer',
    retailer: 'Maison Bérard',
    price: 449,
    picture: 'mixer',
    quantity_purchased: 1,
  },
  {
    name: 'Moka pot for six',
    url: 'https://shop.example/moka',
    retailer: 'Caffè Nerino',
    price: 38.9,
    picture: 'moka',
    quantity_purchased: 1,
  },
  {
    name: 'Wicker pram',
    description: 'No hurry. But one day.',
    url: 'https://shop.example/pram',
    retailer: 'Kinderwagen Sommer',
    price: 520,
    picture: 'pram',
  },
];

const registries = [
  {
    title: 'A nursery for Ida',
    status: 'publish',
    type: 'Baby shower',
    date: '2027-03-06',
    story: [
      'She is due with the first crocuses. We have a cot, a name and no idea: anything on this list helps.',
    ],
  },
  {
    title: 'The house on Tanner’s Lane',
    status: 'publish',
    type: 'Housewarming',
    date: '2027-09-18',
    story: ['Four rooms, one kettle. Come and see it in September; the garden already has chairs.'],
  },
  {
    title: 'Grandma Ruth turns eighty',
    status: 'publish',
    type: 'Birthday',
    date: '2027-01-23',
    story: ['She says she needs nothing. We asked her sister.'],
  },
  {
    title: 'Sofía & Mateo',
    status: 'publish',
    type: 'Wedding',
    date: '2027-05-01',
    story: ['A civil ceremony, a long lunch and dancing until the neighbours join in.'],
  },
  {
    title: 'Two cradles, please',
    status: 'publish',
    type: 'Twins',
    date: '2027-04-10',
    story: ['The doctor counted twice. So did we.'],
  },
  {
    title: 'For Noor’s first studio',
    status: 'private',
    type: 'Graduation',
    date: '2027-07-02',
    story: ['Brushes, light and a table big enough.'],
  },
  {
    title: 'Amélie & Jonas',
    status: 'publish',
    type: 'Wedding',
    date: '2027-06-12',
    story: [
      'We met over a broken coffee machine, and eight years later we are still arguing about how to make the first cup of the day.',
      'In June we marry in the garden in Montefiore, under the two cypresses, with everybody we love at one long table. You being there is all we wish for. Since some of you have asked: our kitchen is small, our plans are not, and these are things we would use every day and think of you.',
    ],
  },
];

export interface SampleSite extends WordPress {
  /** Where the items and their pictures come from. */
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
    // The plugin shows a price as a number; which currency it is in only the site knows.
    muPlugin: `add_filter( 'trousseau_price', fn( $price ) => '€ ' . $price );`,
    ...options,
  }).catch(async (error) => {
    await service.close();
    throw error;
  });
  const stop = async () => {
    await Promise.all([site.stop(), service.close()]);
  };
  try {
    const ids = await evaluate(
      site,
      `update_option( 'blogdescription', 'Gift lists for the days that matter' );
      update_option( 'date_format', 'j F Y' );
      update_option( 'show_avatars', 0 ); // they would come from gravatar.com
      wp_update_post( array( 'ID' => 2, 'post_title' => 'Our story', 'post_name' => 'our-story', 'post_content' => '<!-- wp:paragraph --><p>Two friends who received five toasters.</p><!-- /wp:paragraph -->' ) );
      $ids = array();
      foreach ( ${php(registries)} as $i => $one ) {
        $ids[ $one['title'] ] = wp_insert_post( array(
          'post_type' => 'registry', 'post_status' => $one['status'], 'post_title' => wp_slash( $one['title'] ), 'post_author' => 2,
          'post_date' => sprintf( '2026-10-%02d 10:00:00', $i + 1 ),
          'post_content' => implode( "\\n\\n", array_map( fn( $p ) => "<!-- wp:paragraph -->\\n<p>$p</p>\\n<!-- /wp:paragraph -->", $one['story'] ) ),
        ) );
        update_post_meta( $ids[ $one['title'] ], 'registry_event_type', $one['type'] );
        update_post_meta( $ids[ $one['title'] ], 'registry_event_date', $one['date'] );
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
        image_url: picture ? `${service.url}/pictures/${picture}.svg` : null,
      },
    ]);
    const answerItems = itemsOf(new Map(rows));
    service.answer = (request) => {
      const picture = /^\/pictures\/(\w+\.svg)$/.exec(request.path)?.[1];
      if (!picture) return answerItems(request);
      return {
        headers: { 'content-type': 'image/svg+xml' },
        body: readFileSync(join(pictures, picture), 'utf8'),
      };
    };
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
