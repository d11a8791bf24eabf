// Hostile and mistaken input: files that are no pictures, lists from elsewhere, and
// addresses that are somebody else's. RegistryReportTest.php has more.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import {
  type Answer,
  addUser,
  bringList as bring,
  decoded,
  faultsIn,
  formWithFile,
  listIn,
  type Visitor,
} from '../../dev/wordpress/site.ts';

const chunk = (kind: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
/** A grey picture, or only its header. */
function png(width: number, height: number, more: Buffer[] = [], hasPixels = true): Buffer {
  const head = Buffer.alloc(13);
  head[8] = 8;
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...more,
    ...(hasPixels ? [chunk('IDAT', deflateSync(Buffer.alloc(height * (width + 1)), { level: 1 }))] : []),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describeSite('hostile', {}, (site) => {
  const { alice } = site.visitors;

  site.startWith(() => ({ muPlugins: ['clock'] }));

  const files = () =>
    readdirSync(join(site.folder, 'wp-content/uploads'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  describe('pictures', () => {
    const script = '<script>alert(1)</script><?php echo 1;';
    const send = async (path: string, bytes: Buffer | string, name: string, type = 'image/png') => {
      const fields = await alice.form(`${path}?by-hand`, 'add');
      return alice(path, formWithFile({ ...fields, name: 'Kettle' }, 'upload', bytes, name, type));
    };

    test('become no file and no gift where nobody can read their pixels', async () => {
      const { id, gifts } = await site.list();
      const before = files();
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>`;
      const hidden = png(40, 40, [chunk('tEXt', Buffer.from(script))], false);
      for (const [bytes, name, type] of [
        [svg, 'x.svg', 'image/svg+xml'],
        [svg, 'x.png', 'image/png'],
        [`GIF89a${script}`, 'x.gif', 'image/gif'],
        [`GIF89a${script}`, 'x.php', 'image/gif'],
        [script, 'x.php.png', 'image/png'],
        [hidden, 'x.png', 'image/png'],
        [hidden, 'x.html', 'text/html'],
        [png(9000, 9000), 'x.png', 'image/png'],
      ] as const)
        assert.match(faultsIn(await send(gifts, bytes, name, type)), /Try a JPEG, PNG or WebP/, name);
      assert.match(faultsIn(await send(gifts, Buffer.alloc(3_000_000), 'x.png')), /Choose a smaller picture/);
      assert.deepEqual(files(), before);
      assert.deepEqual(await site.client().registries.items.list(id), []);
    });

    test('are written anew without other data from the file, under a name of the site’s', async () => {
      const { gifts } = await site.list();
      const before = new Set(files());
      const bytes = Buffer.concat([png(1800, 40, [chunk('tEXt', Buffer.from(script))]), Buffer.from(script)]);
      assert.equal((await send(gifts, bytes, '../../x.php')).status, 303);
      const made = files().filter((file) => !before.has(file));
      assert.ok(made.length > 0);
      for (const file of made) {
        assert.match(file, /\/[\w-]{22}\/[0-9a-f]{32}\.jpg$|\/index\.html$/);
        assert.doesNotMatch(readFileSync(file, 'latin1'), /script|php/);
      }
    });

    test('become small and upright, even from a telephone’s large, turned ones', async () => {
      const { gifts } = await site.list();
      const before = new Set(files());
      const path = join(await site.call('get_temp_dir'), `turned-${process.pid}.jpg`);
      await site.call('hostile.draw_turned', path);
      const sent = await send(gifts, readFileSync(path), 'turned.jpg', 'image/jpeg');
      assert.equal(sent.status, 303, sent.text.slice(0, 500));
      rmSync(path);
      const made = files().find((file) => !before.has(file) && file.endsWith('.jpg'));
      const { 0: width, 1: height } = await site.call('getimagesize', made);
      assert.ok(height === 900 && width < height, `${width} × ${height}: upright and small`);
    });
  });

  describe('more than one account should have or make', () => {
    const limits = (most: Record<string, number>) => site.setOption('dev_limits', most);
    after(() => site.deleteOption('dev_limits'));
    const list = { format: 'trousseau-registry-1', title: 'From afar', story: '', items: [] };
    const start = (visitor: Visitor) => visitor.send('/registries/new/', 'make', { title: 'One more' });

    test('pictures have one limit, however they are sent', async () => {
      await limits({ pictures_an_hour: 3 });
      const picture = png(40, 40).toString('base64');
      const thumbnail = async (answer: Answer) =>
        (await site.call('get_post_thumbnail_id', listIn(answer))) > 0;
      const bob = await site.visit('bob');
      const results: boolean[] = [];
      for (let n = 0; n < 4; n++) results.push(await thumbnail(await bring(bob, { ...list, picture })));
      assert.deepEqual(results, [true, true, true, false], 'a list comes without its picture then');
      const own = { ...(await bob.form('/registries/new/', 'make')), title: 'With one' };
      const made = await bob('/registries/new/', formWithFile(own, 'picture', png(40, 40)));
      const next = new URL(made.headers.get('location')!);
      assert.match((await bob(next.pathname)).text, /many pictures in a short time/);
      await limits({ megapixels_an_hour: 1, pictures_an_hour: 100 });
      const carol = await site.visit('carol');
      assert.equal(await thumbnail(await bring(carol, { ...list, picture })), true);
      assert.equal(await thumbnail(await bring(carol, { ...list, picture })), false);
    });

    test('lists are refused in words: on the page, from a file, by REST and by the service', async () => {
      const dan = await addUser(site, 'dan', 'subscriber');
      const his = await site.visit(dan);
      await limits({ lists: 2 });
      const make = () => site.rest(dan, 'POST', '/wp/v2/registry', { title: 'One' });
      const [first] = [await make(), await make()];
      assert.equal(first!.status, 201);
      const full = await make();
      assert.deepEqual([full.status, full.json.code], [403, 'trousseau_limit']);
      assert.match(full.json.message, /You have 2 lists, the most an account can have/);
      assert.match(faultsIn(await start(his)), /You have 2 lists/);
      assert.match(decoded((await bring(his, list)).text), /You have 2 lists/);
      const refusal = { data: { status: 403 }, message: /You have 2 lists/ };
      await assert.rejects(site.client(dan).registries.create({ title: 'One' }), refusal);
      assert.equal((await his('/wp-admin/post-new.php?post_type=registry')).status, 403);
      const remove = (force: boolean) =>
        site.rest(dan, 'DELETE', `/wp/v2/registry/${first!.json.id}?force=${force}`);
      assert.equal((await remove(false)).status, 200);
      assert.equal((await make()).status, 403, 'what is in the trash may be put back');
      assert.equal((await remove(true)).status, 200);
      assert.equal((await make()).status, 201);
      assert.equal((await site.rest('admin', 'POST', '/wp/v2/registry', { title: 'x' })).status, 201);

      await limits({ lists: 90, lists_an_hour: 5, imports_an_hour: 1 });
      const eve = await addUser(site, 'eve', 'subscriber');
      const hers = await site.visit(eve);
      const one = () => site.rest(eve, 'POST', '/wp/v2/registry', { title: 'x' });
      const many = await Promise.all(Array.from({ length: 8 }, one));
      const statuses = many.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429, 429]);
      assert.match(faultsIn(await start(hers)), /Too many lists were created in a short time/);
      await limits({ imports_an_hour: 1 });
      assert.equal((await bring(hers, list)).status, 303);
      assert.match(decoded((await bring(hers, list)).text), /Too many files were uploaded in a short time/);
    });

    test('a list that a stranger begins takes no more of the database than its form allows', async () => {
      const nobody = await site.visit();
      await nobody.press('/registries/new/', 'make', { title: 'x', until: 'y'.repeat(1_000_000) });
      const drafts = (await site.rows('trousseau_values')).filter(({ name }) => name!.startsWith('draft_'));
      const most = Math.max(...drafts.map(({ value }) => Buffer.byteLength(value!)));
      assert.ok(most < 50_000, `${most}`);
    });
  });

  test('“<” in plain text stays, whoever writes it and whatever WordPress lets them', async () => {
    for (const who of ['alice', 'admin'] as const) {
      const visitor = await site.visit(who);
      const words = {
        title: 'Tom <3 Ann :-> & "co"',
        story: 'We <3 it :-> &amp;\nand <b>so</b> on',
        occasion: 'other',
        other: 'A <3 day :->',
      };
      const id = listIn(await visitor.press('/registries/new/', 'make', words));
      const details = `/registries/${id}/details/`;
      for (let times = 0; times < 2; times++) {
        const form = await visitor.form(details, 'change');
        for (const [name, value] of Object.entries(words))
          assert.equal(form[name]?.replaceAll('\r', ''), value, `${who}: ${name}`);
        assert.equal((await visitor(details, form)).status, 303);
      }
      const link = new URL(await site.registryAddress(id)).pathname;
      assert.match(decoded((await visitor(link)).text), /Tom <3 Ann/);
      assert.match(decoded((await visitor('/registries/mine/')).text), /Tom <3 Ann/);
      // An administrator’s editor, or an older version, has stored it like this.
      await site.storePost(id, { post_title: 'Tom <3 Ann', post_content: 'We <3 it' });
      const old = await visitor.form(details, 'change');
      assert.deepEqual([old.title, old.story], ['Tom <3 Ann', 'We <3 it']);
    }
  });

  test('no page repeats a host that a request made up', async () => {
    const { id, path: at } = await site.list({ title: 'Hosted', status: 'publish' });
    const elsewhere = 'forged.example';
    const { hostname, port } = new URL(site.url);
    const ask = (path: string, form = '') =>
      new Promise<string>((resolve, reject) => {
        const headers = {
          // WordPress itself adds the site's port to a host without one.
          ...{ host: `${elsewhere}:${port}`, 'x-forwarded-host': elsewhere, 'sec-fetch-site': 'same-origin' },
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        };
        const sent = request(
          { hostname, port, path, method: form ? 'POST' : 'GET', headers },
          async (answer) =>
            resolve(`${JSON.stringify({ ...answer.headers, host: '' })} ${await text(answer)}`),
        );
        sent.on('error', reject);
        sent.end(form);
      });
    const pages = 'new mine add gift my-gifts invitation lost-invitation no-mail'.split(' ');
    const own = 'gifts guests given details give'.split(' ').map((name) => `${id}/${name}`);
    const paths = [
      ...[...pages, ...own].map((name) => `/registries/${name}/`),
      ...['/', '/registry/', '/registry/feed/', at, `/?registry=${id}`, '/nowhere/'],
      ...[`/?p=${id}&post_type=registry`, '/trousseau.webmanifest', `/?trousseau_go=1&registry=${id}`],
    ];
    for (const path of paths)
      for (const form of ['', 'do=save&title=X&email=x@example.test']) {
        const found = new RegExp(`.{0,60}${elsewhere}.{0,60}`).exec(await ask(path, form));
        assert.equal(found?.[0], undefined, path);
      }
    // People who log in come back to the page that they were on.
    const page = await ask(`/registries/${id}/gifts/?item=5&by-hand=1`);
    const back = decodeURIComponent(/redirect_to=([^"&]*)/.exec(page)![1]!);
    assert.equal(back, `${site.url}/registries/${id}/gifts/?item=5&by-hand=1`);
  });

  test('a list from another site is named in words, also where an administrator, who may write HTML, takes it in', async () => {
    const title = 'Ann <img src=x onerror=alert(1)> & Sam';
    const admin = await site.visit('admin');
    const story = '<img src=x onerror=alert(1)>';
    const id = listIn(await bring(admin, { format: 'trousseau-registry-1', title, story, items: [] }));
    const link = await site.registryAddress(id);
    assert.equal(await site.call('hostile.title', id), title);
    for (const path of [link, `/registries/${id}/details/`, '/registries/mine/']) {
      const { status, text } = await admin(path);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /<img src=x/, path);
    }
  });
});
