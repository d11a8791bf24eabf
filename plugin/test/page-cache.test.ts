// The site with page caches: plugins that write whole pages to disk, and what caches in front are told. The plugins themselves
// can't be installed here; dev/wordpress/page-cache.php behaves like the source of Cache Enabler 1.8.16, WP Super Cache of
// October 2024 and Surge 1.1.0.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { until } from '../../dev/until.ts';
import { describeSite, type List } from '../../dev/wordpress/describe-site.ts';
import type { Answer, Visitor } from '../../dev/wordpress/site.ts';

const MANNERS = ['cache-enabler', 'wp-super-cache', 'surge'] as const;
type Manner = (typeof MANNERS)[number];

/** Words that only guests of the private list may read. */
const LIST = 'Whisperwood';
const GIFT = 'Quokkapan';
const STORY = 'Numbatstory';
const AUNT = 'thylacina@example.org';
const SECRETS = [LIST, GIFT, STORY, AUNT];

const isKept = (answer: Answer) => /^hit$/i.test(answer.headers.get('x-page-cache') ?? '');

describeSite('a site with a page cache', {}, (site) => {
  let cache: string;
  let ahead = 0;
  const clock = { wall: () => Date.now() + ahead, steady: () => performance.now() };
  let closed: List;
  /** Pages of the site that show the private list, and the newest public ones. */
  let embedding: string;
  let showing: string;

  const list = (fields: object, gifts = [GIFT]) =>
    site.list({ title: 'Open house', ...fields }, ...gifts.map((name) => ({ name, quantity_needed: 3 })));
  /** Gives the cache this behaviour, and empties it. */
  const use = (manner: Manner | '') => {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache);
    if (manner) writeFileSync(join(cache, 'manner'), manner);
  };
  const guest = () => site.guest(closed.id, AUNT);
  const hasNothing = ({ text, headers }: Answer, where: string) => {
    for (const word of SECRETS)
      assert.equal(`${text}${[...headers]}`.includes(word), false, `${word} at ${where}`);
  };

  site.startWith(async () => {
    cache = join(site.use(await temporaryFolder()).path, 'pages');
    mkdirSync(cache);
    return { pageCache: cache, clock };
  });
  before(async () => {
    closed = await list({
      title: LIST,
      story: STORY,
      status: 'private',
      meta: { registry_invitees: [AUNT, 'bob'] },
    });
    const page = async (post_title: string, post_content: string) =>
      site.pathOf(
        await site.addPost({ post_type: 'page', post_status: 'publish', post_title, post_content }),
      );
    embedding = await page('Our day', `<!-- wp:trousseau/registry {"registry":"${closed.id}"} /-->`);
    showing = await page('All lists', '<!-- wp:trousseau/registries /-->');
  });
  const shownAt = (path: string) => [path, '/registry/', '/', '/registry/feed/', showing];
  const fill = async (stranger: Visitor, addresses: string[]) => {
    for (const at of addresses) await stranger(at);
  };

  for (const manner of mostTelling(1, MANNERS))
    describe(`in the manner of ${manner}`, () => {
      let stranger: Visitor;
      before(async () => {
        use(manner);
        stranger = await site.visit();
      });

      test('it keeps pages that are the same for everybody', async () => {
        const [one, other] = [await site.visit(), await site.visit()];
        assert.equal(isKept(await one('/sample-page/')), false);
        assert.equal(isKept(await other('/sample-page/')), true);
      });

      test('a stranger is shown nothing that a guest has opened, and the guest no stranger’s refusal', async () => {
        const device = await guest();
        const byNumber = [`/?p=${closed.id}&post_type=registry`, `/?registry=${closed.id}`];
        for (const at of [closed.path, `${closed.path}feed/`, ...byNumber]) {
          for (let turn = 0; turn < 2; turn++) {
            const refused = await stranger(at);
            // A feed without entries is an empty one.
            assert.deepEqual([refused.status, isKept(refused)], [at.includes('feed') ? 200 : 404, false], at);
            hasNothing(refused, at);
            const opened = await device(at);
            assert.ok([200, 301].includes(opened.status) && !isKept(opened), `${at}: ${opened.status}`);
          }
        }
        assert.ok((await device(closed.path)).text.includes(GIFT));
        for (let turn = 0; turn < 2; turn++) {
          assert.ok((await device(embedding)).text.includes(GIFT), 'a list in a page of the site');
          hasNothing(await stranger(embedding), embedding);
        }
      });

      test('a device with a cookie of ours is shown no kept page, and its pages are not kept', async () => {
        const open = await list({ status: 'publish' });
        const [device, one, other] = [await guest(), await site.visit(), await site.visit()];
        for (const at of [open.path, '/registry/', '/sample-page/', '/']) {
          const before = await device(at);
          assert.match(before.headers.get('cache-control')!, /no-store/, at);
          // The new list still clears pages.
          await until(`${at} is kept`, async () => isKept(await one(at)) && isKept(await other(at)));
          for (let turn = 0; turn < 2; turn++) assert.equal(isKept(await device(at)), false, at);
        }
      });

      /** Strangers see the change soon, on every page that was kept. */
      const seen = async (
        path: string,
        change: () => Promise<unknown>,
        isNew: (text: string) => boolean,
        addresses = [path],
      ) => {
        for (const at of addresses) {
          let page = await stranger(at);
          // Cache Enabler keeps no feeds.
          if (manner !== 'cache-enabler' || !at.includes('feed'))
            await until(`${at} is kept`, async () => {
              page = await stranger(at);
              return isKept(page);
            });
          assert.equal(isNew(page.text), false, `${at} before`);
        }
        await change();
        for (const at of addresses)
          await until(`${at} in the manner of ${manner}`, async () => isNew((await stranger(at)).text));
      };
      const shows = (words: string) => (text: string) => text.includes(words);
      const needs = (count: number) => shows(`${count} needed`);

      test('made on the site: a gift given, added, and marked as most wanted', async () => {
        const open = await list({ status: 'publish' }, ['Teapot', 'Kettle']);
        const { alice, bob } = site.visitors;
        const { path, gifts, items } = open;
        await seen(path, () => bob.press(open.give(), 'give'), needs(2));
        const colander = { name: 'Colander', quantity: '1' };
        await seen(path, () => alice.press(`${gifts}?by-hand=1`, 'add', colander, gifts), shows('Colander'));
        const wanted = { most_wanted: '1' };
        await seen(
          path,
          () => alice.press(`${gifts}?item=${items[0]}`, 'change', wanted),
          shows('Most wanted'),
        );
      });

      test('made through the API by somebody else: a gift added and given', async () => {
        const open = await list({ status: 'publish' });
        const { registries, items } = site.client();
        const item = { name: 'Sieve', url: 'https://shop.example/sieve' };
        await seen(open.path, () => registries.items.create(open.id, item), shows('Sieve'));
        await seen(open.path, () => items.update(open.items[0]!, { quantity_purchased: 2 }), needs(1));
      });

      test('made by the clock: a list that closes', async () => {
        const open = await list({ status: 'publish' });
        // It is a later day there than at this end of the world, at any hour.
        const closes = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
        await site.setOption('timezone_string', 'Etc/GMT+12');
        await site.visitors.alice.press(open.details, 'change', { closes });
        const close = async () => {
          await site.setOption('timezone_string', 'Pacific/Kiritimati');
          await site.runDueJobs('close', 5_000);
        };
        await seen(open.path, close, shows('This list is closed'));
        await site.setOption('timezone_string', '');
      });

      test('made by the clock: a reservation that ends', async () => {
        const open = await list({ status: 'publish' });
        const { claims } = site.client('admin').registries.items;
        const claim = { quantity: 2, expires_in: 600, giver: { name: 'May' } };
        await seen(open.path, () => claims.create(open.id, open.items[0]!, claim), needs(1));
        const expire = async () => {
          ahead += 601_000;
        };
        await seen(open.path, expire, needs(3));
      });

      test('made to its name, its story, its day and its cover, on every list that shows it', async () => {
        const open = await list({ status: 'publish' });
        const everywhere = shownAt(open.path);
        const year = String(2041 + MANNERS.indexOf(manner));
        const update = (fields: object) => () => site.client().registries.update(open.id, fields);
        const { path } = open;
        const lists = [path, '/registry/'];
        const title = `Rosehip ${manner}`;
        await seen(path, update({ title }), shows(title), everywhere);
        await seen(path, update({ story: 'About marmalade' }), shows('marmalade'));
        await seen(path, update({ meta: { registry_event_date: `${year}-05-06` } }), shows(year), lists);
        const cover = { post_title: `cover-${manner}`, post_author: site.users.alice.id };
        const addCover = async () =>
          site.setFeaturedImage(open.id, (await site.addPicture(cover, open.id)).id);
        await seen(path, addCover, shows(cover.post_title), lists);
      });

      test('when it becomes public, private, or is deleted', async () => {
        const open = await list({ status: 'private', title: `Elderflower ${manner}` });
        const lists = ['/registry/', '/', '/registry/feed/', showing];
        const update = (status: 'publish' | 'private') => async () => {
          open.path = site.local((await site.client().registries.update(open.id, { status }))!.permalink);
        };
        const isThere = shows(`Elderflower ${manner}`);
        const isGone = (text: string) => !isThere(text);
        await seen('/registry/', update('publish'), isThere, lists);
        const path = open.path;
        await fill(stranger, shownAt(path));
        assert.ok(isThere((await stranger(path)).text));
        await seen(path, update('private'), isGone, [path, ...lists]);
        await seen('/registry/', update('publish'), isThere, lists);
        const again = open.path;
        await seen(again, () => site.client().registries.delete(open.id), isGone, [again, ...lists]);
      });

      test('a change that strangers don’t see clears nothing', async () => {
        const open = await list({ status: 'publish', meta: { registry_surprise_until: 'always' } });
        const addresses = shownAt(open.path).filter(
          (at) => manner !== 'cache-enabler' || !at.includes('feed'),
        );
        const areKept = async () => {
          for (const at of addresses) if (!isKept(await stranger(at))) return false;
          return true;
        };
        await fill(stranger, addresses);
        const say = () => site.rest(null, 'POST', `/trousseau/v1/registries/${open.id}/changed`);
        await until('cleared once more', async () => {
          await say();
          return (await site.keptValue(`shown_${open.id}`)).at === 0;
        });
        await fill(stranger, addresses);
        assert.ok(await areKept());
        for (const at of [open.id, closed.id, 999_999]) {
          const { status, json } = await site.rest(null, 'POST', `/trousseau/v1/registries/${at}/changed`);
          assert.deepEqual([status, json], [200, { changed: true }]);
        }
        await site.rest('alice', 'POST', `/trousseau/v1/registries/${open.id}/changed`);
        await site.setPostMeta(open.id, { registry_surprise_until: '' });
        await site.guestLink(open.id, 'x@example.org');
        const { gifts } = open;
        const { alice } = site.visitors;
        await alice.press(`${gifts}?by-hand=1`, 'add', { name: 'Colander', draft: '1' }, gifts);
        assert.match((await alice(gifts)).text, /1 draft/);
        assert.ok(await areKept());
      });
    });

  test('a public list doesn’t bring a page for some visitors into a cache', async () => {
    use('');
    const open = await list({ status: 'publish' });
    // Newer WordPresses forbid all caches to keep a page with a password, themselves.
    const shared = ({ headers }: Answer) => [
      /s-maxage=\d+/.exec(headers.get('cache-control') ?? '')?.[0] ?? null,
      headers.get('x-accel-expires'),
      headers.get('surrogate-key'),
    ];
    const member = await site.visit();
    const page = await site.addPost({
      ...{ post_type: 'page', post_status: 'publish', post_title: 'Inside', post_password: 'sesame' },
      post_content: `For members. [trousseau_registry id="${open.id}"]`,
    });
    const locked = await site.pathOf(page);
    const referer = site.url + locked;
    await member('/wp-login.php?action=postpass', { post_password: 'sesame' }, { referer });
    const inside = await member(locked);
    assert.ok(inside.text.includes('For members.') && inside.text.includes(GIFT));
    assert.deepEqual(shared(inside), [null, null, null]);

    const stranger = await site.visit();
    assert.equal(shared(await stranger(open.path))[0], 's-maxage=5');
    const cookie = { cookie: 'comment_author_1=Ann; comment_author_email_1=ann%40example.org' };
    assert.deepEqual(shared(await stranger(open.path, undefined, cookie)), [null, null, null]);
    assert.deepEqual(shared(await stranger(open.path, { any: 'form' })), [null, null, null]);
    await site.deletePost(page);
  });

  test('caches in front of the site are told how long they keep a public page, and by what to clear it', async () => {
    use('');
    const open = await list({ status: 'publish' });
    const stranger = await site.visit();
    const lists = ['/registry/', showing, '/'];
    for (const at of [open.path, ...lists]) {
      const { headers } = await stranger(at);
      const names = ['surrogate-key', 'cache-tag', 'cache-control', 'x-accel-expires'];
      const tag = lists.includes(at) ? 'trousseau-registries' : `trousseau-registry-${open.id}`;
      assert.deepEqual(
        names.map((name) => headers.get(name)),
        [tag, tag, 's-maxage=5', '5'],
        at,
      );
    }
    for (const at of [closed.path, '/sample-page/'])
      assert.equal((await stranger(at)).headers.get('surrogate-key'), null, at);
    assert.equal((await (await guest())(open.path)).headers.get('surrogate-key'), null);
    const bob = await site.visit('bob');
    for (const at of [open.path, ...lists]) {
      const { headers } = await bob(at);
      assert.match(headers.get('cache-control')!, /no-cache/, at);
      assert.notEqual(headers.get('x-accel-expires'), '5', at);
    }
    const told = await site.call('page-cache.told', open.id, 'Sloe');
    assert.equal(told.length, 1);
    const [[id, urls, tags]] = told;
    assert.deepEqual([id, tags], [open.id, [`trousseau-registry-${open.id}`, 'trousseau-registries']]);
    for (const at of shownAt(open.path)) assert.ok(urls.includes(site.url + at), `${at} in ${urls}`);
  });

  test('every answer for one visitor says so to every cache', async () => {
    use('');
    const open = await list({ status: 'publish' });
    const locked = await list({ status: 'publish' });
    await site.changePost(locked.id, { post_password: 'open sesame' });
    const [device, stranger] = [await guest(), await site.visit()];
    const { alice, bob } = site.visitors;
    const rest = '/wp-json/wp/v2';
    const asked: [Visitor, string[]][] = [
      [device, [closed.path, open.path, `${rest}/registry/${open.id}`, `${rest}/pages`]],
      [device, ['/', '/sample-page/', '/feed/', '/nothing-here/']],
      [bob, [closed.path, open.path, '/registries/mine/']],
      [alice, ['gifts', 'guests', 'given', 'details'].map((name) => `/registries/${closed.id}/${name}/`)],
      [stranger, [closed.path, `${closed.path}feed/`, '/registry/never-was/', locked.path, closed.gifts]],
      [stranger, [open.gifts, open.give(), '/registries/mine/', '/registries/link/?to=x']],
      [stranger, ['/registries/gift/?of=x', `${rest}/registry/${closed.id}`, `${rest}/registry/999999`]],
    ];
    const answers: [string, Answer][] = [];
    for (const [visitor, paths] of asked) for (const at of paths) answers.push([at, await visitor(at)]);
    answers.push(['as bob', await site.rest('bob', 'GET', `/wp/v2/registry/${closed.id}`)]);
    const extension = { origin: 'chrome-extension://abcdefghijklmnop', 'sec-fetch-site': 'none' };
    const door = await bob('/registries/add/?extension=1', undefined, extension);
    assert.equal(door.headers.get('access-control-allow-origin'), null, 'no other origin reads it');
    answers.push(['to the extension', door]);
    for (const [at, { headers, status }] of answers) {
      const said = `${at} ${status}`;
      for (const word of ['private', 'no-store', 'no-cache', 'max-age=0'])
        assert.ok(headers.get('cache-control')?.includes(word), `${said}: ${headers.get('cache-control')}`);
      for (const name of ['cdn-cache-control', 'surrogate-control'])
        assert.equal(headers.get(name), 'no-store', said);
      assert.equal(headers.get('x-accel-expires'), '0', said);
      assert.match(headers.get('vary') ?? '', /\bcookie\b/i, said);
      if (status !== 200 || !(at === closed.path || /^\/registries\/\d/.test(at))) continue;
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/, said);
      assert.match(headers.get('referrer-policy') ?? '', /same-origin/, said);
    }
    const same = [open.path, '/registry/', '/', '/sample-page/', '/feed/', `${rest}/registry/${open.id}`];
    for (const at of same) {
      const { headers, status } = await stranger(at);
      assert.equal(status, 200);
      const said = `${headers.get('cache-control')} ${headers.get('vary')}`;
      assert.doesNotMatch(said, /no-store|private|cookie/i, at);
    }
  });

  test('a cookie that this site hasn’t signed opens nothing', async () => {
    use('');
    const [name] = (await site.cookieOf('guest', 'x')).split('=');
    const forged = await (await site.visit())(closed.path, undefined, { cookie: `${name}=${closed.id}` });
    assert.equal(forged.status, 404);
    hasNothing(forged, 'with a forged cookie');
  });

  test('WordPress’s own password of a post is left alone', async () => {
    use('');
    const locked = await list({ status: 'publish' });
    await site.changePost(locked.id, { post_password: 'open sesame' });
    const device = await guest();
    assert.equal((await device(locked.path)).text.includes(GIFT), false);
    const referer = site.url + locked.path;
    const isWrong = async (headers = {}) =>
      (await device(locked.path, undefined, headers)).text.includes('not the password');
    assert.equal(await isWrong({ referer }), false, 'nothing was typed yet');
    await device('/wp-login.php?action=postpass', { post_password: 'sesame' });
    assert.equal(await isWrong({ referer }), true);
    assert.equal(await isWrong(), false, 'on another visit');
    await device('/wp-login.php?action=postpass', { post_password: 'open sesame' });
    assert.ok((await device(locked.path)).text.includes(GIFT), 'the password opens the one');
    assert.ok((await device(closed.path)).text.includes(GIFT), 'the invitation the other');
  });
});
