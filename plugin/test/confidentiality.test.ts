// WordPress's own lists, searches, counts and screens show no private registry to people who may not see it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  addAttachment,
  addPicture,
  addPost,
  can,
  deleteUser,
  idOf,
  inTurn,
  postMeta,
  revisionOf,
  setPostMeta,
  storeMeta,
} from '../../dev/wordpress/set-up.ts';
import { addUser, complaints, rest, type Visitor, visit } from '../../dev/wordpress/site.ts';
import {
  skipWithoutWordPress,
  startWordPress,
  type WordPress,
  type WordPressUser,
} from '../../dev/wordpress/wordpress.ts';

describe('confidentiality', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let staff: Record<'editor' | 'author' | 'contributor', WordPressUser>;

  before(async () => {
    site = await startWordPress({
      muPlugins: ['picture-block'],
    });
    staff = {
      editor: await addUser(site, 'edith', 'editor'),
      author: await addUser(site, 'arthur', 'author'),
      contributor: await addUser(site, 'conrad', 'contributor'),
    };
  });
  after(() => site.stop());

  const create = async (user: keyof WordPress['users'], registry: Record<string, unknown>) => {
    const answer = await rest(site, site.users[user], 'POST', '/wp/v2/registry', registry);
    assert.equal(answer.status, 201, answer.text);
    return answer.json as { id: number; link: string; slug: string };
  };
  const field = (text: string, name: string) => {
    const tag = new RegExp(`<input[^>]*name=["']${name}["'][^>]*>`).exec(text)?.[0];
    assert.ok(tag, `a field ${name}`);
    return /value=["']([^"']*)["']/.exec(tag)![1]!;
  };
  const page = async (visitor: Visitor, path: string) => {
    const { status, text } = await visitor(path);
    assert.equal(status, 200, path);
    return text;
  };

  const xmlrpc = async (method: string, user: WordPressUser, ...also: unknown[]) => {
    const value = (given: unknown): string =>
      typeof given === 'number'
        ? `<value><int>${given}</int></value>`
        : typeof given === 'string'
          ? `<value><string>${given}</string></value>`
          : `<value><struct>${Object.entries(given as object)
              .map(([name, member]) => `<member><name>${name}</name>${value(member)}</member>`)
              .join('')}</struct></value>`;
    const given = [1, user.username, user.login, ...also].map((one) => `<param>${value(one)}</param>`);
    const answer = await fetch(`${site.url}/xmlrpc.php`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${given.join('')}</params></methodCall>`,
    });
    assert.equal(answer.status, 200);
    return answer.text();
  };

  test('no argument opens the lists of the REST API, or counts words in others’ registries', async () => {
    const { alice, bob, carol, admin } = site.users;
    const guests = { registry_invitees: '["bob"]' };
    await create('alice', { title: 'P', content: 'xylophone', status: 'private', meta: guests });
    await create('alice', { title: 'D', content: 'xylophone', status: 'draft', meta: guests });
    await create('alice', { title: 'O', content: 'xylophone', status: 'publish', meta: guests });
    const total = async (user: WordPressUser, query: string) => {
      const answer = await rest(site, user, 'GET', `/wp/v2/registry?search=xylophone&${query}`);
      assert.equal(answer.status, 200, answer.text);
      return Number(answer.headers.get('x-wp-total'));
    };
    const reach = [
      '',
      '&author_exclude=99',
      `&author=${alice.id}`,
      `&author=${alice.id}&author_exclude=99`,
      `&author=${carol.id}&author_exclude=${carol.id}`,
      '&exclude=99&offset=0',
    ];
    for (const also of reach) {
      for (const status of ['private', 'draft', 'draft,private', 'any', 'publish,private']) {
        assert.equal(await total(carol, `status=${status}${also}`), 0, `${status} ${also}`);
      }
      assert.equal(await total(carol, `status=publish&context=edit${also}`), 0, `context=edit ${also}`);
      assert.equal(await total(carol, `status=publish${also}`), 1, `public ${also}`);
    }
    // The owner's own lists still work.
    assert.equal(await total(alice, 'status=any&context=edit&author_exclude=99'), 3);
    assert.equal(await total(admin, 'status=any&context=edit&author_exclude=99'), 3);
    assert.equal(await total(bob, 'status=private'), 0, 'a list beyond the public ones holds one’s own');
  });

  test('the dialog that attaches files finds no registry of others', async () => {
    await create('alice', { title: 'Mandolin night', content: 'zither', status: 'private' });
    await create('alice', { title: 'Mandolin morning', content: 'zither', status: 'draft' });
    await create('alice', { title: 'Mandolin noon', content: 'zither', status: 'publish' });
    const found = async (user: WordPressUser, words: string) => {
      const visitor = await visit(site, user);
      const nonce = field(await page(visitor, '/wp-admin/upload.php?mode=list'), '_ajax_nonce');
      const { json, status } = await visitor('/wp-admin/admin-ajax.php', {
        action: 'find_posts',
        ps: words,
        _ajax_nonce: nonce,
      });
      assert.equal(status, 200);
      return [...JSON.stringify(json).matchAll(/Mandolin \w+/g)].map(([title]) => title).sort();
    };
    for (const user of [staff.author, staff.editor]) {
      for (const words of ['zither', 'mandolin', ''])
        assert.deepEqual(await found(user, words), ['Mandolin noon'], `${user.username} ${words}`);
    }
    assert.equal((await found(site.users.admin, 'zither')).length, 3);
  });

  test('the screens for comments, addresses and files name no registry of others', async () => {
    const { id } = await create('alice', { title: 'Quokka', content: 'Story', status: 'private' });
    const conrad = await visit(site, staff.contributor);
    for (const named of ['p=', 'p=0', 'p=-', 'p=-0', 'p=%2B', 'p=%20', 'p=%20-', '%20p=']) {
      const { status, text } = await conrad(`/wp-admin/edit-comments.php?${named}${id}`);
      assert.deepEqual([status, text.includes('Quokka')], [403, false], named);
    }
    for (const named of ['p[]=', 'p[]=-', 'p[p]='])
      assert.equal(
        (await conrad(`/wp-admin/edit-comments.php?${named}${id}`)).text.includes('Quokka'),
        false,
        named,
      );
    assert.match(
      await page(await visit(site, site.users.admin), `/wp-admin/edit-comments.php?p=${id}`),
      /Quokka/,
    );
    const open = await create('alice', { title: 'Open one', status: 'publish' });
    assert.match(await page(conrad, `/wp-admin/edit-comments.php?p=${open.id}`), /Open one/);

    const carol = await visit(site, site.users.carol);
    const own = await create('carol', { title: 'Own', status: 'private' });
    const editor = await page(carol, `/wp-admin/post.php?post=${own.id}&action=edit&classic-editor`);
    const ask = (post: number) =>
      carol('/wp-admin/admin-ajax.php', {
        action: 'sample-permalink',
        samplepermalinknonce: field(editor, 'samplepermalinknonce'),
        post_id: String(post),
      });
    // WordPress makes a draft's future address of its title.
    const draft = await create('alice', { title: 'Quokka', status: 'draft' });
    for (const other of [id, draft.id]) {
      const address = await ask(other);
      assert.deepEqual([address.status, /quokka/i.test(address.text)], [403, false]);
    }
    assert.ok((await ask(own.id)).text.includes(own.slug));
  });

  test('no request with a post’s number tells the title or address of a registry of others', async () => {
    const { id } = await create('alice', {
      title: 'Whisperwood',
      status: 'private',
      meta: { registry_invitees: '["bob"]' },
    });
    await rest(site, site.users.alice, 'POST', `/wp/v2/registry/${id}`, { content: 'Revised' });
    const revision = await revisionOf(site, id);
    const { alice, bob, carol, admin } = site.users;
    for (const user of [null, carol, staff.contributor, staff.editor, alice, bob, admin]) {
      const visitor = await visit(site, user);
      const belongs = user !== null && [alice, bob, admin].includes(user);
      for (const path of [
        `/wp-trackback.php?x=/${id}`,
        `/?p=${id}&post_type=registry`,
        `/?p=${id}`,
        `/?registry=${id}`,
        `/?p=${revision}`,
        `/wp-trackback.php?x=/${revision}`,
        `/wp-admin/edit-comments.php?p=${revision}`,
      ]) {
        const { text, headers } = await visitor(path);
        const told = /whisperwood/i.test(`${headers.get('location')} ${text}`);
        assert.equal(told && !belongs, false, `${user?.username} ${path}`);
      }
    }
  });

  test('the list table counts and dates only the user’s own registries', async () => {
    const carol = await visit(site, site.users.carol);
    const seen = async () =>
      (await page(carol, '/wp-admin/edit.php?post_type=registry&all_posts=1')).match(
        /<ul class=["']subsubsub["']>[\s\S]*?<\/ul>/,
      )?.[0];
    await create('carol', { title: 'One of Carol', status: 'draft' });
    const before = await seen();
    assert.match(before!, /count/);
    for (const status of ['draft', 'pending', 'private', 'publish'])
      await create('bob', { title: 'Another', status });
    await addPost(site, {
      ...{ post_type: 'registry', post_status: 'draft', post_title: 'Old', post_author: site.users.bob.id },
      post_date: '2019-03-04 05:06:07',
    });
    assert.equal(await seen(), before);
    assert.doesNotMatch(await page(carol, '/wp-admin/edit.php?post_type=registry'), /March 2019/);
    const admin = await visit(site, site.users.admin);
    assert.match(await page(admin, '/wp-admin/edit.php?post_type=registry'), /March 2019/);
  });

  test('a search for words of a story behind a password finds nothing for people who only signed in', async () => {
    const { id, link } = await create('alice', {
      title: 'Behind the gate',
      content: 'wombats',
      status: 'publish',
      password: 'sesame',
      meta: { registry_invitees: '["bob"]' },
    });
    const searches = async (user: WordPressUser | null) => {
      const visitor = await visit(site, user);
      const registries = await rest(site, user, 'GET', '/wp/v2/registry?search=wombats');
      const everything = await rest(site, user, 'GET', '/wp/v2/search?search=wombats&type=post&subtype=any');
      return [
        (await page(visitor, '/?s=wombats')).includes('Behind the gate'),
        (await page(visitor, '/?s=wombats&post_type=registry')).includes('Behind the gate'),
        registries.headers.get('x-wp-total') !== '0' || registries.text !== '[]',
        everything.headers.get('x-wp-total') !== '0' || everything.text !== '[]',
      ];
    };
    const { carol, alice, bob, admin } = site.users;
    for (const user of [null, carol, staff.contributor, staff.editor]) {
      assert.deepEqual(await searches(user), [false, false, false, false], user?.username ?? 'nobody');
    }
    // Its people find it by its words; lists of registries show it only where it is edited.
    for (const user of [alice, bob, admin])
      assert.deepEqual(await searches(user), [true, false, false, true], user.username);
    const edited = await rest(site, alice, 'GET', '/wp/v2/registry?search=wombats&context=edit');
    assert.deepEqual(
      edited.json.map((found: { id: number }) => found.id),
      [Number(id)],
    );
    // The registry is public: its page asks for the password.
    const { status, text } = await (await visit(site, carol))(link);
    assert.deepEqual([status, text.includes('post_password'), text.includes('wombats')], [200, true, false]);
    assert.equal((await rest(site, carol, 'GET', `/wp/v2/registry/${id}`)).json.content.rendered, '');
  });

  test('XML-RPC lists all that the user may read, and hidden registries take no places in the list', async () => {
    const made = await addPost(site, {
      ...{ post_type: 'registry', post_status: 'private', post_title: 'Mine', post_content: 'narwhal' },
      ...{ post_author: site.users.carol.id, post_date: '2020-01-01 00:00:00' },
    });
    const id = String(made);
    await create('alice', { title: 'Newer', content: 'narwhal', status: 'private' });
    const { carol } = site.users;
    const answer = await xmlrpc('wp.getPosts', carol, {
      post_type: 'registry',
      post_status: 'private',
      s: 'narwhal',
      number: 1,
    });
    assert.deepEqual(
      [...answer.matchAll(/<name>post_id<\/name><value><string>(\d+)/g)].map(([, found]) => found),
      [id],
    );
  });

  test('guests and owners still find what is theirs', async () => {
    const { slug, id } = await create('alice', {
      title: 'Ours',
      content: 'Story',
      status: 'private',
      meta: { registry_invitees: JSON.stringify(['BOB', 'Carol@Example.test']) },
    });
    for (const [user, status] of [
      [site.users.alice, 200],
      [site.users.bob, 200],
      [site.users.carol, 200],
      [staff.editor, 404],
      [null, 404],
    ] as const) {
      const visitor = await visit(site, user);
      for (const path of [`/registry/${slug}/`, `/?registry=${id}`])
        assert.equal((await visitor(path)).status, status, `${user?.username} ${path}`);
    }
  });

  describe('pictures', () => {
    let closed: { id: number; link: string };
    let secret: { id: number; file: string };
    let control: { id: number; file: string };

    const attach = async (parent: number, author: number, title: string) =>
      await addPicture(
        site,
        {
          ...{ post_title: title, post_content: 'quagga', post_excerpt: `${title} caption` },
          post_author: author,
        },
        parent,
      );
    const shows = (text: string, picture: { file: string }) =>
      text.includes(picture.file) || text.includes(picture.file.replace('.png', ''));

    before(async () => {
      const { alice, admin } = site.users;
      closed = await create('alice', {
        title: 'Numbat party',
        status: 'private',
        meta: { registry_invitees: '["bob"]' },
      });
      secret = await attach(closed.id, alice.id, 'secretpicture');
      control = await attach(0, admin.id, 'controlpicture');
    });

    test('are in lists and answers of the REST API for the people of a private registry only', async () => {
      const { alice, bob, carol, admin } = site.users;
      const read = async (user: WordPressUser | null) => {
        const list = await rest(site, user, 'GET', '/wp/v2/media?search=quagga');
        const one = await rest(site, user, 'GET', `/wp/v2/media/${secret.id}`);
        const children = await rest(site, user, 'GET', `/wp/v2/media?parent=${closed.id}`);
        return [
          list.headers.get('x-wp-total'),
          shows(list.text, secret),
          one.status,
          children.headers.get('x-wp-total'),
        ];
      };
      assert.deepEqual(await read(null), ['1', false, 404, '0']);
      for (const user of [carol, staff.contributor, staff.author, staff.editor])
        assert.deepEqual(await read(user), ['1', false, 404, '0'], user.username);
      for (const user of [alice, bob, admin])
        assert.deepEqual(await read(user), ['2', true, 200, '1'], user.username);
      const path = `/wp/v2/media/${secret.id}`;
      assert.equal((await rest(site, staff.editor, 'GET', `${path}?context=edit`)).status, 404);
      assert.equal((await rest(site, staff.editor, 'POST', path, { title: 'Seen' })).status, 404);
      assert.equal((await rest(site, staff.editor, 'DELETE', `${path}?force=true`)).status, 404);
      for (const right of ['read', 'edit', 'delete'].flatMap((may) => [`${may}_post`, `${may}_page`]))
        assert.deepEqual(
          [
            await can(site, staff.editor.id, right, secret.id),
            await can(site, alice.id, 'read_post', secret.id),
            await can(site, admin.id, right, secret.id),
          ],
          [false, true, true],
          right,
        );
      assert.equal((await rest(site, admin, 'GET', `${path}?context=edit`)).status, 200);
    });

    test('are on no media screen of others', async () => {
      for (const user of [staff.author, staff.editor]) {
        const visitor = await visit(site, user);
        const query = await visitor('/wp-admin/admin-ajax.php', {
          action: 'query-attachments',
          'query[s]': 'quagga',
        });
        assert.deepEqual([shows(query.text, secret), shows(query.text, control)], [false, true]);
        assert.equal(query.text.includes('Numbat'), false);
        const one = await visitor('/wp-admin/admin-ajax.php', {
          action: 'get-attachment',
          id: String(secret.id),
        });
        assert.deepEqual([one.json.success, shows(one.text, secret)], [false, false]);
        for (const path of [
          '/wp-admin/upload.php?mode=list&s=quagga',
          '/wp-admin/upload.php?mode=list',
          '/wp-admin/media-upload.php?tab=library&s=quagga',
          '/wp-admin/media-upload.php?type=image&tab=library',
        ]) {
          const { text } = await visitor(path);
          assert.deepEqual([shows(text, secret), shows(text, control)], [false, true], path);
          assert.equal(text.includes('Numbat'), false, path);
          assert.doesNotMatch(text, /All \(2\)|Images? <span class="count">\((<[^>]*>)?2/, path);
        }
        for (const path of [
          `/wp-admin/async-upload.php?attachment_id=${secret.id}&fetch=2`,
          `/wp-admin/async-upload.php?attachment_id=${secret.id}&fetch=3`,
          `/wp-admin/post.php?post=${secret.id}&action=edit`,
          `/wp-admin/edit-comments.php?p=${secret.id}`,
        ]) {
          const { status, text } = await visitor(path);
          assert.deepEqual([status === 200, shows(text, secret)], [false, false], path);
        }
        assert.equal(
          shows(
            (await visitor(`/wp-admin/async-upload.php?attachment_id=${control.id}&fetch=3`)).text,
            control,
          ),
          true,
        );
        for (const path of [`/?attachment_id=${secret.id}`, `/secretpicture/`]) {
          const answer = await visitor(path);
          assert.equal(
            shows(answer.text + (answer.headers.get('location') ?? ''), secret) && answer.status !== 404,
            false,
            path,
          );
        }
      }
      const admin = await visit(site, site.users.admin);
      assert.equal(shows((await admin('/wp-admin/upload.php?mode=list&s=quagga')).text, secret), true);
    });

    test('are not listed by XML-RPC', async () => {
      for (const user of [staff.author, staff.editor]) {
        const answers = [
          await xmlrpc('wp.getMediaItem', user, secret.id),
          await xmlrpc('wp.getMediaLibrary', user, {}),
          await xmlrpc('wp.getPost', user, secret.id),
        ];
        for (const answer of answers) assert.equal(shows(answer, secret), false, answer);
        assert.equal(shows(answers[1]!, control), true);
        assert.equal(shows(await xmlrpc('wp.getMediaItem', user, control.id), control), true);
      }
      assert.equal(shows(await xmlrpc('wp.getMediaItem', site.users.admin, secret.id), secret), true);
    });

    test('become nobody else’s featured image, and stand in no other story', async () => {
      const { carol, alice } = site.users;
      const content = `[gallery ids="${secret.id},${control.id}"]`;
      const open = await create('carol', { title: 'Taken', status: 'publish', content });
      const path = `/wp/v2/registry/${open.id}`;
      const nobody = await visit(site, null);
      const featured = () => postMeta(site, open.id, '_thumbnail_id').then(Number);

      const refused = await rest(site, carol, 'POST', path, { featured_media: secret.id });
      assert.deepEqual([refused.status, refused.json.code], [400, 'rest_invalid_featured_media']);
      await xmlrpc('wp.editPost', carol, open.id, { post_thumbnail: secret.id });
      const visitor = await visit(site, carol);
      const editor = await page(visitor, `/wp-admin/post.php?post=${open.id}&action=edit`);
      await visitor('/wp-admin/post.php', {
        action: 'editpost',
        post_ID: String(open.id),
        post_type: 'registry',
        _wpnonce: field(editor, '_wpnonce'),
        _thumbnail_id: String(secret.id),
      });
      assert.equal(await featured(), 0);
      const posing = await rest(site, carol, 'POST', '/wp/v2/registry', {
        title: 'New',
        featured_media: secret.id,
      });
      assert.equal(posing.status, 400);

      // The same requests succeed for the user's own picture and for a public one.
      assert.equal((await rest(site, carol, 'POST', path, { featured_media: control.id })).status, 200);
      assert.equal(await featured(), control.id);
      assert.match(await page(nobody, open.link), /controlpicture/);
      const own = await create('alice', { title: 'Alices', status: 'publish' });
      const chosen = await rest(site, alice, 'POST', `/wp/v2/registry/${own.id}`, {
        featured_media: secret.id,
      });
      assert.equal(chosen.status, 200, chosen.text);
      assert.match(await page(nobody, own.link), /secretpicture/, 'its owner publishes it');

      // A featured image that was set before shows nothing.
      await storeMeta(site, open.id, '_thumbnail_id', secret.id);
      for (const reader of [nobody, visitor, await visit(site, staff.editor)]) {
        for (const address of [open.link, `${open.link}?preview=true&_thumbnail_id=${secret.id}`])
          assert.equal(shows(await page(reader, address), secret), false, address);
      }
      assert.equal((await rest(site, null, 'GET', path)).json.featured_media, 0);
    });

    test('have their address given by no block, wherever their number stands', async () => {
      const image = (id: number) =>
        `<!-- wp:image {"id":${id},"lightbox":{"enabled":true}} --><figure class="wp-block-image"><img src="https://x.example/a.png" alt=""/></figure><!-- /wp:image -->`;
      const stories: Record<string, (id: number) => string> = {
        image,
        'of text': (id) => image(id).replace(`:${id},`, `:" ${id}x",`),
        gallery: (id) =>
          `<!-- wp:gallery {"ids":[${id}]} --><figure class="wp-block-gallery has-nested-images">${image(id)}</figure><!-- /wp:gallery -->`,
        cover: (id) =>
          `<!-- wp:cover {"url":"https://x.example/a.png","id":${id}} --><div class="wp-block-cover"><div class="wp-block-cover__inner-container">${image(id)}</div></div><!-- /wp:cover -->`,
        'media and text': (id) =>
          `<!-- wp:media-text {"mediaId":${id},"mediaType":"image"} --><div class="wp-block-media-text"><figure class="wp-block-media-text__media"><img src="https://x.example/a.png" alt="" class="wp-image-${id}"/></figure><div class="wp-block-media-text__content"></div></div><!-- /wp:media-text -->`,
        file: (id) =>
          `<!-- wp:file {"id":${id},"href":"https://x.example/a.pdf"} --><div class="wp-block-file"><a href="https://x.example/a.pdf">A</a></div><!-- /wp:file -->`,
        video: (id) =>
          `<!-- wp:video {"id":${id}} --><figure class="wp-block-video"><video controls src="https://x.example/a.mp4"></video></figure><!-- /wp:video -->`,
        playlist: (id) =>
          `<!-- wp:playlist --><figure class="wp-block-playlist"><!-- wp:playlist-track {"id":${id}} /--></figure><!-- /wp:playlist -->[playlist type="video" ids="${id}"]`,
        // This list's posts belong to the owner of the pictures.
        'a list of the owner’s': (id) =>
          `<!-- wp:query {"query":{"perPage":50,"postType":"registry","author":"${site.users.alice.id}","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template -->${image(id)}<!-- /wp:post-template --></div><!-- /wp:query -->`,
      };
      await create('alice', { title: 'Open to be listed', status: 'publish' });
      const [major, minor] = site.version.split('.').map(Number) as [number, number];
      const hasLightbox = major > 6 || (major === 6 && minor >= 4);
      const readers = await Promise.all(
        [null, site.users.carol, staff.editor].map((user) => visit(site, user)),
      );
      for (const [name, story] of Object.entries(stories)) {
        const { id, link } = await create('carol', {
          title: 'Blocks',
          status: 'publish',
          content: story(secret.id),
        });
        for (const reader of readers) assert.equal(shows(await page(reader, link), secret), false, name);
        const read = await rest(site, null, 'GET', `/wp/v2/registry/${id}`);
        assert.equal(shows(read.text, secret), false, name);
        await rest(site, site.users.carol, 'POST', `/wp/v2/registry/${id}`, { content: story(control.id) });
        if (story(0).includes('lightbox'))
          assert.equal(shows(await page(readers[0]!, link), control), hasLightbox, `${name}, of everybody’s`);
      }
    });

    test('have their address given by no attribute of a block, whatever plugins call it', async () => {
      const { id } = secret;
      const without = async (attrs: unknown) =>
        (await site.call('confidentiality.block', { blockName: 'a/b', attrs, innerBlocks: [] })).attrs;
      const hidden = {
        ...{
          id,
          ids: [id, 'x'],
          mediaId: id,
          mediaID: `${id}`,
          media_id: id,
          imageIds: `${id},1`,
          imageid: id,
        },
        ...{ authorImageId: id, authorImage: id, userAvatarId: id, categoryImageId: id, tagPictureID: id },
        ...{
          media: id,
          images: [id],
          gallery: `${id}`,
          image2: id,
          logo: id,
          backgroundImage: { id },
          poster_3: id,
        },
        ...{ slides: [{ image: id }, { photo: { attachmentId: id } }], attachment: `${id}`, postId: id },
        ...{ items: JSON.stringify([{ img: id, text: 'stays' }]), bgImageID: id, featuredMedia: id },
      };
      assert.equal(new RegExp(`\\b${id}\\b`).test(JSON.stringify(await without(hidden))), false);
      assert.deepEqual((await without(hidden)).items, '[{"text":"stays"}]');
      const shown = JSON.parse(JSON.stringify(hidden).replaceAll(String(id), String(control.id)));
      assert.deepEqual(await without(shown), shown, 'what everybody may see stays');
    });

    test('have their address given by no plugin’s block in a post, whatever its attribute is called', async () => {
      const content = (id: number) => `<!-- wp:other/picture {"whatever":${id}} /-->`;
      const made = async (id: number) =>
        (
          await rest(site, staff.editor, 'POST', '/wp/v2/posts', {
            title: 'Post',
            status: 'publish',
            content: content(id),
          })
        ).json.link as string;
      const visitor = await visit(site, null);
      assert.ok(shows(await page(visitor, await made(control.id)), control));
      assert.equal(shows(await page(visitor, await made(secret.id)), secret), false);
      const owner = await visit(site, site.users.alice);
      assert.ok(shows(await page(owner, await made(secret.id)), secret), 'its owner sees it');
    });

    test('leave the numbers of other things in blocks', async () => {
      const { id } = secret;
      const attributes = {
        ...{
          categories: [{ id }],
          userId: id,
          columnsGrid: id,
          blockId: `${id}ab`,
          authorId: id,
          author: { id },
        },
        ...{ mediaWidth: id, imageSize: id, galleryColumns: id, columns: id, isValid: id, level: `${id}` },
        ...{ images: [], image: true, query: { perPage: id, tagIds: [id], author: id } },
        ...{ style: { spacing: { blockGap: `${id}` } }, text: `{"width":${id}}`, grid: [id] },
      };
      const block = { blockName: 'core/latest-posts', attrs: attributes, innerBlocks: [] };
      assert.deepEqual(await site.call('confidentiality.block', block), block);
    });

    test('have comments that are in no list, feed or count', async () => {
      const { alice, bob, carol, admin } = site.users;
      const say = (id: number, words: string) =>
        site.call('wp_insert_comment', {
          ...{ comment_post_ID: id, comment_author: 'Zbob', user_id: bob.id, comment_content: words },
          ...{ comment_date: '2020-01-01 00:00:00', comment_approved: 1 },
        });
      const approved = async (user: WordPressUser) =>
        Number((await inTurn(site, ['wp_set_current_user', user.id], ['wp_count_comments'])).approved);
      const counted = await approved(staff.editor);
      await say(secret.id, 'zwhispered marvellous');
      await say(control.id, 'zspoken marvellous');
      assert.deepEqual([(await approved(staff.editor)) - counted, (await approved(admin)) - counted], [1, 2]);
      for (const user of [null, carol, staff.author, staff.editor]) {
        const visitor = await visit(site, user);
        const staffs = user === staff.editor ? ['/wp-admin/edit-comments.php', '/wp-admin/index.php'] : [];
        for (const path of [
          '/comments/feed/',
          '/comments/feed/atom/',
          '/?feed=comments-rss2',
          '/?s=controlpicture&post_type=attachment&feed=comments-rss2&withcomments=1',
          '/wp-json/wp/v2/comments',
          ...staffs,
        ]) {
          const { text } = await visitor(path);
          assert.doesNotMatch(text, /zwhispered|secretpicture/, `${user?.username} ${path}`);
          if (!path.includes('?s=')) assert.match(text, /zspoken/, `${user?.username} ${path}`);
        }
        for (const [word, total] of [
          ['zwhispered', '0'],
          ['zspoken', '1'],
          ['marvellous', '1'],
        ]) {
          const found = await rest(site, user, 'GET', `/wp/v2/comments?search=${word}`);
          assert.equal(found.headers.get('x-wp-total'), total, `${user?.username} ${word}`);
        }
      }
      // The cache keys must be the same in each request, or no cached entry would be found.
      const keptAs = () => site.call('confidentiality.comments_kept_as', carol.id);
      assert.equal(await keptAs(), await keptAs());
      const users = [alice, carol, admin, staff.editor].map(({ id }) => id);
      const seen: [number, number][] = await site.call(
        'confidentiality.comments_seen',
        'zwhispered',
        ...users,
      );
      assert.deepEqual(
        seen.map(([found, all]) => [found, all - counted]),
        [
          [1, 2],
          [0, 1],
          [1, 2],
          [0, 1],
        ],
      );
      for (const user of [alice, bob, admin])
        assert.match((await rest(site, user, 'GET', '/wp/v2/comments?search=zwhispered')).text, /marvellous/);
      const commenter = await visit(site, bob);
      for (const [picture, status] of [
        [secret, 403],
        [control, 302],
      ] as const) {
        const form = { comment: `Said now of ${picture.file}`, comment_post_ID: String(picture.id) };
        assert.equal((await commenter('/wp-comments-post.php', form)).status, status);
      }
    });
  });

  test('pictures of a registry that wasn’t public go with it, unless its owner shows them elsewhere', async () => {
    const { alice } = site.users;
    const picture = (parent: number) =>
      addAttachment(
        site,
        { post_title: 'Echidna', post_mime_type: 'image/png', post_author: alice.id },
        'echidna.png',
        parent,
      );
    const status = async (user: WordPressUser | null, id: number) =>
      (await rest(site, user, 'GET', `/wp/v2/media/${id}`)).status;
    const kept = (id: number) => status(site.users.admin, id);
    const remove = (id: number) => rest(site, alice, 'DELETE', `/wp/v2/registry/${id}?force=true`);
    const closed = await create('alice', { title: 'Over', status: 'private' });
    const [gone, shown] = [await picture(closed.id), await picture(closed.id)];
    const open = await create('alice', { title: 'Stays', status: 'publish', featured_media: shown });
    const binned = await create('alice', { title: 'Over, too', status: 'private' });
    const inBin = await picture(binned.id);
    await rest(site, alice, 'DELETE', `/wp/v2/registry/${binned.id}`);
    const locked = await create('alice', { title: 'Over, and locked', status: 'publish', password: 'knock' });
    const behind = await picture(locked.id);
    const states = () => Promise.all([gone, shown, inBin, behind].map(kept));
    assert.deepEqual(await states(), [200, 200, 200, 200]);
    for (const id of [gone, shown, inBin, behind]) assert.equal(await status(null, id), 404);
    for (const { id } of [closed, binned, locked]) assert.equal((await remove(id)).status, 200);
    assert.deepEqual(await states(), [404, 200, 404, 404]);
    // Pictures that everybody saw stay, as WordPress leaves them.
    const seen = await picture(open.id);
    assert.equal((await remove(open.id)).status, 200);
    assert.deepEqual([await status(null, seen), await status(null, shown)], [200, 200]);
  });

  test('only people who may change a registry attach files to it: their addresses contain the registry’s', async () => {
    const { id, slug } = await create('alice', { title: 'Axolotl', status: 'private' });
    const hang = async (user: WordPressUser, path: string, body: Record<string, unknown>) => {
      const answer = await rest(site, user, 'POST', path, body);
      assert.ok([201, 200].includes(answer.status), answer.text);
      assert.doesNotMatch(answer.text, /axolotl/i);
      return [answer.json.id as number, answer.json.parent ?? answer.json.post];
    };
    const page = { title: 'Page', status: 'publish', parent: id };
    assert.equal((await hang(staff.editor, '/wp/v2/pages', page))[1], 0);
    for (const [user, parent] of [
      [staff.author, null],
      [site.users.admin, id],
    ] as const) {
      const own = await addAttachment(
        site,
        { post_title: 'File', post_mime_type: 'image/png', post_author: user.id },
        'file.png',
      );
      const answer = await rest(site, user, 'POST', `/wp/v2/media/${own}`, { post: id });
      assert.deepEqual([answer.json.post, answer.text.includes(slug)], [parent, parent !== null]);
    }
  });

  describe('invitations', () => {
    const isGuest = (login: string, id: number) =>
      idOf(site, login).then((user) => can(site, user, 'read_post', id));
    const register = (login: string, email: string): Promise<number> =>
      site.call('wp_insert_user', {
        ...{ user_login: login, user_pass: 'x', user_email: email, role: 'subscriber' },
      });
    const guests = (id: number) => postMeta(site, id, 'registry_invitees').then(JSON.parse);
    const invite = (id: number, invitees: string[]) =>
      rest(site, site.users.alice, 'POST', `/wp/v2/registry/${id}`, {
        meta: { registry_invitees: JSON.stringify(invitees) },
      });

    test('go to names that somebody has and to any address', async () => {
      const { id } = await create('alice', { title: 'Names', status: 'private' });
      for (const names of [['nobody-has-this'], ['bob', 'nobody-has-this'], ['Bób']]) {
        const refused = await invite(id, names);
        assert.deepEqual([refused.status, refused.json.code], [400, 'rest_invalid_param']);
        assert.match(refused.json.message, new RegExp(`“${names.at(-1)}”.*e-mail address`));
        assert.deepEqual(await guests(id), []);
      }
      const made = await rest(site, site.users.alice, 'POST', '/wp/v2/registry', {
        title: 'Not made',
        meta: { registry_invitees: '["nobody-has-this"]' },
      });
      assert.equal(made.status, 400);
      assert.equal((await invite(id, ['BOB', 'nobody@has-this.test'])).status, 200);

      // A guest who is on the list stays on it, whatever became of their account.
      await register('leaving', 'leaving@example.test');
      assert.equal((await invite(id, ['leaving'])).status, 200);
      await deleteUser(site, await idOf(site, 'leaving'));
      assert.equal((await invite(id, ['Leaving', 'bob'])).status, 200);
      // A new account of that name is somebody else's.
      await register('leaving', 'mallory@example.test');
      assert.deepEqual([await isGuest('leaving', id), await guests(id)], [false, ['bob']]);
    });

    test('to a name that nobody had are not for the person who takes it later, whatever the form', async () => {
      const { id } = await create('alice', { title: 'Old list', status: 'private' });
      const stored = JSON.stringify(['Frida', 'frida.k@example.test', 'bob', 'x"frida"x']);
      await setPostMeta(site, id, { registry_invitees: stored });
      await register('frida', 'other@example.test');
      assert.equal(await isGuest('frida', id), false);
      assert.deepEqual(await guests(id), ['frida.k@example.test', 'bob', 'x"frida"x']);
      assert.equal(await isGuest('bob', id), true);
      assert.equal((await invite(id, ['frida'])).status, 200);
      assert.equal(await isGuest('frida', id), true, 'invited now that the name is theirs');
    });

    test('to an address are for that address, never for a login shaped like it', async () => {
      const { id } = await create('alice', {
        title: 'By address',
        status: 'private',
        meta: { registry_invitees: '["hedy@example.test","bob"]' },
      });
      await register('hedy@example.test', 'impostor@example.test');
      assert.equal(await isGuest('hedy@example.test', id), false);
      await register('lamarr', 'Hedy@Example.test');
      assert.equal(await isGuest('lamarr', id), true);
      await register('bobby', 'bob@bob.test');
      assert.equal(await isGuest('bobby', id), false);
    });
  });

  test('an account without a role has no registries', async () => {
    const nora = await addUser(site, 'nora', '');
    const refused = await rest(site, nora, 'POST', '/wp/v2/registry', { title: 'x', status: 'publish' });
    assert.deepEqual([refused.status, refused.json.code], [403, 'rest_cannot_create']);
    await site.call('wp_update_user', { ID: nora.id, role: 'subscriber' });
    assert.equal((await rest(site, nora, 'POST', '/wp/v2/registry', { title: 'x' })).status, 201);
  });

  test('no slug tells that a private registry of that name exists', async () => {
    const title = 'Tamarin and Saki';
    const closed = [
      await create('alice', { title, status: 'private' }),
      await create('alice', { title, status: 'private', slug: 'tamarin' }),
      await create('alice', { title, status: 'draft', slug: 'tamarin-draft' }),
      await create('alice', { title, status: 'pending', slug: 'tamarin-pending' }),
    ];
    for (const { slug } of closed) assert.match(slug, /^tamarin(-and-saki|-draft|-pending)?-[a-z0-9]{10}$/);
    assert.equal((await create('bob', { title, status: 'publish' })).slug, 'tamarin-and-saki');
    for (const slug of ['tamarin', 'tamarin-draft', 'tamarin-pending']) {
      assert.equal((await create('bob', { title: 'x', status: 'publish', slug })).slug, slug);
    }
    // The address stays, whatever becomes of the registry.
    const [first] = closed;
    for (const change of [
      { title: 'Other' },
      { status: 'publish' },
      { status: 'private' },
      { slug: first!.slug },
    ]) {
      const changed = await rest(site, site.users.alice, 'POST', `/wp/v2/registry/${first!.id}`, change);
      assert.equal(changed.json.slug, first!.slug);
    }
    const again = await create('bob', { title: 'Public', status: 'publish' });
    const hidden = await rest(site, site.users.bob, 'POST', `/wp/v2/registry/${again.id}`, {
      status: 'private',
    });
    assert.equal(hidden.json.slug, again.slug);
  });

  test('a registry’s former address leads only visitors to it who may see it', async () => {
    const { id, link } = await create('alice', { title: 'Capybara', status: 'publish' });
    const change = (fields: Record<string, unknown>) =>
      rest(site, site.users.alice, 'POST', `/wp/v2/registry/${id}`, fields);
    const { slug } = (await change({ slug: 'capybara-and-coati' })).json;
    const leads = async (user: WordPressUser | null) => {
      const { status, headers } = await (await visit(site, user))(link);
      return [status, headers.get('location')?.includes(slug) ?? false];
    };
    assert.deepEqual(await leads(null), [301, true]);
    await change({ status: 'private' });
    for (const user of [null, site.users.carol, staff.editor])
      assert.deepEqual(await leads(user), [404, false]);
    assert.deepEqual(await leads(site.users.alice), [301, true]);
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});
