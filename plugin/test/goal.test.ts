// Gifts that several pay for when something is amiss: money is missing on the day, or nobody buys any more. Each giver is asked
// once and chooses on their page; owners read the choice once they may.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, formWith, type Visitor, words } from '../../dev/wordpress/site.ts';

const MISSED = 'the goal wasn’t reached';
const day = (zone: string, ago = 0) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now() - ago * 86_400_000);

describeSite('a shared gift that goes wrong', {}, (site) => {
  const { alice, bob, carol } = site.visitors;
  let ahead = 0;
  site.startWith(async () => {
    const clock = { wall: () => Date.now() + ahead, steady: () => performance.now() + ahead };
    return { muPlugins: ['test-mails'], clock };
  });

  beforeEach(async () => {
    await site.mails();
  });

  type Name = 'admin' | 'alice' | 'bob' | 'carol';
  const as = (name: Name) => site.client(name);
  /** A list with a pram of 520 €, to which these give shares. */
  async function pram(shares: Partial<Record<Name, number>>, meta: object = {}, fields: object = {}) {
    const { id } = (await as('alice').registries.create({
      title: 'Ann & Sam',
      status: 'private',
      meta: {
        ...{
          registry_currency: 'EUR',
          registry_invitees: ['bob', 'carol'],
          registry_pay_to: 'In an envelope',
        },
        ...{ registry_event_date: day('UTC', 1), ...meta },
      },
    }))!;
    const gift = (await as('alice').registries.items.create(id, {
      ...{ name: 'Pram', url: 'https://shop.example/pram', unit: 'money', quantity_needed: 52_000 },
      ...fields,
    }))!.data.id;
    const claims: Record<string, string> = {};
    for (const [name, quantity] of Object.entries(shares))
      claims[name] = (await as(name as Name).registries.items.claims.create(id, gift, { quantity }))!.id;
    return { id, gift, claims };
  }
  const round = (id: number) =>
    site.inTurn(['delete_post_meta', id, '_trousseau_shares_looked'], ['run_jobs', 'shares']);
  /** The new mails with these words in their subjects: to whom, and the path of each link. */
  async function mails(about: string) {
    await site.runDueJobs('mail', 0.01);
    return (await site.mails())
      .filter(({ subject }) => subject.includes(about))
      .map(({ to, text }) => ({
        to: to.split('@')[0]!,
        text: words(text),
        paths: [...text.matchAll(/https?:\/\/\S+\/registries\/gift\/\S+/g)].map(
          ([link]) => new URL(link!).pathname + new URL(link!).search,
        ),
      }))
      .sort((one, other) => one.to.localeCompare(other.to));
  }
  const given = async (id: number) => words((await alice(`/registries/${id}/given/`)).text);
  const press = async (visitor: Visitor, path: string, button: string) => {
    const form = formWith((await visitor(path)).text, button) ?? assert.fail(`no button ${button}`);
    const { status, text } = await visitor(path, form);
    assert.equal(status, 303, text);
    return words((await visitor(path)).text);
  };

  test('each giver is asked once, chooses, and may choose again; owners read only the choice that concerns them', async () => {
    const { id, claims } = await pram({ bob: 10_000, carol: 5000 });
    await as('carol').claims.update(claims.carol!, { state: 'purchased' });
    await round(id);
    await round(id);
    const asked = await mails(MISSED);
    assert.deepEqual(
      asked.map(({ to, paths }) => [to, paths.length]),
      [
        ['bob', 1],
        ['carol', 1],
      ],
    );
    assert.match(asked[0]!.text, /Please choose.*View your share of €100/);
    await round(id);
    assert.deepEqual(await mails(MISSED), [], 'once');

    const [bobs, carols] = asked.map(({ paths }) => paths[0]!) as [string, string];
    const first = words((await bob(bobs)).text);
    assert.match(first, /The goal wasn’t reached.*stays with the gift unless you choose/);
    assert.doesNotMatch(first, /Cancel my share|Only the person who has the money/);
    assert.match(words((await carol(carols)).text), /Only the person who has the money can return it/);
    assert.doesNotMatch(await given(id), /something else/);

    assert.match(
      await press(bob, bobs, 'Use it for something else'),
      /your choice is saved.*may use your share/,
    );
    assert.match(await given(id), /€100 towards Pram not sent yet, may be used for something else/);
    const exported = async () => JSON.stringify(await site.personalData('exporter', 'bob@example.test'));
    assert.match(await exported(), /They may use your share for something else/);
    await press(bob, bobs, 'Keep it for the gift');
    assert.doesNotMatch(await given(id), /something else/);
    assert.match(await exported(), /They get your share towards the gift/);

    await press(carol, carols, 'I’ve got it back');
    await press(carol, carols, 'Cancel my share');
    assert.equal((await as('admin').claims.get(claims.carol!))!.state, 'released');
    assert.equal((await as('admin').claims.get(claims.bob!))!.state, 'reserved');
    assert.equal((await site.keptRows(`share_answer_${id}_`)).length, 1);
  });

  test('the one who buys is told what is missing, pays it or lets somebody else buy, and is asked nothing', async () => {
    const { id, claims } = await pram({ bob: 10_000, carol: 5000 });
    await as('bob').claims.update(claims.bob!, { buys: true, pay_to: 'To Bob' });
    await round(id);
    const [toBob, toCarol] = await mails(MISSED);
    assert.match(toBob!.text, /You’re buying it: please pay the rest.*View your share of €100/);
    assert.doesNotMatch(toBob!.text, /Please choose/);
    assert.match(toCarol!.text, /Please choose/);
    const page = words((await bob(toBob!.paths[0]!)).text);
    assert.match(page, /€150 of €520 promised.*The day has come, and €370 is missing\. Buy it anyway/);
    assert.match(page, /I’ve bought it and I’m paying the missing €370.*Cancel my share/);
    assert.doesNotMatch(page, /The goal wasn’t reached|Use it for something else/);
  });

  test('nobody is asked before the day, about a full or bought gift, about pieces, or without a day', async () => {
    const early = await pram({ bob: 10_000 }, { registry_event_date: day('UTC', -3) });
    const none = await pram({ bob: 10_000 }, { registry_event_date: null });
    const full = await pram({ bob: 52_000 });
    const bought = await pram({ bob: 10_000, carol: 5000 });
    await as('carol').claims.update(bought.claims.carol!, { buys: true, state: 'purchased' });
    const pieces = await pram({}, {}, { unit: null, quantity_needed: 4 });
    await as('bob').registries.items.claims.create(pieces.id, pieces.gift, { quantity: 1 });
    const lists = [early, none, full, bought, pieces];
    for (const { id } of lists) await round(id);
    assert.deepEqual(await mails(MISSED), []);
    for (const { id } of lists) {
      const mine = /href="([^"]*\/registries\/gift\/[^"]*)"/g;
      const found = [...(await bob('/registries/my-gifts/')).text.matchAll(mine)].map(([, link]) =>
        decoded(link!),
      );
      assert.ok(found.length >= lists.length, `${id}`);
      for (const link of found.slice(0, lists.length)) {
        const { pathname, search } = new URL(link);
        assert.doesNotMatch((await bob(pathname + search)).text, /The goal wasn’t reached/);
      }
    }
  });

  test('the day begins where the site is', async () => {
    const there = 'Pacific/Kiritimati';
    const { id } = await pram({ bob: 10_000 }, { registry_event_date: day(there) });
    try {
      await site.setOption('timezone_string', 'Etc/GMT+12');
      await round(id);
      assert.deepEqual(await mails(MISSED), []);
      await site.setOption('timezone_string', there);
      await round(id);
      assert.equal((await mails(MISSED)).length, 1);
    } finally {
      await site.setOption('timezone_string', '');
    }
  });

  test('two processes, a second share and a mail that fails make one mail', async () => {
    const { id, gift } = await pram({ bob: 10_000 });
    await as('bob').registries.items.claims.create(id, gift, { quantity: 2000 });
    await site.setOption('test_no_mail', '1');
    await Promise.all([round(id), round(id), round(id)]);
    assert.equal(
      (await site.jobs('mail')).filter(({ unique_key }) => unique_key!.includes('goal-missed')).length,
      1,
    );
    assert.deepEqual(await mails(MISSED), []);
    await round(id);
    await site.setOption('test_no_mail', '');
    const asked = await mails(MISSED);
    assert.deepEqual(
      asked.map(({ to, paths }) => [to, paths.length]),
      [['bob', 2]],
    );
    await round(id);
    assert.deepEqual(await mails(MISSED), []);
  });

  test('a mail that waits is not sent once the gift is full', async () => {
    const { id, gift } = await pram({ bob: 10_000 });
    await site.setOption('test_no_mail', '1');
    await round(id);
    await as('carol').registries.items.claims.create(id, gift, { quantity: 42_000 });
    await site.setOption('test_no_mail', '');
    assert.deepEqual(await mails(MISSED), []);
    assert.equal(
      (await site.jobs('mail')).filter(({ unique_key }) => unique_key!.includes('goal-missed')).length,
      0,
    );
  });

  for (const keeps of ['all', 'names'])
    test(`owners who are to be surprised learn nothing (${keeps})`, async () => {
      const meta = { registry_surprise_until: 'always', registry_surprise_keeps: keeps };
      const { id } = await pram({ bob: 10_000 }, meta);
      const pages = ['given', 'gifts', 'details', 'people'].map((name) => `/registries/${id}/${name}/`);
      const seen = async () => {
        const texts: string[] = [];
        for (const path of pages) texts.push(words((await alice(path)).text));
        return texts;
      };
      const before = await seen();
      await round(id);
      const asked = await mails(MISSED);
      assert.deepEqual(
        asked.map(({ to }) => to),
        ['bob'],
      );
      await press(bob, asked[0]!.paths[0]!, 'Use it for something else');
      assert.deepEqual(await seen(), before);
      assert.doesNotMatch((await alice(asked[0]!.paths[0]!)).text, /something else|Pram/);
      await site.setPostMeta(id, { registry_surprise_until: '' });
      await until('the choice', async () => (await given(id)).includes('may be used for something else'));
    });

  test('others hear once when the buyer steps back, or when the buyer’s time is over', async () => {
    const { id, claims } = await pram({ bob: 10_000, carol: 5000 }, { registry_event_date: null });
    const noticed = () => until('a notice', () => site.hasJob('buyer', id));
    const look = () => site.runDueJobs('buyer');
    const NOBODY = 'Nobody is buying';
    await as('carol').claims.update(claims.carol!, { buys: true, pay_to: 'To Carol' });
    await noticed();
    await look();
    assert.deepEqual(await mails(NOBODY), []);
    assert.equal(await site.hasJob('buyer', id), true, 'waits for the end of the reservation');
    await as('carol').claims.update(claims.carol!, { buys: false });
    await until('an end', async () => {
      await look();
      return !(await site.hasJob('buyer', id));
    });
    assert.deepEqual(
      (await mails(NOBODY)).map(({ to }) => to),
      ['bob'],
    );
    await site.inTurn(['add_job', 'buyer', null, 0, `${id}`], ['run_jobs', 'buyer']);
    assert.deepEqual(await mails(NOBODY), [], 'once');

    await as('bob').claims.update(claims.bob!, { buys: true, expires_in: 3600 });
    await as('carol').claims.update(claims.carol!, { expires_in: 80 * 86_400 });
    await noticed();
    await look();
    ahead += 2 * 3_600_000;
    await until('an end', async () => {
      await look();
      return !(await site.hasJob('buyer', id));
    });
    assert.deepEqual(
      (await mails(NOBODY)).map(({ to }) => to),
      ['carol'],
    );
    assert.equal((await as('admin').claims.get(claims.bob!))!.state, 'expired');
  });

  test('a mail waits once the buyer takes a share back on the site, and is not sent once somebody else buys', async () => {
    const { id, claims } = await pram({ bob: 10_000, carol: 5000 }, { registry_event_date: null });
    const links = async (visitor: Visitor) => {
      const [, link] = /href="([^"]*\/registries\/gift\/[^"]*)"/.exec(
        (await visitor('/registries/my-gifts/')).text,
      )!;
      const { pathname, search } = new URL(decoded(link!));
      return pathname + search;
    };
    const path = await links(carol);
    await as('carol').claims.update(claims.carol!, { buys: true });
    await until('a notice', () => site.hasJob('buyer', id));
    await site.runDueJobs('buyer');
    await press(carol, path, 'Cancel my share');
    await site.runJobs('buyer');
    const waiting = (await site.jobs('mail')).filter(({ unique_key }) => unique_key!.includes('no-buyer'));
    assert.equal(waiting.length, 1);
    assert.equal((await as('admin').claims.get(claims.carol!))!.state, 'released');
    await as('bob').claims.update(claims.bob!, { buys: true });
    assert.deepEqual(await mails('Nobody is buying'), []);
    await until('a look', async () => {
      await site.runDueJobs('buyer');
      return site.hasJob('buyer', id);
    });
    await as('bob').claims.update(claims.bob!, { buys: false });
    await site.runDueJobs('buyer');
    assert.deepEqual(await mails('Nobody is buying'), [], 'nobody else gives');
  });

  test('erasing a person takes the marks of their mails; a deleted list takes its answers', async () => {
    const { id } = await pram({ bob: 10_000 });
    await round(id);
    const [asked] = await mails(MISSED);
    await press(bob, asked!.paths[0]!, 'Use it for something else');
    const marks = async () => (await site.keptRows('mailed_')).length;
    const before = await marks();
    await site.personalData('eraser', 'bob@example.test');
    assert.ok((await marks()) < before);
    assert.match(await given(id), /something else/);
    await as('alice').registries.delete(id);
    await site.call('wp_delete_post', id, true);
    assert.deepEqual(await site.keptRows(`share_answer_${id}_`), []);
  });
});
