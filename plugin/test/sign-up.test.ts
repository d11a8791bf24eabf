// A list that is begun without an account: an address, a mail, one press, and it is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { linkIn } from '../../dev/wordpress/mail.ts';
import { decoded, faultsIn, fieldsOf, listIn, type Visitor } from '../../dev/wordpress/site.ts';

const NEW = '/registries/new/';
const MINE = '/registries/mine/';
const PASSWORD = 'a long way "round" the l\\ake';

describeSite('a list that is begun without an account', {}, (site) => {
  const stranger = () => site.visit();
  let people = 0;
  const address = () => `noor${++people}@example.org`;

  async function begin(visitor: Visitor, title = 'Noor & Sam', typed: Record<string, string> = {}) {
    const form = await visitor.form(NEW, 'make');
    const story = 'We met <on> a "train" & stayed.';
    const answer = await visitor(NEW, { ...form, title, story, date: '2035-05-30', ...typed });
    assert.equal(answer.status, 303, answer.text);
  }
  async function ask(visitor: Visitor, email: string) {
    return visitor.send(NEW, 'send', { since: await site.formStamp(), email });
  }
  async function linkTo(email: string): Promise<string> {
    const mails = (await site.mails()).filter(({ to }) => to.replace(/[<>]/g, '') === email);
    assert.equal(mails.map(({ subject }) => subject).join(), 'Finish your list');
    assert.doesNotMatch(mails[0]!.raw, /Noor|Twice|train/, 'a stranger may have typed these words');
    return linkIn(mails[0]!, '/finish/');
  }
  async function begun(title?: string, email = address()) {
    const visitor = await stranger();
    await begin(visitor, title);
    assert.equal((await ask(visitor, email)).status, 303);
    return { visitor, email, link: await linkTo(email) };
  }
  const press = async (visitor: Visitor, link: string) =>
    visitor(link, fieldsOf((await visitor(link)).text, 'make') ?? { do: 'make' });
  const listsOf = async (visitor: Visitor) => (await visitor(MINE)).text;
  const accountOf = (email: string): Promise<number | false> => site.call('email_exists', email);

  test('is there after one press, on any device', async () => {
    await site.mails();
    const { email, link } = await begun();
    assert.ok(!decodeURIComponent(link).includes('noor'), 'no address in an address');
    const phone = await stranger();
    const page = await phone(link);
    assert.match(decoded(page.text), /finish “Noor & Sam” to log in on this device/);
    assert.match(page.headers.get('cache-control')!, /no-store/);
    assert.match(page.headers.get('x-robots-tag')!, /noindex/);
    assert.equal(await accountOf(email), false, 'a link does nothing by being looked at');
    assert.equal((await phone(link, { do: 'make' }, { origin: 'https://elsewhere.example' })).status, 403);
    assert.equal(await accountOf(email), false);

    const id = listIn(await press(phone, link));
    const home = `/registries/${id}/home/`;
    assert.match((await phone(home)).text, /Your list is ready/);
    const { post_title, post_content, post_status, post_author } = await site.post(id);
    const found = [post_title, post_content].map(decoded);
    assert.deepEqual(found, ['Noor & Sam', 'We met <on> a "train" & stayed.']);
    assert.deepEqual([post_status, Number(post_author)], ['private', await accountOf(email)]);
    assert.match(await listsOf(phone), /Noor &amp; Sam/);
    const again = await phone(link);
    assert.ok(again.text.includes(home), 'the link leads on to the list');
    assert.doesNotMatch(again.text, /value="make"/);
  });

  test('a link that is pressed twice, also at once, makes one account and one list', async () => {
    const { email, link } = await begun('Twice');
    const before = (await site.registryIds()).length;
    const [one, other] = [await stranger(), await stranger()];
    const answers = await Promise.all([press(one, link), press(other, link), press(one, link)]);
    answers.push(await one(link, { do: 'make' }));
    const [id, ...more] = new Set(answers.map(listIn));
    assert.deepEqual(more, []);
    assert.equal((await site.registryIds()).length, before + 1);
    assert.equal((await other(`/registries/${id}/home/`)).status, 200);
    assert.notEqual(await accountOf(email), false);
  });

  test('later the link asks its reader to log in', async () => {
    const { email, link } = await begun('Later');
    await press(await stranger(), link);
    await site.call('wp_update_user', { ID: await accountOf(email), user_registered: '2020-01-01 00:00:00' });
    const visitor = await stranger();
    const page = await visitor(link);
    assert.match(page.text, /Your list is ready\. To open it, log in with the email we sent the link to/);
    await visitor(link, { do: 'make' });
    assert.match(await listsOf(visitor), /Log in to see your lists/, 'nobody is signed in by it');
  });

  test('somebody who has an account logs in, and the list is there', async () => {
    const { bob } = site.users;
    const { link } = await begun('Bob’s', bob.email);
    const nobody = await stranger();
    const page = await nobody(link);
    assert.match(page.text, /You already have an account with this email/);
    const [, login] = /href="([^"]*wp-login[^"]*redirect_to[^"]*)" *>Log in</.exec(page.text)!;
    assert.equal(new URL(decoded(login!)).searchParams.get('redirect_to'), site.url + link);
    await nobody(link, { do: 'make' });
    assert.match(await listsOf(nobody), /Log in to see your lists/);

    const visitor = await site.visit(bob);
    const form = await visitor.form(link, 'take');
    assert.equal((await visitor(link, form)).headers.get('location')!.replace(site.url, ''), NEW);
    const make = await visitor.form(NEW, 'make');
    assert.equal(make.title, 'Bob’s');
    assert.equal((await visitor(NEW, make)).status, 303);
    assert.match(await listsOf(visitor), /Bob’s/);
  });

  test('a password is chosen when one is wanted', async () => {
    const { email, link } = await begun('Password');
    const visitor = await stranger();
    await press(visitor, link);
    const form = fieldsOf(await listsOf(visitor), 'password') ?? assert.fail('no form');
    const short = await visitor(MINE, { ...form, password: 'short' });
    assert.deepEqual([short.status, short.text.includes('"short"')], [422, false]);
    assert.equal((await visitor(MINE, { ...form, password: PASSWORD })).status, 303);
    const lists = await listsOf(visitor);
    assert.match(lists, /Your password is saved.*Password<\/a>/s, 'still logged in');
    assert.equal(fieldsOf(lists, 'password'), undefined);
    assert.equal((await visitor(MINE, { do: 'password', password: 'another one, please' })).status, 200);
    const other = await stranger();
    const entry = { log: email, pwd: PASSWORD, redirect_to: MINE };
    assert.equal((await other('/wp-login.php', entry)).status, 302);
    assert.match(await listsOf(other), /Password<\/a>/);
    assert.equal(fieldsOf(await listsOf(await site.visit('alice')), 'password'), undefined);
  });

  test('a link of a draft that has ended, or of nothing, says so', async () => {
    const visitor = await stranger();
    await begin(visitor, 'Gone');
    const email = address();
    await ask(visitor, email);
    const link = await linkTo(email);
    await visitor(NEW, await visitor.form(NEW, 'forget'));
    for (const path of [link, ...['', '?of=x', '?of[]=x'].map((of) => `/registries/finish/${of}`)]) {
      const answer = await (await stranger())(path, path === link ? { do: 'make' } : undefined);
      assert.equal(answer.status, 403, path);
      assert.match(answer.text, /This link has expired or isn’t complete/);
    }
    assert.equal(await accountOf(email), false);
  });

  test('where nobody can make an account, the page says whom to ask, before anything is typed', async () => {
    const { email, link } = await begun('Closed');
    await site.setOption('users_can_register', '0');
    try {
      const visitor = await stranger();
      assert.match(decoded((await visitor(NEW)).text), /Ask the people who run “[^”]+” for one/);
      await begin(visitor, 'Asked');
      const kept = await visitor(NEW);
      assert.match(kept.text, /“Asked” is saved for seven days/);
      assert.match(kept.text, /You need an account to create a list, and this site doesn’t/);
      assert.equal(fieldsOf(kept.text, 'send'), undefined);
      await visitor(NEW, { do: 'send', since: await site.formStamp(), email: 'closed@example.org' });
      assert.deepEqual(await site.mails(), []);
      assert.match((await visitor(link)).text, /You need an account to create a list, and this site doesn’t/);
      await visitor(link, { do: 'make' });
      assert.equal(await accountOf(email), false);
    } finally {
      await site.setOption('users_can_register', '1');
    }
  });

  test('machines and wrong addresses get no mail, and WordPress has nothing to complain of', async () => {
    const visitor = await stranger();
    await begin(visitor);
    for (const typed of [{ email: 'noor' }, { email: 'noor@example.org', website: 'x' }])
      faultsIn(await visitor.send(NEW, 'send', { since: await site.formStamp(), ...typed }));
    assert.deepEqual(await site.mails(), []);
  });
});
