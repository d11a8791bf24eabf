// The page to which the mail to a new owner leads: signing in or making an account there, and being an owner then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { linkIn } from '../../dev/wordpress/mail.ts';
import {
  addUser,
  decoded,
  faultsIn,
  fieldsOf,
  formWith,
  listIn,
  type Visitor,
} from '../../dev/wordpress/site.ts';

const PASSWORD = `It's "our" <list> \\ 1`;

// A database that takes its time over a list of owners where a test says so.
const muPlugin = `add_action( 'update_post_meta', static function ( $meta, $post, $key ): void {
  $key === 'registry_owners' && usleep( 1000 * (int) get_option( 'test_slow_owners' ) );
}, 99, 3 );`;

describeSite('the link of a new owner', { muPlugin }, (site) => {
  const { alice } = site.visitors;

  const stranger = () => site.visit();
  const ownersOf = async (id: number): Promise<string[]> =>
    JSON.parse((await site.postMeta(id, 'registry_owners')) || '[]');
  const registry = async () =>
    (await site.list({ title: 'Us', meta: { registry_event_date: '2035-05-30' } })).id;
  async function add(id: number, person: string): Promise<string> {
    await site.mails();
    assert.equal((await alice(`/registries/${id}/people/`, { do: 'add', person })).status, 303);
    const [mail, ...others] = await site.mails();
    assert.deepEqual([others, mail!.subject], [[], 'You’re now an owner of “Us”']);
    assert.match(mail!.text, person.includes('@') ? /with this email, sam/ : /Open the list/);
    return linkIn(mail!, '/owner/');
  }
  const remove = (id: number, person: string) => alice(`/registries/${id}/people/`, { do: 'remove', person });
  const account = (person = 'Sam Hill') => ({ person, password: PASSWORD });
  const make = async (visitor: Visitor, link: string, typed: Record<string, string> = account()) =>
    visitor(link, { ...(fieldsOf((await visitor(link)).text, 'make') ?? { do: 'make' }), ...typed });
  const may = async (visitor: Visitor, id: number) => (await visitor(`/registries/${id}/details/`)).status;
  /** Types name and password into the page's own form, as a browser does. */
  async function logIn(visitor: Visitor, link: string, log: string, pwd: string): Promise<string | null> {
    const { text } = await visitor(link);
    const form = formWith(text, 'name="pwd"') ?? assert.fail(text);
    assert.ok(text.includes(`action="${site.url}/wp-login.php"`));
    const { status, headers } = await visitor('/wp-login.php', { ...form, log, pwd });
    return status === 302 ? headers.get('location')!.replace(site.url, '') : null;
  }
  let people = 0;
  const address = () => `sam${++people}@example.org`;

  test('a partner without an account makes one on that page, and owns the list by the same press', async () => {
    const [id, sam] = [await registry(), address()];
    const link = await add(id, sam);
    assert.ok(!decodeURIComponent(link).includes('sam'), 'no address in an address');
    const visitor = await stranger();
    const page = await visitor(link);
    assert.match(page.text, new RegExp(`You’ll log in with ${sam}`));
    assert.match(page.headers.get('cache-control')!, /no-store/);
    assert.match(page.headers.get('x-robots-tag')!, /noindex/);
    assert.equal(page.headers.get('referrer-policy'), 'same-origin');
    assert.doesNotMatch(page.text, /2035|og:title/);
    const found = await site.call('username_exists', 'samhill');
    assert.equal(found, false, 'a link does nothing by being looked at');

    for (const [person, password, why] of [
      ['', PASSWORD, /Please enter your name/],
      ['Sam', 'short', /Use at least 8 characters/],
      ['Sam', '', /Use at least 8 characters/],
    ] as const) {
      const faulty = await make(visitor, link, { person, password });
      assert.match(faultsIn(faulty), why);
      assert.doesNotMatch(faulty.text, /short"/, 'no page shows a password');
    }
    const elsewhere = { origin: 'https://elsewhere.example' };
    assert.equal((await visitor(link, { do: 'make', ...account() }, elsewhere)).status, 403);
    assert.equal(await may(visitor, id), 404);

    await site.mails();
    const made = await make(visitor, link);
    assert.equal(listIn(made), id);
    assert.match((await visitor(`/registries/${id}/gifts/`)).text, /You’re now an owner of “Us”/);
    assert.equal(await may(visitor, id), 200);
    assert.deepEqual(await ownersOf(id), [sam]);
    const user = await site.call('get_user_by', 'email', sam);
    const shown = [user.data.display_name, user.data.user_login, user.roles];
    assert.deepEqual(shown, ['Sam Hill', 'samhill', [await site.option('default_role')]]);
    assert.doesNotMatch(user.data.user_nicename, /example/, 'public addresses tell nobody’s mail address');
    assert.deepEqual(await site.mails(), [], 'nobody has to open another mail');

    assert.equal((await make(visitor, link)).status, 303, 'pressed twice');
    assert.match((await visitor(link)).text, /Open the list/);
    const other = await stranger();
    assert.equal(fieldsOf((await other(link)).text, 'make'), undefined, 'the address has its account');
    assert.equal(await logIn(other, link, sam, PASSWORD), link);
    assert.equal(await may(other, id), 200);
  });

  test('two presses at once make one account, and nobody else enters it', async () => {
    const [id, sam] = [await registry(), address()];
    const link = await add(id, sam);
    const visitors = await Promise.all([stranger(), stranger(), stranger()]);
    const typed = [account('Kim'), account('Kim'), { person: 'Kim', password: 'another password' }];
    const press = async (n: number) => (await visitors[n]!(link, { do: 'make', ...typed[n]! })).status;
    assert.deepEqual([await press(0), ...(await Promise.all([1, 2].map(press)))], [303, 303, 422]);
    assert.deepEqual(await Promise.all(visitors.map((visitor) => may(visitor, id))), [200, 200, 404]);
    const both = await Promise.all([stranger(), stranger()]);
    const next = await add(id, address());
    const made = await Promise.all(both.map((visitor) => visitor(next, { do: 'make', ...account('Kim') })));
    assert.deepEqual(made.map(listIn), [id, id]);
    const names = await site.call('get_users', { search: 'kim*', fields: 'user_login' });
    assert.equal(names.length, 2, names.join());
  });

  test('an account is open to that press for a minute, and then to its password where others sign in', async () => {
    const [id, sam] = [await registry(), address()];
    const link = await add(id, sam);
    assert.equal((await make(await stranger(), link, account('Lou'))).status, 303);
    const { ID } = await site.call('get_user_by', 'email', sam);
    await site.call('wp_update_user', { ID, user_registered: '2020-01-01 00:00:00' });
    const visitor = await stranger();
    assert.equal((await visitor(link, { do: 'make', ...account('Lou') })).status, 422);
    assert.equal(await may(visitor, id), 404);
  });

  test('somebody who has an account with another address signs in, presses once, and the link is theirs', async () => {
    const [id, sam] = [await registry(), address()];
    const link = await add(id, sam);
    const bob = await stranger();
    assert.equal(await logIn(bob, link, 'bob', 'wrong'), null);
    assert.equal(await logIn(bob, link, 'bob', site.users.bob.login), link);
    const asked = await bob(link);
    const found = decoded(asked.text);
    assert.match(found, new RegExp(`You’re logged in as bob, but the email was sent to ${sam}`));
    assert.deepEqual([await may(bob, id), await ownersOf(id)], [404, [sam]]);
    await site.setOption('test_slow_owners', 1500);
    let pending = true;
    const presses = Promise.all([1, 2].map(() => bob(link, fieldsOf(asked.text, 'take')!)));
    const taken = presses.finally(() => {
      pending = false;
    });
    const meanwhile = new Set<number>();
    while (pending) meanwhile.add((await bob(link)).status);
    await site.setOption('test_slow_owners', 0);
    assert.deepEqual([...meanwhile], [200], 'the link is theirs at each moment');
    assert.deepEqual((await taken).map(listIn), [id, id]);
    assert.deepEqual([await may(bob, id), await ownersOf(id)], [200, ['bob']]);
    assert.match((await bob(link)).text, /Open the list/);

    const carol = await site.visit('carol');
    const seen = (await carol(link)).text;
    assert.equal(fieldsOf(seen, 'take'), undefined);
    assert.match(seen, /the email was sent to bob/);
    assert.equal((await carol(link, { do: 'take' })).status, 200);
    assert.equal(fieldsOf((await (await stranger())(link)).text, 'make'), undefined);
    assert.deepEqual([await may(carol, id), await ownersOf(id)], [404, ['bob']]);
    await remove(id, 'bob');
    assert.equal((await bob(link)).status, 403);
  });

  test('an owner who was added by user name signs in there', async () => {
    const id = await registry();
    const link = await add(id, 'bob');
    const visitor = await stranger();
    assert.equal(fieldsOf((await visitor(link)).text, 'make'), undefined);
    assert.equal((await make(visitor, link)).status, 422);
    assert.equal(await logIn(visitor, link, 'bob', site.users.bob.login), link);
    assert.match((await visitor(link)).text, new RegExp(`/registries/${id}/gifts/`));
  });

  test('where nobody may register, the page says whom to ask, and people with an account go on', async () => {
    await site.setOption('users_can_register', 0);
    try {
      const [id, sam] = [await registry(), address()];
      await site.setPostMeta(id, { _trousseau_owner_name: 'Alice' });
      const link = await add(id, sam);
      const visitor = await stranger();
      const { text } = await visitor(link);
      assert.equal(fieldsOf(text, 'make'), undefined);
      assert.match(decoded(text), new RegExp(`Ask Alice or the people who run it for an account .* ${sam}`));
      assert.equal((await visitor(link, { do: 'make', ...account('Nia') })).status, 200);
      assert.equal(await site.call('email_exists', sam), false);
      assert.equal(await logIn(visitor, link, 'carol', site.users.carol.login), link);
      assert.equal((await visitor(link, { do: 'take' })).status, 303);
      assert.deepEqual(await ownersOf(id), ['carol']);
    } finally {
      await site.setOption('users_can_register', 1);
    }
  });

  test('an account without a role on this site is told so, and attempts have a limit', async () => {
    const [id, sam] = [await registry(), address()];
    const link = await add(id, sam);
    const nobody = await addUser(site, 'norole', '');
    const visitor = await site.visit(nobody);
    assert.match((await visitor(link)).text, /Your account can’t create lists on this site/);
    assert.equal((await visitor(link, { do: 'take' })).status, 403);
    await site.endSessions(nobody.id);
    const many = await stranger();
    const existing = await add(id, address());
    let answer = await make(many, existing, account('Zoe'));
    for (let n = 0; n < 25 && answer.status !== 422; n++)
      answer = await make(await stranger(), existing, account('Zoe'));
    assert.match(answer.text, /Too many accounts were created in a short time/);
    await site.forgetValues('count_');
  });

  test('on a phone', { skip: skipWithoutChromium() }, async () => {
    const viewport = { width: 390, height: 800 };
    const [id, sam] = [await registry(), address()];
    const link = site.url + (await add(id, sam));
    const page = await site.tab(null, { viewport });
    await page.goto(link);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await page.getByLabel('Your name').fill('Ida');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.waitForURL(`**/registries/${id}/gifts/`);
    const next = await site.tab(null, { viewport });
    await next.goto(link);
    await next.getByLabel('Your email or user name').fill(sam);
    await next.getByLabel('Your password').fill(PASSWORD);
    await next.getByRole('button', { name: 'Log in' }).click();
    await next.getByRole('link', { name: 'Open the list' }).click();
    await next.waitForURL(`**/registries/${id}/gifts/`);
  });
});
