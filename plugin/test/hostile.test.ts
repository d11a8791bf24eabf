// What people send who mean no good, or don't know what they send: files that are no pictures, lists from elsewhere, and
// addresses that are somebody else's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { createClient } from 'trousseau-client';
import { skipWithoutWordPress } from '../dev/wordpress.ts';
import { type Answer, complaints, decoded, evaluate, fieldsOf, type Visitor, visit } from './site.ts';
import { startWholeSite, type WholeSite } from './whole-site.ts';

const chunk = (kind: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
/** A grey picture; without its pixels only what says that it is one. */
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

describe('hostile', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let alice: Visitor;

  before(async () => {
    site = await startWholeSite();
    alice = await visit(site, site.users.alice);
  });
  after(() => site?.stop());

  const owner = () => createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
  const registry = async (fields: Record<string, unknown> = {}) =>
    (await owner().registries.create({ title: 'Ann & Sam', status: 'publish', ...fields }))!;
  const files = (): Promise<string[]> =>
    evaluate(
      site,
      `$found = array(); foreach ( new RecursiveIteratorIterator( new RecursiveDirectoryIterator( wp_upload_dir()['basedir'], FilesystemIterator::SKIP_DOTS ) ) as $file ) { $found[] = (string) $file; } sort( $found ); return $found;`,
    );
  const refused = ({ status, text }: Answer) => {
    assert.equal(status, 422, text.slice(0, 500));
    return decoded(/role="alert".*?<\/ul>/s.exec(text)![0].replace(/<[^>]*>/g, ' ')).trim();
  };

  describe('pictures', () => {
    const script = '<script>alert(1)</script><?php echo 1;';
    const send = async (id: number, bytes: Buffer | string, name: string, type = 'image/png') => {
      const path = `/registries/${id}/gifts/`;
      const form = new FormData();
      const fields = fieldsOf((await alice(`${path}?by-hand`)).text, 'add')!;
      for (const [field, value] of Object.entries({ ...fields, name: 'Kettle' })) form.set(field, value);
      form.set('upload', new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name);
      return alice(path, form);
    };

    test('that are none, or whose pixels nobody can read, become no file and no gift', async () => {
      const { id } = await registry();
      const before = await files();
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>`;
      for (const [bytes, name, type] of [
        [svg, 'x.svg', 'image/svg+xml'],
        [svg, 'x.png', 'image/png'],
        [`GIF89a${script}`, 'x.gif', 'image/gif'],
        [`GIF89a${script}`, 'x.php', 'image/gif'],
        [script, 'x.php.png', 'image/png'],
        [png(40, 40, [chunk('tEXt', Buffer.from(script))], false), 'x.png', 'image/png'],
        [png(40, 40, [chunk('tEXt', Buffer.from(script))], false), 'x.html', 'text/html'],
        [png(9000, 9000), 'x.png', 'image/png'],
      ] as const) {
        assert.match(
          refused(await send(id, Buffer.from(bytes), name, type)),
          /Try a JPEG, PNG or WebP/,
          name,
        );
      }
      assert.match(refused(await send(id, Buffer.alloc(3_000_000), 'x.png')), /too large/);
      assert.deepEqual(await files(), before);
      assert.deepEqual(await owner().registries.items.list(id), []);
    });

    test('are written anew, without what else was in them, under a name of the site’s', async () => {
      const { id } = await registry();
      const before = new Set(await files());
      const bytes = Buffer.concat([png(1800, 40, [chunk('tEXt', Buffer.from(script))]), Buffer.from(script)]);
      assert.equal((await send(id, bytes, '../../x.php')).status, 303);
      const made = (await files()).filter((file) => !before.has(file));
      assert.ok(made.length > 0);
      for (const file of made) {
        assert.match(file, /\/gift-[0-9a-f]{16}(-\d+x\d+|-scaled)?\.png$/);
        assert.doesNotMatch(readFileSync(file, 'latin1'), /script|php/);
      }
    });

    test('as large as a telephone makes them, and turned, become small and upright', async () => {
      const { id } = await registry();
      const path = join(await evaluate(site, 'return get_temp_dir();'), `turned-${process.pid}.jpg`);
      await site.wp(
        `ini_set( 'memory_limit', -1 );
        $image = imagecreatetruecolor( 8160, 6144 );
        imagejpeg( $image, '${path}', 10 );
        $jpeg = file_get_contents( '${path}' );
        $exif = "Exif\\0\\0MM\\0*\\0\\0\\0\\x08\\0\\x01\\x01\\x12\\0\\x03\\0\\0\\0\\x01\\0\\x06\\0\\0\\0\\0\\0\\0";
        file_put_contents( '${path}', substr( $jpeg, 0, 2 ) . "\\xff\\xe1" . pack( 'n', strlen( $exif ) + 2 ) . $exif . substr( $jpeg, 2 ) );`,
      );
      const sent = await send(id, readFileSync(path), 'turned.jpg', 'image/jpeg');
      assert.equal(sent.status, 303, sent.text.slice(0, 500));
      const [width, height] = await evaluate(
        site,
        `unlink( '${path}' ); $newest = get_posts( array( 'post_type' => 'attachment', 'post_parent' => ${id} ) )[0]; return array_slice( getimagesize( get_attached_file( $newest->ID ) ), 0, 2 );`,
      );
      assert.ok(height === 1600 && width < height, `${width} × ${height}: upright and small`);
    });
  });

  test('a picture’s address among the site’s files leads nowhere else on the site', async () => {
    const shown = (path: string) =>
      evaluate(site, `return Trousseau\\Picture::address( wp_upload_dir()['baseurl'] . '${path}' );`);
    assert.match(await shown('/2027/05/gift-1.jpg'), /uploads\/2027\/05\/gift-1\.jpg$/);
    for (const path of [
      '/../../wp-login.php',
      '/x/%2e%2E/../wp-admin/',
      '/.%2e/.%2E/',
      '/a.jpg?x=1',
      '/\\\\..\\\\..',
    ])
      assert.equal(await shown(path), '', path);
  });

  describe('a list from another site', () => {
    const list = {
      format: 'trousseau-registry-1',
      title: 'Brought along',
      story: 'Our story',
      status: 'publish',
      meta: { registry_invitees: ['bob', 'ann@example.test'], registry_event_date: '2027-05-30' },
      items: [{ name: 'Kettle', url: 'https://shop.example/kettle', quantity_needed: 2 }],
    };
    const bring = async (text: string, visitor = alice) => {
      const form = new FormData();
      form.set('do', 'import');
      form.set('file', new Blob([text], { type: 'application/json' }), 'list.json');
      return visitor('/registries/mine/', form);
    };
    const number = ({ status, headers, text }: Answer) => {
      assert.equal(status, 303, text.slice(0, 500));
      return Number(/registries\/(\d+)\/gifts/.exec(headers.get('location')!)![1]);
    };
    const guests = (id: number) => evaluate(site, `return Trousseau\\Meta::invitees( ${id} );`);
    const registries = () => evaluate(site, "return (int) wp_count_posts( 'registry' )->private;");

    test('is private, and invites nobody who happens to have a guest’s user name here', async () => {
      const id = number(await bring(JSON.stringify(list)));
      assert.deepEqual(
        [await evaluate(site, `return get_post_status( ${id} );`), await guests(id)],
        ['private', ['ann@example.test']],
      );
      const items = (await owner().registries.items.list(id))!;
      assert.deepEqual(
        items.map(({ name, quantity_needed }) => [name, quantity_needed]),
        [['Kettle', 2]],
      );
    });

    test('is named in words, also where an administrator, who may write HTML, takes it in', async () => {
      const title = 'Ann <img src=x onerror=alert(1)> & Sam';
      const admin = await visit(site, site.users.admin);
      const id = number(
        await bring(JSON.stringify({ ...list, title, story: '<img src=x onerror=alert(1)>' }), admin),
      );
      const [link, name] = await evaluate(
        site,
        `return array( home_url( '/registry/' . get_post( ${id} )->post_name . '/' ), Trousseau\\Registry::title( get_post( ${id} ) ) );`,
      );
      assert.equal(name, title);
      for (const path of [link, `/registries/${id}/details/`, '/registries/mine/']) {
        const { status, text } = await admin(path);
        assert.equal(status, 200, path);
        assert.doesNotMatch(text, /<img src=x/, path);
      }
    });

    test('comes back to this site as it left it', async () => {
      const meta = { registry_invitees: ['bob', 'ann@example.test'], registry_event_date: '2027-05-30' };
      const { id } = await registry({ title: 'There & back', story: 'A <b> & more', meta });
      await owner().registries.items.create(id, {
        name: 'Glasses',
        url: 'https://shop.example/g',
        price: 12.5,
      });
      const saved = await alice(`/registries/${id}/details/`, { do: 'export', as: 'json' });
      assert.match(saved.headers.get('content-disposition')!, /^attachment/);
      const again = (await owner().registries.get(number(await bring(saved.text))))!;
      const before = (await owner().registries.get(id))!;
      for (const field of ['title', 'story'] as const) assert.equal(again[field], before[field]);
      assert.deepEqual({ ...again.meta, registry_item_ids: [] }, { ...before.meta, registry_item_ids: [] });
      const [item] = (await owner().registries.items.list(again.id))!;
      assert.deepEqual([item!.name, item!.price], ['Glasses', 12.5]);
    });

    test('that is none, or holds what it cannot, leaves nothing behind', async () => {
      const before = await registries();
      const nested = { a: [{ b: [1] }] };
      for (const text of [
        '',
        'null',
        '[]',
        '{'.repeat(2000),
        JSON.stringify({ ...list, format: 'other' }),
        JSON.stringify({ ...list, title: nested }),
        JSON.stringify({ ...list, title: '', story: '' }),
        JSON.stringify({ ...list, items: nested }),
        JSON.stringify({ ...list, items: [1, 'two'] }),
        JSON.stringify({ ...list, items: [list.items[0], { name: nested }] }),
        JSON.stringify({ ...list, items: Array.from({ length: 1001 }, () => list.items[0]) }),
      ]) {
        refused(await bring(text));
      }
      assert.equal(await registries(), before);
      const meta = Object.fromEntries(
        ['event_type', 'event_date', 'currency', 'surprise_until', 'invitees', 'item_ids'].map((key) => [
          `registry_${key}`,
          nested,
        ]),
      );
      const id = number(await bring(JSON.stringify({ ...list, story: nested, meta })));
      assert.deepEqual(await guests(id), []);
    });
  });

  test('no cell of a saved table is a formula, wherever a spreadsheet parts them', async () => {
    const { id } = await registry();
    const texts = [
      '=1+1',
      'Pan;=1+1',
      'Pan; +1+1',
      'Pan\n=1+1',
      'Pan\t@SUM(1)',
      ' -1+1',
      '"=1+1',
      '；＝1+1',
      '＝1+1',
    ];
    for (const text of texts)
      await owner().registries.items.create(id, {
        name: text,
        description: `Words\n${text}`,
        url: 'https://shop.example/x',
        price: 12.5,
      });
    const { text } = await alice(`/registries/${id}/details/`, { do: 'export', as: 'csv' });
    assert.doesNotMatch(text.slice(1), /(^|[,;\t\r\n])["\s]*[=+\-@＝＋－＠]/);
    assert.match(text, /,12\.5,/);
  });

  test('what owners write is no button in a mail of the site’s', async () => {
    const lure = 'Open your gift\nhttps://evil.example/?a';
    const { id } = await registry({ status: 'private', meta: { registry_surprise_until: null } });
    const item = (await owner().registries.items.create(id, {
      name: `Pan\n\n${lure}\n\n`,
      url: 'https://shop.example/p',
    }))!.data;
    const guests = `/registries/${id}/guests/`;
    const fields = fieldsOf((await alice(guests)).text, 'invite')!;
    const note = `Do come\nall of you\n\n${lure}\n\nYours`;
    assert.equal((await alice(guests, { ...fields, guests: 'guest@example.org', note })).status, 303);
    const [invitation] = await site.mails();
    const guest = await visit(site, null);
    const link = new URL(/https?:\/\/\S*invitation\S*/.exec(invitation!.text)![0]);
    await guest(link.pathname + link.search, { do: 'open' });
    const path = `/registries/${id}/give/?item=${item.id}`;
    const form = fieldsOf((await guest(path)).text, 'give')!;
    assert.equal((await guest(path, { ...form, giver: 'Guest' })).status, 303);
    const [reserved] = await site.mails();
    for (const { html, subject } of [invitation!, reserved!]) {
      assert.match(html, /evil\.example/, subject);
      assert.doesNotMatch(html, /href="https:\/\/evil/, subject);
    }
    assert.match(invitation!.text, /Do come\r?\nall of you\r?\n\r?\nOpen your gift https:/);
  });

  test('an address that nobody confirmed gets no words of strangers', async () => {
    const { id } = await registry({ title: 'BUY NOW' });
    const item = (await owner().registries.items.create(id, {
      name: 'CHEAP PILLS',
      url: 'https://shop.example/p',
    }))!.data;
    const nobody = await visit(site, null);
    const path = `/registries/${id}/give/?item=${item.id}`;
    const fields = fieldsOf((await nobody(path)).text, 'give')!;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const given = await nobody(path, { ...fields, giver: 'Mallory', email: 'victim@example.org' });
    assert.equal(given.status, 303, given.text);
    await alice(`/registries/${id}/gifts/`, { do: 'remove', item: String(item.id) });
    assert.deepEqual(await owner().registries.items.list(id), []);
    const mails = (await site.mails()).filter(({ to }) => to.includes('victim@'));
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Please confirm your gift'],
    );
    assert.doesNotMatch(mails.map(({ raw }) => raw).join(), /BUY NOW|PILLS|Mallory/);
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});
