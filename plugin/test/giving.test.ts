// Giving, with the service as it ships, as far as it takes cookies, caches, presses at the same time or a crowd. GiveTest.php has who may
// give, and what a form asks for and says.
// @again wordpress
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Call, inSeconds } from '../../dev/wordpress/set-up.ts';
import { addUser, decoded, faultsIn, fieldsOf } from '../../dev/wordpress/site.ts';

// Every page asks the service, whatever it has cached.
describeSite('giving', { muPlugins: ['clock', 'no-kept-gifts', 'test-network'] }, (site) => {
  const { bob, nobody } = site.visitors;
  const wanting = (quantity_needed: number, fields = {}) =>
    site.list({ status: 'publish', ...fields }, { name: 'Glasses', quantity_needed });
  const states = async (registry: number) => {
    const { claims } = (await site.client('admin').registries.claims.list(registry))!;
    return claims.map(({ quantity, state }) => `${quantity} ${state}`).sort();
  };

  test('a form that is sent again, or twice at once, is one gift and one mail', async () => {
    await site.mails();
    const list = await wanting(6);
    const fields = await bob.form(list.give(), 'give');
    const answers = await Promise.all([1, 2, 3].map(() => bob(list.give(), fields)));
    answers.push(await bob(list.give(), fields));
    for (const { status } of answers) assert.equal(status, 303);
    assert.match((await bob(answers[3]!.headers.get('location')!)).text, /reserved for you/);
    assert.deepEqual(await states(list.id), ['1 reserved']);
    const mails = (await site.mails()).map(({ to, subject }) => `${to} ${subject}`);
    assert.deepEqual(mails, ['bob@example.test “Glasses” is reserved for you']);
    const { key } = await bob.form(list.give(), 'give');
    assert.notEqual(key, fields.key, 'whoever comes back may give more');
  });

  test('people who sign in on the family’s computer see nothing of a guest’s gift there', async () => {
    const meta = { registry_surprise_until: 'always', registry_invitees: ['aunt@example.org', 'carol'] };
    const { id, path, give } = await site.list({ meta }, 'Glasses', 'Pan', 'Vase');
    const device = await site.guest(id, 'aunt@example.org');
    const fields = { giver: 'Aunt', message: 'Whispered' };
    await device.press(give(0), 'give', fields);
    const seen = (await device(path)).text;
    assert.match(seen, /reserved for you/);
    const mine = site.local(/class="trousseau-mine"[^>]*href="([^"]*)"/.exec(seen)![1]!);
    assert.match((await device(mine)).text, /Glasses/);
    // The next sentence waits while somebody else signs in.
    await device.press(give(1), 'give', fields);
    for (const who of ['alice', 'carol'] as const) {
      const { username, login } = site.users[who];
      assert.equal((await device('/wp-login.php', { log: username, pwd: login })).status, 302);
      const { text } = await device(path);
      assert.match(text, /Glasses/);
      assert.doesNotMatch(text, /trousseau-mine|reserved for you|Aunt|Whispered/, who);
      assert.doesNotMatch((await device('/registries/my-gifts/')).text, /Glasses|Pan|Whispered/, who);
    }
    assert.equal((await device.form(give(2), 'give')).giver ?? '', '');
    // An owner who opens the giver's link, or the mail's, learns nothing either.
    const { alice } = site.visitors;
    const { text } = await alice(mine);
    assert.match(text, /no longer exists/);
    assert.doesNotMatch(text, /Glasses|Whispered/);
    assert.notEqual((await alice(mine, { do: 'release' })).status, 303);
    const sent = await site.sealed('my-gifts', `${inSeconds(3600)} aunt@example.org`);
    const byMail = `/registries/my-gifts/?of=${encodeURIComponent(sent)}`;
    assert.match((await nobody(byMail)).text, /Glasses.*Pan|Pan.*Glasses/s);
    assert.doesNotMatch((await alice(byMail)).text, /Glasses|Whispered/);
  });

  test('people whom nobody invited mark no more than that, however fast they are', async () => {
    await site.setOptions({ 'test_limits_at once': { gifts: 1 }, 'test_limits_by mail': { gifts: 2 } });
    const list = await site.list({ status: 'publish' }, 'One', 'Two', 'Three', 'Four');
    const press = async (_: number, place: number) => {
      const form = await bob.form(list.give(place), 'give');
      // Presses again where the service is too busy just now, as the page says.
      return until('the press is taken', async () => {
        const answer = await bob(list.give(place), { ...form, state: 'purchased' });
        return !/save your gift right now/.test(answer.text) && answer;
      });
    };
    const answers = await Promise.all(list.items.map(press));
    assert.deepEqual(await states(list.id), ['1 pending', '1 purchased']);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 303, 422, 422]);
    await site.setOptions({ 'test_limits_at once': null, 'test_limits_by mail': null });
  });

  test('a form that is sent after its session was over is filled in again once its sender is back', async () => {
    const sissy = await addUser(site, 'sissy', 'subscriber');
    const meta = { registry_invitees: ['sissy'] };
    const { give, id } = await site.list({ meta }, { name: 'Glasses', quantity_needed: 6 }, 'Other');
    const visitor = await site.visit(sissy);
    const form = await visitor.form(give(), 'give');
    const typed = { ...form, count: '4', state: 'purchased', message: 'With love' };
    await site.endSessions(sissy.id);
    const refusal = await visitor(give(), typed);
    assert.equal(refusal.status, 404, 'nobody learns that there is a list');
    assert.doesNotMatch(refusal.text, /Sorry|Ann & Sam|Glasses|This link doesn’t work|no list here/);
    assert.match(refusal.text, /What you’ve typed is saved/);
    const back = new URL(decoded(/href="([^"]*wp-login\.php\?redirect_to=[^"]*)"/.exec(refusal.text)![1]!));
    const here = site.url + give();
    assert.equal(back.searchParams.get('redirect_to'), here);
    // Other pages don't show the text, and the site keeps no form from another site.
    const elsewhere = { origin: 'https://elsewhere.example' };
    assert.equal((await visitor(give(), { ...typed, message: 'x' }, elsewhere)).status, 404);
    const login = { log: sissy.username, pwd: sissy.login, redirect_to: here };
    assert.equal((await visitor('/wp-login.php', login)).headers.get('location'), here);
    assert.equal((await visitor.form(give(1), 'give')).message, '');
    const again = (await visitor(give())).text;
    assert.match(again, /role="status"[^>]*>Here’s what you typed. Nothing is saved yet/);
    const resumed = fieldsOf(again, 'give')!;
    assert.deepEqual([resumed.count, resumed.state, resumed.message], ['4', 'purchased', 'With love']);
    assert.deepEqual(await states(id), []);
    assert.equal((await visitor(give(), resumed)).status, 303);
    assert.deepEqual(await states(id), ['4 purchased']);
    assert.equal((await visitor.form(give(), 'give')).message, '', 'once');
    // Malformed fields break neither keeping nor resuming a form.
    const mine = '/registries/mine/';
    const stranger = await site.visit();
    assert.equal((await stranger(mine, { 'do[x]': 'y', 'file[]': 'z' })).status, 403);
    await stranger('/wp-login.php', login);
    assert.equal((await stranger(mine)).status, 200);
  });

  test('a form stays filled in however long it is, within the limits for strangers', async () => {
    const { details } = await site.list();
    const { username, login, id } = site.users.alice;
    const visitor = await site.visit('alice');
    const fields = await visitor.form(details, 'change');
    const signIn = { log: username, pwd: login, redirect_to: site.url + details };
    const rows = () => site.keptRows('typed_');
    /** Whether the site keeps the form of somebody who is signed out. */
    const isKept = async (story: string, network: string) => {
      const { status, text } = await visitor(details, { ...fields, story }, { 'x-test-network': network });
      const said = /What you’ve typed is saved|We couldn’t save what you’ve typed/.exec(text)?.[0];
      assert.ok(status === 404 && said, text);
      return said.startsWith('What');
    };

    // The story has 20,000 characters of four and two bytes.
    const story = `Schöne Grüße, ihr Lieben!\n${'🎁ü'.repeat(10_000)}`.slice(0, -39);
    assert.equal([...story].length, 20_000);
    await site.forgetValues('typed_');
    await site.endSessions(id);
    assert.equal(await isKept('First', '192.0.2.1'), true);
    assert.equal(await isKept(story, '192.0.2.1'), true);
    const [row, ...more] = await rows();
    assert.equal(more.length, 0, 'one of a device');
    assert.doesNotMatch(row!.value!, /Grüße|u00fc/);
    assert.equal((await visitor('/wp-login.php', signIn)).headers.get('location'), signIn.redirect_to);
    const resumed = await visitor.form(details, 'change');
    assert.equal(resumed.story, story);
    assert.deepEqual(await rows(), [], 'once');
    assert.equal((await visitor(details, resumed)).status, 303);
    assert.equal((await visitor.form(details, 'change')).story, story);

    // A page that couldn't keep the text says so; loading it again sends the same form.
    await site.endSessions(id);
    const much = '🎁'.repeat(40_000);
    const refusal = await visitor(details, { ...fields, story: much });
    assert.match(refusal.text, /We couldn’t save what you’ve typed[^<]*reload this page/);
    assert.match(refusal.text, /href="[^"]*wp-login\.php[^"]*" target="_blank"/);
    assert.deepEqual(await rows(), []);
    await visitor('/wp-login.php', signIn);
    const again = await visitor(details, { ...fields, story: much });
    assert.match(faultsIn(again), /20,000 characters at most/);
    assert.equal(fieldsOf(again.text, 'change')!.story, much);

    // Forms are limited by hour and network and by their number at a time, and expire soon.
    await site.endSessions(id);
    for (let count = 1; count <= 20; count++) assert.equal(await isKept('Much', '192.0.2.2'), true);
    assert.equal(await isKept('Much', '192.0.2.2'), false);
    assert.equal(await isKept('Much', '192.0.2.3'), true);
    const many = (seconds: number) => {
      const name = `typed_${inSeconds(-seconds)}`;
      const keep = (_: unknown, n: number): Call => ['keep_value', `${name}_${n}`, 'x', 1800 - seconds];
      return site.inTurn(...Array.from({ length: 200 }, keep));
    };
    await many(600);
    assert.equal(await isKept('Much', '192.0.2.4'), false);
    await site.runJobs('sweep');
    assert.equal((await rows()).length, 200);
    await site.forgetValues('typed_');
    await many(1900);
    assert.equal(await isKept('Late', '192.0.2.4'), true);
    await site.ageValues('typed_', 86_400);
    await site.runJobs('sweep');
    assert.deepEqual(await rows(), []);
  });
});

