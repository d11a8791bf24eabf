// Fills a new site as if it had been used for a while: people, lists of each kind with pictures, guests, given gifts and shares, and
// one list whose day is over. It works as people do: through the service and the site's own pages.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, type RegistryCreate } from 'trousseau-client';
import { furnish } from '../dev/sample/furnish.ts';
import { type List, registries, type Wish, wishes } from '../dev/sample/lists.ts';
import { addAttachment, type Call, inTurn, setFeaturedImage, setOption } from '../dev/wordpress/set-up.ts';
import { addUser, decoded, fieldsOf, type Visitor, visit } from '../dev/wordpress/site.ts';
import type { WordPress } from '../dev/wordpress/wordpress.ts';

export interface Person {
  username: string;
  /** The password for the site's login page. */
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
  alice: { name: 'Amélie', who: 'owns the lists: /registries/mine/' },
  jonas: { name: 'Jonas', who: 'owns “Amélie & Jonas” together with her' },
  bob: { name: 'Bob', who: 'is invited to the lists, and gives: /registries/my-gifts/' },
  carol: { name: 'Carol', who: 'has an account and is invited to nothing' },
};

const guest = 'ruth@example.org';

/** A gift, or a group gift with its quantity in cents. Without a shop it has the list's own address. */
type Gift = Omit<Wish, 'url'> & { url?: string; unit?: 'money' };

const withPicture = (name: string) => wishes.find(({ picture }) => picture === name)!;

const wedding: Gift[] = [
  ...wishes.map(({ url, ...wish }) =>
    /No shop has it/.test(wish.description ?? '') ? wish : { ...wish, url },
  ),
  {
    name: 'A bottle for the cellar',
    description: 'As many as you like: we mean to grow old here.',
    url: 'https://shop.example/wine',
    price: 19,
    quantity_needed: 2_147_483_647,
  },
  {
    name: 'Two weeks in Lisbon',
    description: 'Our honeymoon, by train.',
    unit: 'money',
    quantity_needed: 150_000,
  },
];

const { price: _, ...pram } = withPicture('pram');
const nursery: Gift[] = [
  { ...pram, description: 'It is time.', unit: 'money', quantity_needed: 52_000 },
  { ...withPicture('lamp'), description: 'For the nights. A dim one.' },
  { name: 'Cotton blankets', url: 'https://shop.example/blankets', price: 18.5, quantity_needed: 4 },
];

const house: Gift[] = [
  { ...withPicture('olive'), description: 'For the bare corner by the gate.' },
  { name: 'A kettle that whistles', url: 'https://shop.example/kettle', price: 34 },
];

const birthday: Gift[] = [
  { ...withPicture('linen'), description: 'She likes it ironed. We do, too.', quantity_needed: 1 },
  { ...withPicture('glasses'), description: 'For the sherry.', quantity_needed: 6 },
];

const DAY_MS = 24 * 60 * 60 * 1000;

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

