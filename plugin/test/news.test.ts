// Mails to guests who wish to hear of new gifts and of another day.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { createClient } from 'trousseau-client';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, type Visitor } from '../../dev/wordpress/site.ts';

const AUNT = 'aunt@example.org';

describeSite('mails about new gifts', {}, (site) => {
  let alice: ReturnType<typeof createClient>;
  let id: number;
  let path: string;
  let page: string;
  before(async () => {
    alice = site.client();
  });
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
    const visitor = await site.visit();
    assert.equal((await visitor(local(await site.guestLink(id, AUNT)), { do: 'open' })).status, 303);
    return visitor;
  }
  const follow = async (visitor: Visitor) => {
    const answer = await visitor(page, await visitor.form(page, 'begin'));
    assert.equal(answer.status, 303, answer.text);
  };
  /** The subjects of the mails that the day's work makes about this list, with their readers. */
  const news = async () => {
    await site.runJobs('news');
    await site.runJobs('mail');
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
    await site.runJobs('news');
    await site.runJobs('mail');
    const [mail, ...more] = await site.mails();
    assert.deepEqual(more, []);
    assert.equal(mail!.subject, '2 new gifts on the list “Ann & Sam”');
    assert.ok(mail!.to.includes(AUNT));
    assert.doesNotMatch(mail!.text, /Sieve|The day is/);
    const device = await site.visit();
    const link = local(/https?:\S*invitation\S*/.exec(mail!.text)![0]);
    assert.equal((await device(link, { do: 'open' })).status, 303, 'the guest’s own link');
    assert.equal((await device(path)).status, 200);
    assert.deepEqual(await news(), [], 'it was told');

    await alice.items.delete(ladle);
    assert.deepEqual(await news(), [], 'a gift that is gone is no news');
    await alice.registries.update(id, { meta: { registry_event_date: '2036-06-06' } });
    await site.runJobs('news');
    await site.runJobs('mail');
    const [moved] = await site.mails();
    assert.equal(moved!.subject, 'The list “Ann & Sam” has another day');
    assert.match(moved!.text, /The day is .*2036 now/);
  });

  test('go to guests with an account, too, and end at a press', async () => {
    const bob = await site.visit('bob');
    assert.match(decoded((await bob(path)).text), /Mails about new gifts/);
    await follow(bob);
    await follow(await aunt());
    await add('Sieve');
    const subject = '1 new gift on the list “Ann & Sam”';
    assert.deepEqual(await news(), [`${AUNT}: ${subject}`, `${site.users.bob.email}: ${subject}`]);
    const ours = JSON.stringify(await site.personalData('exporter', site.users.bob.email));
    assert.match(ours, /Mails about new gifts/);

    assert.equal((await bob(page, await bob.form(page, 'end'))).status, 303);
    await add('Ladle');
    assert.deepEqual(await news(), [`${AUNT}: ${subject}`]);
  });

  test('end with the invitation, and when the list closes', async () => {
    await follow(await aunt());
    const bob = await site.visit('bob');
    await follow(bob);
    await alice.registries.update(id, { meta: { registry_invitees: ['bob'] } });
    await add('Sieve');
    const subject = '1 new gift on the list “Ann & Sam”';
    assert.deepEqual(await news(), [`${site.users.bob.email}: ${subject}`]);

    const owner = await site.visit('alice');
    const details = `/registries/${id}/details/`;
    const fields = {
      ...(await owner.form(details, 'change')),
      ...{ date: '2026-05-30', closes: '2026-06-20' },
    };
    assert.equal((await owner(details, fields)).status, 303);
    await add('Ladle');
    assert.deepEqual(await news(), []);
  });

  test('are for guests: strangers and owners can’t ask for them', async () => {
    await alice.registries.update(id, { status: 'publish' });
    const stranger = await site.visit();
    assert.doesNotMatch((await stranger(path)).text, /Mails about new gifts/);
    assert.match((await stranger(page)).text, /Log in, or open the link in your invitation/);
    assert.notEqual((await stranger(page, { do: 'begin' })).status, 303);
    const owner = await site.visit('alice');
    assert.notEqual((await owner(page, { do: 'begin' })).status, 303);
    await add('Sieve');
    assert.deepEqual(await news(), []);
  });
});
