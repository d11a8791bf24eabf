// Fills a new site as if it had been used for a while: people, a public list and a private one with pictures, guests, and
// given gifts. It works as people do, through the service and the site's own pages.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient } from 'trousseau-client';
import { furnish } from '../dev/sample/furnish.ts';
import { type List, registries, type Wish, wishes } from '../dev/sample/lists.ts';
import { addAttachment, type Call, inTurn, setFeaturedImage, setOption } from '../dev/wordpress/set-up.ts';
import { fieldsOf, visit } from '../dev/wordpress/site.ts';
import type { WordPress } from '../dev/wordpress/wordpress.ts';

export interface Person {
  username: string;
  /** The password of the site's own login. */
  password: string;
  who: string;
}

export interface Sample {
  people: Person[];
  /** Paths and their descriptions. */
  lists: { path: string; what: string }[];
}

const parts = {
  admin: { name: 'Ada', who: 'looks after the site: /wp-admin/' },
  alice: { name: 'Amélie', who: 'owns both lists: /registries/mine/' },
  bob: { name: 'Bob', who: 'is invited to the private list, and gives' },
  carol: { name: 'Carol', who: 'has an account and is invited to nothing' },
};

const guest = 'ruth@example.org';

const nursery: Wish[] = [
  { ...wishes.find(({ picture }) => picture === 'pram')!, description: 'It is time.' },
  { ...wishes.find(({ picture }) => picture === 'lamp')!, description: 'For the nights. A dim one.' },
  { name: 'Cotton blankets', url: 'https://shop.example/blankets', price: 18.5, quantity_needed: 4 },
];

/** Repeats requests: WebAssembly PHP is slow on a busy machine. The idempotency key makes a repeat happen once. */
async function patiently<T>(ask: (key: { idempotencyKey: string }) => Promise<T>): Promise<NonNullable<T>> {
  const key = { idempotencyKey: randomUUID() };
  for (let left = 10; ; left--) {
    try {
      return (await ask(key))!;
    } catch (error) {
      // 409: the service is still answering the first attempt.
      const isLate =
        error instanceof ApiError &&
        (error.code === 'api_timeout' || error.data.status === 409 || error.data.status! >= 500);
      if (!isLate || left === 0) throw error;
      await sleep(3000);
    }
  }
}

export async function fillSample(site: WordPress, service: string): Promise<Sample> {
  await furnish(site);
  await setOption(site, 'users_can_register', '1');
  const logins: Record<string, string> = {};
  const changes = Object.entries(parts).map(([login, { name }]): Call => {
    const password = `${login}-${randomBytes(2).toString('hex')}`;
    logins[login] = password;
    const { id } = site.users[login as keyof typeof parts];
    return ['wp_update_user', { ID: id, display_name: name, first_name: name, user_pass: password }];
  });
  await inTurn(site, ['add_filter', 'send_password_change_email', '__return_false'], ...changes);
  const { admin, alice, bob } = site.users;
  const as = (user: typeof alice) => createClient({ env: {}, baseUrl: service, ...user });
  const [owner, friend, keeper] = [as(alice), as(bob), as(admin)];

  const makeList = async ({ title, status, type, date, story }: List, gifts: Wish[], invitees: string[]) => {
    const registry = {
      title,
      status,
      story: story
        .map((text) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`)
        .join('\n\n'),
      meta: {
        registry_event_type: type,
        registry_event_date: date,
        registry_currency: 'EUR',
        registry_invitees: invitees,
      },
    };
    const list = await patiently((key) => owner.registries.create(registry, key));
    const items: Record<string, number> = {};
    for (const { picture, quantity_purchased: _, ...gift } of gifts) {
      const image_url = picture ? `${site.url}/wp-content/uploads/sample/${picture}.svg` : null;
      const item = { ...gift, image_url };
      const { data } = await patiently((key) => owner.registries.items.create(list.id, item, key));
      items[gift.name] = data.id;
    }
    return { id: list.id, path: new URL(list.permalink).pathname, items };
  };
  const named = (title: string) => registries.find((list) => list.title === title)!;
  const [wedding, birth] = await Promise.all([
    makeList(named('Amélie & Jonas'), wishes, ['bob']),
    makeList({ ...named('A nursery for Ida'), status: 'private' }, nursery, ['bob']),
  ]);

  const give = (from: typeof keeper, list: typeof wedding, name: string, claim: object) =>
    patiently((key) => from.registries.items.claims.create(list.id, list.items[name]!, claim, key));
  const ruth = { name: 'Ruth Applebaum', email: guest };
  await give(keeper, wedding, 'Stand mixer', {
    state: 'purchased',
    giver: { name: 'Maison Bérard’s friends' },
  });
  await give(keeper, wedding, 'Hand-blown wine glasses', {
    quantity: 8,
    giver: ruth,
    message: 'For long evenings.',
  });
  await give(friend, wedding, 'Moka pot for six', {
    state: 'purchased',
    message: 'No more broken coffee machines!',
  });
  await give(friend, birth, 'Cotton blankets', { quantity: 2 });

  const { basedir } = await site.call('wp_upload_dir');
  const drawing = { post_mime_type: 'image/svg+xml', post_title: 'Evening over hills' };
  const picture = await addAttachment(site, drawing, `${basedir}/sample/evening.svg`, wedding.id);
  const size = { width: 1600, height: 800, file: 'sample/evening.svg' };
  await site.call('wp_update_attachment_metadata', picture, size);
  await setFeaturedImage(site, wedding.id, picture);
  // The invitation is a mail, so it is made on the page.
  const browser = await visit(site, { ...alice, login: logins.alice! });
  const guests = `/registries/${birth.id}/guests/`;
  const form = fieldsOf((await browser(guests)).text, 'invite');
  if (!form) throw new Error(`The page ${guests} has no form`);
  await browser(guests, { ...form, guests: guest, note: 'We would love to have you with us.' });

  return {
    people: Object.entries(parts).map(([username, { who }]) => ({
      username,
      password: logins[username]!,
      who,
    })),
    lists: [
      { path: wedding.path, what: 'a public list: anybody may give, without an account, too' },
      { path: birth.path, what: 'a private list: for its owner and its guests' },
    ],
  };
}
