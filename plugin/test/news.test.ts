// Mails to guests who wish to hear of new gifts and of another day.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { guestLink, personalData, runJobs } from '../../dev/wordpress/set-up.ts';
import { complaints, decoded, fieldsOf, type Visitor, visit } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

const AUNT = 'aunt@example.org';

describe('mails about new gifts', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let alice: ReturnType<typeof createClient>;
  let id: number;
  let path: string;
  let page: string;
  before(async () => {
    site = await startWholeSite();
    alice = createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
  });
  after(() => site?.stop());
  beforeEach(async () => {
    const meta = { registry_invitees: [AUNT, 'bob'], registry_event_date: '2036-05-30' };
    const made = (await alice.registries.create({ title: 'Ann & Sam', status: 'private', meta }))!;
    id = made.id;
    path = made.permalink.replace(site.url, '');
    page = `/registries/${id}/news/`;
    await add('Pan');
    await site.mails();
  });

  const add = (name: string) =>
    alice.registries.items.create(id, { name, url: `https://shop.example/${name}` });
  const local = (link: string) => link.replace(new URL(link).origin, '');
  async function aunt(): Promise<Visitor> {
    const visitor = await visit(site, null);
    assert.equal((await visitor(local(await guestLink(site, id, AUNT)), { do: 'open' })).status, 303);
    return visitor;
  }
  const follow = async (visitor: Visitor) => {
    const answer = await visitor(page, fieldsOf((await visitor(page)).text, 'begin')!);
    assert.equal(answer.status, 303, answer.text);
  };
  /** The subjects of the mails that the day's work makes about this list, with their readers. */
  const news = async () => {
    await runJobs(site, 'news');
    await runJobs(site, 'mail');
    return (await site.mails()).map(({ to, subject }) => `${to}: ${subject}`).sort();
  };

  test('go to a guest who has asked for them, once for all gifts that are new', async () => {
    const visitor = await aunt();
    assert.match(decoded((await visitor(path)).text), /Mails about new gifts/);
    assert.match(decoded((await visitor(page)).text), /Shall we send you a mail when gifts are added to/);
    await follow(visitor);
    assert.match(decoded((await visitor(page)).text), /You get a mail when gifts are added/);
    assert.deepEqual(await news(), [], 'the guest knows the list');

    await add('Sieve');
    const ladle = (await add('Ladle'))!.data.id;
    await runJobs(site, 'news');
    await runJobs(site, 'mail');
    const [mail, ...more] = await site.mails();
    assert.deepEqual(more, []);
    assert.equal(mail!.subject, '2 new gifts on the list “Ann & Sam”');
    assert.ok(mail!.to.includes(AUNT));
    assert.doesNotMatch(mail!.text, /Sieve|The day is/);
    const device = await visit(site, null);
    const link = local(/https?:\S*invitation\S*/.exec(mail!.text)![0]);
    assert.equal((await device(link, { do: 'open' })).status, 303, 'the guest’s own link');
    assert.equal((await device(path)).status, 200);
    assert.deepEqual(await news(), [], 'it was told');

    await alice.items.delete(ladle);
    assert.deepEqual(await news(), [], 'a gift that is gone is no news');
    await alice.registries.update(id, { meta: { registry_event_date: '2036-06-06' } });
    await runJobs(site, 'news');
    await runJobs(site, 'mail');
    const [moved] = await site.mails();
    assert.equal(moved!.subject, 'The list “Ann & Sam” has another day');
    assert.match(moved!.text, /The day is .*2036 now/);
  });

  test('go to guests with an account, too, and end at a press', async () => {
    const bob = await visit(site, site.users.bob);
    assert.match(decoded((await bob(path)).text), /Mails about new gifts/);
    await follow(bob);
    await follow(await aunt());
    await add('Sieve');
    const subject = '1 new gift on the list “Ann & Sam”';
    assert.deepEqual(await news(), [`${AUNT}: ${subject}`, `${site.users.bob.email}: ${subject}`]);
    const ours = JSON.stringify(await personalData(site, 'exporter', site.users.bob.email));
    assert.match(ours, /Mails about new gifts/);

    assert.equal((await bob(page, fieldsOf((await bob(page)).text, 'end')!)).status, 303);
    await add('Ladle');
    assert.deepEqual(await news(), [`${AUNT}: ${subject}`]);
  });

  test('end with the invitation, and when the list closes', async () => {
    await follow(await aunt());
    const bob = await visit(site, site.users.bob);
    await follow(bob);
    await alice.registries.update(id, { meta: { registry_invitees: ['bob'] } });
    await add('Sieve');
    const subject = '1 new gift on the list “Ann & Sam”';
    assert.deepEqual(await news(), [`${site.users.bob.email}: ${subject}`]);

    const owner = await visit(site, site.users.alice);
    const details = `/registries/${id}/details/`;
    const fields = {
      ...fieldsOf((await owner(details)).text, 'change')!,
      ...{ date: '2026-05-30', closes: '2026-06-20' },
    };
    assert.equal((await owner(details, fields)).status, 303);
    await add('Ladle');
    assert.deepEqual(await news(), []);
  });

  test('are for guests: strangers and owners can’t ask for them', async () => {
    await alice.registries.update(id, { status: 'publish' });
    const stranger = await visit(site, null);
    assert.doesNotMatch((await stranger(path)).text, /Mails about new gifts/);
    assert.match((await stranger(page)).text, /Log in, or open the link in your invitation/);
    assert.notEqual((await stranger(page, { do: 'begin' })).status, 303);
    const owner = await visit(site, site.users.alice);
    assert.notEqual((await owner(page, { do: 'begin' })).status, 303);
    await add('Sieve');
    assert.deepEqual(await news(), []);
    assert.deepEqual(complaints(site), []);
  });
});