// The service asks this site for facts that it doesn't remember, while every PHP worker may be in a page that waits for it.
const service = { REGISTRY_CACHE_TTL: '0' };

describeSite('a crowd that gives at once', { muPlugins: ['test-network'], service }, (site) => {
  const CROWD = 12;

  test('doesn’t wait for itself, and people who look at the list don’t wait for it', async () => {
    const glasses = { name: 'Glasses', quantity_needed: CROWD + 1 };
    const { id, items, give } = await site.list({ status: 'publish' }, glasses);
    const { claims } = site.client('admin').registries.items;
    await claims.create(id, items[0]!, { state: 'purchased', giver: { name: 'May' } });
    // The form is some seconds old: the site makes only a few early forms wait, no crowd. Each that lacks a key is one of its own.
    const since = await site.formStamp(60);
    const form = { ...(await site.visitors.nobody.form(give(), 'give')), key: '', since };
    const crowd = await Promise.all(Array.from({ length: CROWD }, () => site.visit()));
    const gave = crowd.map(async (visitor, n) => {
      const own = { ...form, giver: `Guest ${n}`, email: `guest${n}@example.org` };
      return (await visitor(give(), own, { 'x-test-network': `198.51.100.${n}` })).status;
    });
    assert.deepEqual(new Set(await Promise.all(gave)), new Set([303]));

    const alice = await site.visit('alice');
    const asked = await Promise.all(
      crowd.map(async (visitor) => {
        const [own, given] = await Promise.all([
          visitor('/registries/my-gifts/'),
          alice(`/registries/${id}/given/`),
        ]);
        const link = /href="([^"]*\/gift\/[^"]*)"/.exec(own.text)![1]!;
        return [own, given, await visitor(site.local(decoded(link)))];
      }),
    );
    for (const { status, text } of asked.flat()) {
      assert.equal(status, 200);
      assert.match(text, /Glasses/);
    }
  });
});
