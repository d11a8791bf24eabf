// A guest who has lost the mail gets the invitations again, and the page tells nobody who is invited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, type Visitor } from '../../dev/wordpress/site.ts';

const PAGE = '/registries/lost-invitation/';
const AUNT = 'aunt@example.org';

describeSite('an invitation that was lost', {}, (site) => {
  const { alice: owner } = site.visitors;
  site.startWith(() => ({ muPlugins: ['clock'] }));

  const stranger = () => site.visit();
  const pathOf = (url: string) => url.replace(site.url, '');

  /** Takes a guest off a list. */
  async function cancel(id: number, guest: string) {
    const at = `/registries/${id}/guests/`;
    assert.equal((await owner(at, { do: 'cancel', guest })).status, 303);
  }
  async function list(title: string, guests: string[], status: 'private' | 'publish' = 'private') {
    const client = site.client();
    const { id, permalink } = (await client.registries.create({
      ...{ title, status, meta: { registry_invitees: guests } },
    }))!;
    return { id, path: pathOf(permalink) };
  }
  /** Sends the form as a person who took some seconds. */
  async function ask(visitor: Visitor, email: string, page = PAGE) {
    const answer = await visitor.send(page, 'send', { since: await site.formStamp(), email }, PAGE);
    return { status: answer.status, text: answer.status === 303 ? (await visitor(PAGE)).text : answer.text };
  }
  const linksIn = (text: string) => text.match(/https?:\/\/\S+/g)!.filter((url) => !url.includes('no-mail'));

  test('comes again with the links of all lists of an address, which open them', async () => {
    const [one, other, open] = [
      await list('Rosemary', [AUNT]),
      await list('Juniper', ['someone@example.org', 'AUNT@example.org']),
      await list('Clover', [AUNT], 'publish'),
    ];
    const closed = await list('Nettle', [AUNT]);
    await site.changePost(closed.id, { post_status: 'draft' });
    await list('Foxglove', ['another-aunt@example.org']);
    await site.mails();
    const { status, text } = await ask(await stranger(), AUNT);
    assert.equal(status, 303);
    assert.match(text, /we’ve just emailed the link/);
    const [mail, ...more] = await site.mails();
    assert.deepEqual(more, []);
    assert.equal(mail!.to.replace(/[<>]/g, ''), AUNT);
    assert.equal(mail!.subject, 'Your invitations');
    for (const title of ['Rosemary', 'Juniper', 'Clover']) assert.ok(mail!.text.includes(title));
    assert.doesNotMatch(mail!.text, /Nettle|Foxglove/);
    const links = linksIn(mail!.text).map(pathOf);
    assert.equal(links.length, 3, mail!.text);
    const opened: string[] = [];
    for (const link of links) {
      const aunt = await stranger();
      const answer = await aunt(link, await aunt.form(link, 'open'));
      opened.push(pathOf(answer.headers.get('location')!));
      assert.equal((await aunt(opened.at(-1)!)).status, 200);
    }
    assert.deepEqual(opened.sort(), [one.path, other.path, open.path].sort());
  });

  test('leads members to the lists to which their account is invited', async () => {
    const { bob } = site.users;
    const { path } = await list('Tansy', [bob.username]);
    await site.mails();
    await ask(await stranger(), bob.email);
    const mails = await site.mails();
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Your invitation'],
    );
    assert.deepEqual(linksIn(mails[0]!.text).map(pathOf), [path]);
    assert.doesNotMatch(mails[0]!.text, /you don’t need an account/);
  });

  test('answers everybody the same, and sends nothing to an address without an invitation', async () => {
    await site.mails();
    const answers = [await ask(await stranger(), 'nobody@example.org'), await ask(await stranger(), AUNT)];
    for (const { text } of answers) assert.match(text, /<details[^>]*><summary>No email yet\?.*<form/s);
    const plain = answers.map(({ status, text }, n) => [
      status,
      text.replace(/name="since" value="[^"]+"/, '').replace(`If ${['nobody@example.org', AUNT][n]} is`, ''),
    ]);
    assert.deepEqual(plain[0], plain[1]);
    assert.deepEqual(
      (await site.mails()).map(({ to }) => to.replace(/[<>]/g, '')),
      [AUNT],
    );
  });

  test('an owner, and a guest who was taken off, get no link', async () => {
    const { id } = await list('Sorrel', ['former@example.org']);
    await cancel(id, 'former@example.org');
    await site.mails();
    await ask(await stranger(), 'former@example.org');
    await ask(await stranger(), site.users.alice.email);
    assert.deepEqual(await site.mails(), []);
  });

  test('the page of a list that doesn’t open offers it in any theme, alike whether the list exists', async () => {
    const { id, path } = await list('Yarrow', [AUNT]);
    const missing = path.replace('yarrow', 'wormwood');
    const same = (text: string) =>
      decoded(text)
        .replaceAll(/yarrow|wormwood/g, '')
        .replace(/name="since" value="[^"]+"/, '');
    try {
      for (const theme of ['trousseau', 'twentytwentyone', 'twentytwentythree']) {
        await site.switchTheme(theme);
        const [visitor, guest] = [await stranger(), await site.visit('bob')];
        for (const by of [visitor, guest]) {
          const [there, nowhere] = [await by(path), await by(missing)];
          assert.deepEqual([there.status, nowhere.status], [404, 404], theme);
          assert.match(there.text, />\s*Resend my invitation\s*</);
          assert.match(there.headers.get('cache-control')!, /no-store/);
          assert.match(there.headers.get('x-robots-tag')!, /noindex/);
          assert.doesNotMatch(there.text, /Yarrow/);
        }
        assert.equal(same((await visitor(path)).text), same((await visitor(missing)).text), theme);
        const login = decoded(
          /href="([^"]*wp-login[^"]*)"/.exec((await visitor(path)).text.split('<main')[1] ?? '')?.[1] ?? '',
        );
        assert.equal(new URL(login).searchParams.get('redirect_to'), site.url + path);
        assert.doesNotMatch((await visitor('/no-such-page/')).text, />\s*Resend my invitation\s*</);
      }
    } finally {
      await site.switchTheme('trousseau');
    }
    assert.equal((await ask(await stranger(), AUNT, path)).status, 303);
    assert.match((await (await stranger())(`/registries/${id}/give/`)).text, />\s*Resend my invitation\s*</);
    await site.mails();
  });

  test('works without pretty addresses', async () => {
    const { id } = await list('Mallow', [AUNT]);
    await site.setOption('permalink_structure', '');
    try {
      const visitor = await stranger();
      const answer = await visitor(`/?registry=${id}`);
      assert.equal(answer.status, 404);
      assert.match(answer.text, />\s*Resend my invitation\s*</);
      assert.match(decoded(answer.text), new RegExp(`redirect_to=[^"]*registry%3D${id}"`));
    } finally {
      await site.setOption('permalink_structure', '/%postname%/');
    }
  });

  test('refuses what isn’t an address, machines, and whoever asks too often', async () => {
    const visitor = await stranger();
    assert.equal((await ask(visitor, 'aunt')).status, 422);
    assert.equal((await visitor.send(PAGE, 'send', { website: 'x', email: AUNT })).status, 422);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(visitor, 'often@example.org')).status);
    assert.deepEqual(statuses, [303, 303, 303, 422]);
    await site.mails();
  });
});