/** `say` hears of each list that is made. */
export async function fillSample(
  site: WordPress,
  service: string,
  say: (step: string) => void,
): Promise<Sample> {
  await furnish(site);
  await setOption(site, 'users_can_register', '1');
  await setOption(site, 'trousseau_approval', '');
  // New lists begin in the currency of the site's place, as the sample lists are in euros.
  await setOption(site, 'timezone_string', 'Europe/Dublin');
  const logins: Record<string, string> = {};
  const users = { ...site.users, jonas: await addUser(site, 'jonas', 'subscriber') };
  const changes = Object.entries(parts).map(([login, { name }]): Call => {
    const password = `${login}-${randomBytes(2).toString('hex')}`;
    logins[login] = password;
    const { id } = users[login as keyof typeof parts];
    return ['wp_update_user', { ID: id, display_name: name, first_name: name, user_pass: password }];
  });
  await inTurn(site, ['add_filter', 'send_password_change_email', '__return_false'], ...changes);
  const { admin, alice, bob } = site.users;
  const as = (user: typeof alice) => createClient({ env: {}, baseUrl: service, ...user });
  const [owner, friend, keeper] = [as(alice), as(bob), as(admin)];

  const makeList = async (
    { title, status, type, date, story }: List,
    gifts: Gift[],
    meta: RegistryCreate['meta'] = {},
  ) => {
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
        registry_invitees: ['bob'],
        ...meta,
      },
    };
    const list = await patiently((key) => owner.registries.create(registry, key));
    const items: Record<string, number> = {};
    // All at once: the service then asks the site once for many. The list gets its order afterwards.
    await Promise.all(
      gifts.map(async ({ picture, quantity_purchased: _, ...gift }) => {
        const image_url = picture ? `${site.url}/wp-content/uploads/sample/${picture}.svg` : null;
        const item = { url: list.permalink, ...gift, image_url };
        const { data } = await patiently((key) => owner.registries.items.create(list.id, item, key));
        items[gift.name] = data.id;
      }),
    );
    const order = gifts.map(({ name }) => items[name]!);
    await patiently(() => owner.registries.update(list.id, { meta: { registry_item_ids: order } }));
    const page = (name: string) => `/registries/${list.id}/${name}/`;
    return { id: list.id, path: new URL(list.permalink).pathname, items, page };
  };
  type Made = Awaited<ReturnType<typeof makeList>>;
  const named = (title: string) => registries.find((list) => list.title === title)!;
  const give = (from: typeof keeper, list: Made, name: string, claim: object) =>
    patiently((key) => from.registries.items.claims.create(list.id, list.items[name]!, claim, key));
  const change = (id: string, changes: object) => patiently(() => keeper.claims.update(id, changes));
  const ruth = { name: 'Ruth Applebaum', email: guest };
  const [owning, giving] = await Promise.all([
    visit(site, { ...alice, login: logins.alice! }),
    visit(site, { ...bob, login: logins.bob! }),
  ]);

  const fillWedding = async () => {
    const list = await makeList(named('Amélie & Jonas'), wedding, {
      registry_owners: ['jonas'],
      registry_pay_to: 'DE89 3704 0044 0532 0130 00, Amélie Martin',
    });
    await Promise.all([
      give(keeper, list, 'Stand mixer', {
        state: 'purchased',
        giver: { name: 'Maison Bérard’s friends' },
      }),
      give(keeper, list, 'Hand-blown wine glasses', {
        quantity: 8,
        giver: ruth,
        message: 'For long evenings.',
      }),
      give(friend, list, 'Moka pot for six', {
        state: 'purchased',
        message: 'No more broken coffee machines!',
      }),
      give(keeper, list, 'Two weeks in Lisbon', { quantity: 15_000, state: 'purchased', giver: ruth }),
      give(friend, list, 'Two weeks in Lisbon', { quantity: 20_000, message: 'Send us a postcard!' }),
    ]);
    const { basedir } = await site.call('wp_upload_dir');
    const drawing = { post_mime_type: 'image/svg+xml', post_title: 'Evening over hills' };
    const picture = await addAttachment(site, drawing, `${basedir}/sample/evening.svg`, list.id);
    const size = { width: 1600, height: 800, file: 'sample/evening.svg' };
    await site.call('wp_update_attachment_metadata', picture, size);
    await setFeaturedImage(site, list.id, picture);
    await send(owning, list.page('details'), 'change', {
      delivery: 'Amélie & Jonas\nVia dei Cipressi 2\n53024 Montefiore',
      extras: 'yes',
    });
    const gifts = list.page('gifts');
    const wanted = `${gifts}?item=${list.items['Enamelled cast-iron cocotte']}`;
    await send(owning, wanted, 'change', { most_wanted: '1', section: 'In the kitchen' });
    await send(owning, `${gifts}?item=${list.items['Little olive tree']}`, 'got');
    await send(owning, `${gifts}?by-hand=1`, 'add', {
      ...{ name: 'Espresso cups', price: '38', quantity: '6', section: 'In the kitchen', draft: '1' },
    });
    await send(giving, list.page('secret'), 'add', { text: 'A ride in a balloon over Montefiore' });
    return list;
  };

  const fillNursery = async () => {
    const list = await makeList({ ...named('A nursery for Ida'), status: 'private' }, nursery, {
      registry_surprise_until: '2027-03-07',
      registry_surprise_keeps: 'names',
      registry_pay_to: 'in an envelope',
    });
    await give(friend, list, 'Cotton blankets', { quantity: 2 });
    await give(keeper, list, 'Wicker pram', { quantity: 10_000, state: 'purchased', giver: ruth });
    const share = await give(friend, list, 'Wicker pram', { quantity: 15_000 });
    await change(share.id, { buys: true, pay_to: 'paypal.me/bob-example' });
    // Invitations are emails, so they are sent from the page.
    await send(owning, list.page('guests'), 'invite', {
      guests: guest,
      note: 'We would love to have you with us.',
    });
    return list;
  };

  const fillHouse = async () => {
    const list = await makeList({ ...named('The house on Tanner’s Lane'), status: 'private' }, house);
    await send(owning, list.page('details'), 'change', { status: 'link' });
    const seen = (await owning(list.page('guests'))).text;
    const link = /data-share="([^"]+)"/.exec(seen)?.[1];
    if (!link) throw new Error('The page of guests shows no link');
    return { ...list, path: decoded(link).replace(site.url, '') };
  };

  const fillBirthday = async () => {
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
    const list = await makeList(
      { ...named('Grandma Ruth turns eighty'), status: 'private', date: ago(14) },
      birthday,
    );
    const linen = await give(friend, list, 'Washed linen bedding', { state: 'purchased' });
    const glasses = { quantity: 6, state: 'purchased', message: 'To your health!' };
    await give(keeper, list, 'Hand-blown wine glasses', { ...glasses, giver: { name: 'The choir' } });
    await change(linen.id, { thanked: true });
    await send(owning, list.page('given'), 'here', { claim: linen.id });
    await send(owning, list.page('details'), 'change', { closes: ago(7) });
    return list;
  };

  let made = 0;
  const fills = [fillWedding, fillNursery, fillHouse, fillBirthday].map(async (fill) => {
    const list = await fill();
    say(`Making the sample: ${++made} of 4 lists`);
    return list;
  });
  const [married, born, moved, celebrated] = (await Promise.all(fills)) as [Made, Made, Made, Made];

  return {
    people: Object.entries(parts).map(([username, { who }]) => ({
      username,
      password: logins[username]!,
      who,
    })),
    lists: [
      { path: married.path, what: 'a public list of two owners: anybody may give, without an account, too' },
      {
        path: born.path,
        what: 'a private list (log in as bob): for its owner and its guests, several of whom buy the pram',
      },
      { path: moved.path, what: 'a list for anyone with this link' },
      {
        path: celebrated.path,
        what: 'a list whose day is over (log in as bob): its guests read a thank-you',
      },
    ],
  };
}

/** Sends a form as the person who has opened its page. */
async function send(
  person: Visitor,
  page: string,
  action: string,
  fields: Record<string, string> = {},
): Promise<void> {
  const form = fieldsOf((await person(page)).text, action);
  if (!form) throw new Error(`The page ${page} has no form “${action}”`);
  const { status } = await person(page, { ...form, ...fields });
  if (status !== 303) throw new Error(`The page ${page} answers “${action}” with ${status}`);
}
