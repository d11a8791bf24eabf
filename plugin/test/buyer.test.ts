// One giver buys a gift that several pay for, with the service as it ships. BuyerTest.php has the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, fieldsOf, type Visitor, words } from '../../dev/wordpress/site.ts';

const OWNERS = 'In an envelope to Ann';
const MINE = 'DE89 3704 0044 0532 0130 00, Bob Berg';

describeSite('the one who buys a shared gift', {}, (site) => {
  const { alice, bob, carol } = site.visitors;

  const pram = (surprise = '') =>
    site.list(
      {
        meta: {
          ...{ registry_currency: 'EUR', registry_invitees: ['bob', 'carol'], registry_pay_to: OWNERS },
          registry_surprise_until: surprise,
        },
      },
      { name: 'Pram', unit: 'money', quantity_needed: 52_000 },
    );
  /** Gives a share and returns the path of the giver's page. */
  async function share(visitor: Visitor, give: string, amount: string) {
    const answer = await visitor.press(give, 'give', { share: 'own', amount });
    const { pathname, search } = new URL(answer.headers.get('location')!);
    return pathname + search;
  }
  const page = async (visitor: Visitor, path: string) => words((await visitor(path)).text);
  const send = async (visitor: Visitor, path: string, action: string, fields = {}) =>
    visitor(path, { ...fieldsOf((await visitor(path)).text, action)!, ...fields });
  const mails = async (about: string) => {
    await site.runDueJobs('buyer', 0.01);
    await site.runDueJobs('mail', 0.01);
    return (await site.mails())
      .filter(({ subject }) => subject.includes(about))
      .map(({ to, text }) => `${to.split('@')[0]!.replace('<', '')}: ${words(text)}`)
      .sort();
  };

  test('is named to the others, gets their shares, and sees who has sent one', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give(), '300');
    const carols = await share(carol, give(), '120');
    assert.match(await page(carol, carols), /Nobody is buying it for everyone yet.*In an envelope to Ann/);
    const late = await carol.form(carols, 'buy');

    const long = await send(bob, bobs, 'buy', { pay_to: 'x'.repeat(301) });
    assert.equal(long.status, 422);
    assert.match(words(long.text), /Use 300 characters at most/);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.match(await page(carol, carols), /bob is buying it for everyone\. Send your share to bob/i);
    assert.match((await carol(carols)).text, /DE89 3704 0044 0532 0130 00/);
    assert.doesNotMatch(await page(carol, carols), /In an envelope|I’ll buy it/);
    const refused = await carol(carols, { ...late, pay_to: 'mine' });
    assert.equal(refused.status, 422);
    assert.match(words(refused.text), /Someone else is buying it now/);

    assert.match(
      await page(bob, '/registries/my-gifts/'),
      /€300 towards Pram for Ann & Sam · reserved for you until/,
    );
    assert.match(await page(carol, '/registries/my-gifts/'), /€120 towards Pram for Ann & Sam · send by/);
    assert.match(await page(bob, bobs), /You’re buying it.*carol €120 not sent yet.*I’ve bought it/i);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(bob, bobs), /carol €120 sent/i);
    // The others' texts and presses stay as they are.
    assert.equal((await send(bob, bobs, 'buy', { pay_to: 'In my hand' })).status, 303);
    assert.match(await page(carol, carols), /bob is buying it for everyone\..*In my hand/i);
  });

  test('hears, as the others do, with whom the money lies when the whole list is deleted, unless it is put back', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give(), '300');
    const carols = await share(carol, give(), '120');
    const cups = (await site.client().registries.items.create(id, {
      name: 'Cups',
      url: 'https://shop.example/cups',
      quantity_needed: 6,
    }))!.data.id;
    const cupsPage = `/registries/${id}/give/?item=${cups}`;
    const two = { ...(await carol.form(cupsPage, 'give')), count: '2' };
    assert.equal((await carol(cupsPage, two)).status, 303);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    await mails('');
    const { admin } = site.visitors;
    const press = async (screen: string, action: string) => {
      const { text } = await admin(`/wp-admin/edit.php?post_type=registry${screen}`);
      const link = new RegExp(`href=["']([^"']*post=${id}&amp;action=${action}[^"']*)["']`).exec(text)![1]!;
      const { pathname, search } = new URL(decoded(link), `${site.url}/wp-admin/`);
      assert.equal((await admin(pathname + search)).status, 302);
    };
    await press('', 'trash');
    await press('&post_status=trash', 'untrash');
    await site.runDueJobs('mail', 1);
    assert.deepEqual(await mails('was deleted'), [], 'it is back');
    await site.changePost(id, { post_status: 'private' });
    assert.match(await page(carol, carols), /€120/);

    await press('', 'trash');
    await press('&post_status=trash', 'delete');
    assert.deepEqual(await mails('was deleted'), [], 'there is time to put it back');
    await site.runDueJobs('mail', 1);
    const [toBob, toCarol, ...more] = await mails('was deleted');
    assert.deepEqual(more, []);
    assert.match(toBob!, /^bob: .*€300 towards Pram.*Please return it: carol \(€120\).*never handles money/i);
    assert.doesNotMatch(toBob!, /Cups|Your €/);
    assert.match(toCarol!, /^carol: .*• 2 × Cups • €120 towards Pram Your €120 is with bob\./i);
  });

  test('and the others give one gift, as the owner’s daily mail counts', async () => {
    await site.runJobs('digest');
    await mails('');
    const { give } = await pram();
    await share(bob, give(), '300');
    await share(carol, give(), '120');
    await site.runJobs('digest');
    assert.equal((await mails('1 gift from “Ann & Sam” was chosen')).length, 1);
  });

  test('holds money of others when they are erased: the keeper reads it, unless it is a surprise for the keeper', async () => {
    await site.personalData('eraser', site.users.bob.email);
    for (const [surprise, owner, message] of [
      ['', 'alice', /^Guests say they sent this person money for 1 group gift/],
      ['always', 'admin', undefined],
    ] as const) {
      const { id, give } = await pram(surprise);
      const bobs = await share(bob, give(), '300');
      const carols = await share(carol, give(), '120');
      assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
      assert.equal((await send(carol, carols, 'bought')).status, 303);
      await site.changePost(id, { post_author: site.users[owner].id });
      const { messages } = await site.personalData('eraser', site.users.bob.email);
      if (message) assert.match(messages.join(), message);
      else assert.deepEqual(messages, []);
      assert.doesNotMatch(await page(carol, carols), /bob/i);
    }
  });

  test('is no business of a surprised owner’s', async () => {
    const { id, give } = await pram('always');
    const seen = async () => {
      const pages = ['gifts', 'given', 'details'].map((name) => alice(`/registries/${id}/${name}/`));
      return (await Promise.all(pages)).map(({ text }) =>
        words(text).replaceAll(/\d+ (seconds?|mins?) ago/g, ''),
      );
    };
    const bobs = await share(bob, give(), '300');
    const before = await seen();
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    await share(carol, give(), '220');
    assert.deepEqual(await seen(), before);
    const told = (await mails('')).filter((mail) => mail.startsWith('alice:'));
    assert.deepEqual(told, []);
  });
});
