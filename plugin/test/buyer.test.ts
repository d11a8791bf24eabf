// One giver buys a gift that several pay for: the others see it and send their shares there, and hear when the goal is reached.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import {
  changePost,
  personalData,
  postMeta,
  runDueJobs,
  runJobs,
  setOption,
  setPostMeta,
} from '../../dev/wordpress/set-up.ts';
import { complaints, decoded, fieldsOf, formWith, type Visitor, visit } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

const REACHED = 'all of the money is promised';
const OWNERS = 'In an envelope to Ann';
const MINE = 'DE89 3704 0044 0532 0130 00, Bob Berg';

describe('the one who buys a shared gift', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let alice: Visitor;
  let bob: Visitor;
  let carol: Visitor;
  before(async () => {
    site = await startWholeSite();
    alice = await visit(site, site.users.alice);
    bob = await visit(site, site.users.bob);
    carol = await visit(site, site.users.carol);
  });
  after(() => site?.stop());
  beforeEach(async () => {
    await site.mails();
  });

  const client = createClient;
  const words = (html: string) =>
    decoded(html.replace(/<(script|style|svg).*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')).replace(
      /[\s\u2068\u2069\u00a0\u202f]+/g,
      ' ',
    );
  async function pram(surprise = '') {
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    const meta = {
      ...{ registry_currency: 'EUR', registry_invitees: ['bob', 'carol'], registry_pay_to: OWNERS },
      registry_surprise_until: surprise,
    };
    const { id } = (await as.registries.create({ title: 'Ann & Sam', status: 'private', meta }))!;
    const gift = (await as.registries.items.create(id, {
      ...{ name: 'Pram', url: 'https://shop.example/pram', unit: 'money' as const, quantity_needed: 52_000 },
    }))!.data.id;
    return { id, give: `/registries/${id}/give/?item=${gift}` };
  }
  /** Gives a share and returns the path of the giver's page. */
  async function share(visitor: Visitor, give: string, amount: string) {
    const form = fieldsOf((await visitor(give)).text, 'give')!;
    const answer = await visitor(give, { ...form, share: 'own', amount });
    assert.equal(answer.status, 303, answer.text);
    const { pathname, search } = new URL(answer.headers.get('location')!);
    return pathname + search;
  }
  const page = async (visitor: Visitor, path: string) => words((await visitor(path)).text);
  const send = async (visitor: Visitor, path: string, action: string, fields = {}) =>
    visitor(path, { ...fieldsOf((await visitor(path)).text, action)!, ...fields });
  /** Ends the buyer's role as a program does: the site's pages don't while they have money of others. */
  const endRole = async (id: number, changes: { buys: false } | { state: 'released' }) => {
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.admin });
    const { claims } = (await as.registries.claims.list(id))!;
    await as.claims.update(claims.find(({ buys }) => buys)!.id, changes);
  };
  const mails = async (about: string) => {
    await runDueJobs(site, 'buyer', 0.01);
    await runDueJobs(site, 'mail', 0.01);
    return (await site.mails())
      .filter(({ subject }) => subject.includes(about))
      .map(({ to, text }) => `${to.split('@')[0]!.replace('<', '')}: ${words(text)}`)
      .sort();
  };

  test('is named to the others if they agree, gets their shares, and sees who has sent one', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.match(await page(carol, carols), /Nobody has said yet that they buy it.*In an envelope to Ann/);
    const late = fieldsOf((await carol(carols)).text, 'buy')!;

    const long = await send(bob, bobs, 'buy', { pay_to: 'x'.repeat(301) });
    assert.equal(long.status, 422);
    assert.match(words(long.text), /At most 300 characters/);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    assert.match(await page(carol, carols), /bob buys it\. Your share goes to them/i);
    assert.match((await carol(carols)).text, /DE89 3704 0044 0532 0130 00/);
    assert.doesNotMatch(await page(carol, carols), /In an envelope|I’ll buy it/);
    const refused = await carol(carols, { ...late, pay_to: 'mine' });
    assert.equal(refused.status, 422);
    assert.match(words(refused.text), /Somebody else buys it by now/);

    assert.match(
      await page(bob, '/registries/my-gifts/'),
      /€300 towards Pram for Ann & Sam · reserved for you until/,
    );
    assert.match(
      await page(carol, '/registries/my-gifts/'),
      /€120 towards Pram for Ann & Sam · to be sent until/,
    );
    assert.match(await page(bob, bobs), /You buy it.*carol €120 will be sent.*I’ve bought it/i);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(bob, bobs), /carol €120 sent/i);
    // The others' texts and presses stay as they are.
    assert.equal((await send(bob, bobs, 'buy', { pay_to: 'In my hand', named: '' })).status, 303);
    assert.match(await page(carol, carols), /One of you buys it\. Your share goes to them.*In my hand/);
    assert.doesNotMatch(await page(carol, carols), /bob/i);
  });

  test('steps back, and another takes over', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    await mails('');
    assert.equal((await send(bob, bobs, 'not-buy')).status, 303);
    assert.match(await page(carol, carols), /Nobody has said yet that they buy it/);
    const [heard, ...more] = await mails('Nobody is buying');
    assert.match(heard!, /^carol:/);
    assert.deepEqual(more, []);
    assert.equal((await send(carol, carols, 'buy', { pay_to: 'To Carol' })).status, 303);
    assert.match(await page(bob, bobs), /One of you buys it.*To Carol/);
    assert.doesNotMatch(await page(bob, bobs), /carol buys/);
  });

  test('and all the others hear once when the goal is reached', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    assert.deepEqual(await mails(REACHED), [], 'money is missing');
    const carols = await share(carol, give, '220');
    const [toBob, toCarol, ...more] = await mails(REACHED);
    assert.deepEqual(more, []);
    assert.match(toBob!, /^bob: .*You buy it: your page says who has sent their share/);
    assert.match(toCarol!, /^carol: .*bob buys it\. Send them your share/i);
    assert.equal((await send(carol, carols, 'change', { amount: '219' })).status, 303);
    assert.equal((await send(carol, carols, 'change', { amount: '220' })).status, 303);
    assert.deepEqual(await mails(REACHED), [], 'once');
  });

  test('gives with several shares: none of theirs is sent to themselves, and all are spent when it is bought', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '100');
    const typo = await send(bob, bobs, 'buy', { pay_to: MINE.replace('DE89', 'DE98') });
    assert.match(words(typo.text), /This IBAN can’t be right/);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    const second = await share(bob, give, '50');
    await bob(second);
    const [, mail] = (await mails('Your share')).filter((mail) => mail.startsWith('bob:'));
    assert.match(mail!, /You buy the gift yourself, so you send it to nobody/);
    assert.doesNotMatch(await page(bob, bobs), /€50/, 'their own share comes from nobody else');
    const shown = (await bob(second)).text;
    assert.match(words(shown), /You buy it with another share of yours, so you keep this one/);
    assert.doesNotMatch(words(shown), /DE89|How to send it|I’ve sent it|One of you/);
    assert.ok(
      shown.includes(`href="${new URL(bobs, site.url).href.replace('&', '&#038;')}"`),
      'a way to the other share',
    );
    await mails('');

    const early = fieldsOf((await bob(bobs)).text, 'bought')!;
    assert.equal((await send(carol, carols, 'change', { amount: '110' })).status, 303);
    const late = await bob(bobs, early);
    assert.equal(late.status, 422);
    assert.match(words(late.text), /The missing amount has changed meanwhile/);
    assert.match(await page(bob, bobs), /€300 towards Pram.*I’ve bought it and pay the missing €60/);
    assert.equal((await send(carol, carols, 'change', { amount: '100' })).status, 303);

    const rest = fieldsOf((await bob(bobs)).text, 'bought')!;
    const former = fieldsOf((await carol(carols)).text, 'release')!;
    assert.match(await page(bob, bobs), /I’ve bought it and pay the missing €70/);
    for (const _ of ['pressed', 'pressed again']) assert.equal((await bob(bobs, rest)).status, 303);
    assert.match(await page(bob, bobs), /€370 towards Pram.*You’ve bought it, and the others/);
    assert.match(
      await page(bob, second),
      /€50 towards Pram.*You’ve bought it: that was paid with this share/,
    );
    assert.match(await page(carol, carols), /One of you has bought it\. Your share goes to them/);
    const heard = await mails('is bought');
    assert.equal(heard.length, 1);
    assert.match(
      heard[0]!,
      /^carol: .*One of you has bought it for all\. If you haven’t sent them your share yet/,
    );
    assert.deepEqual(await mails(''), [], 'once, and in one mail');
    // The buyer has paid for all: shares stay.
    for (const [who, at] of [
      [carol, carols],
      [bob, bobs],
    ] as const)
      assert.doesNotMatch(await page(who, at), /Cancel my gift|Take my share back|Change amount/);
    assert.equal((await carol(carols, former)).status, 422);
    assert.match(await page(carol, carols), /I’ve sent it/);
  });

  test('comes after a share was sent: each reads where the money is', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(carol, carols), /It’s marked as sent/);
    const bare = await send(bob, bobs, 'buy', { pay_to: ' ' });
    assert.equal(bare.status, 422);
    assert.match(words(bare.text), /Say how the others send you their shares/);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    const [told, ...more] = await mails('bob is buying “Pram” for “Ann & Sam”');
    assert.match(
      told!,
      /^carol: .*bob is buying it for everyone.*You’ve sent your share to somebody else: ask them to pass it on/i,
    );
    assert.deepEqual(more, []);
    assert.match(
      await page(bob, bobs),
      /carol €120 sent to the people whose list it is, before you took this on/i,
    );
    assert.match(
      await page(carol, carols),
      /Your €120 is with the people whose list it is\. Ask them to pass it on.*IBAN.*The one who buys it has my money now/,
    );
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(carol, carols), /It’s marked as sent/);
    assert.match(await page(bob, bobs), /carol €120 sent .*Others have sent you €120/i);

    // Another takes over: the money is with the one who bought before.
    await endRole(id, { buys: false });
    assert.match(await page(carol, carols), /Your €120 is with bob\. Ask them to pass it on/i);
    assert.match(await page(bob, bobs), /Others’ money that you have.*pass their money on.*carol €120/i);
    assert.equal((await send(carol, carols, 'buy', { pay_to: 'To Carol' })).status, 303);
    assert.match(await page(carol, carols), /Your €120 is with bob.*I’ve bought it/);
    assert.equal((await mails('Someone is buying “Pram” for “Ann & Sam”')).length, 1);
    assert.deepEqual(await mails('is bought'), [], 'a share that was sent buys nothing');
    assert.match(await page(carol, carols), /pay the missing €100/, 'also where the own share was sent');
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(carol, carols), /€220 towards Pram.*You’ve bought it, and the others/);
    assert.match(await page(carol, carols), /Your €120 is with bob\. Ask them to give it back/i);
    assert.match(await page(bob, bobs), /Others’ money that you have.*carol €120/i);
    assert.equal((await send(carol, carols, 'got-back')).status, 303);
    assert.doesNotMatch(await page(carol, carols), /is with bob|I’ve got it back/i);
    assert.doesNotMatch(await page(bob, bobs), /Others’ money/);
    assert.equal((await mails('is bought')).length, 1);
    assert.match(await page(bob, bobs), /One of you has bought it/);
  });

  test('somebody who has taken their own share back, too, reads whom to pay back', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    await endRole(id, { state: 'released' });
    assert.match(await page(bob, bobs), /taken your share back.*Others’ money that you have.*carol €120/i);
    assert.match(await page(carol, carols), /Your €120 is with bob\. Ask them to pass it on/i);
    assert.equal((await send(carol, carols, 'release')).status, 303);
    assert.match(
      await page(carol, carols),
      /taken your share back.*Your €120 is with bob\. Ask them to give it back/i,
    );
    assert.match(await page(bob, bobs), /carol €120 taken back: please give the money back/i);
    const [toCarol] = (await mails('is free again')).filter((mail) => mail.startsWith('carol:'));
    assert.match(toCarol!, /Your €120 is with bob\. Ask them to give it back to you\. See your share/);
    const sorting = (visitor: Visitor) => page(visitor, '/registries/my-gifts/');
    assert.match(
      await sorting(bob),
      /Money to sort out.*€300 towards Pram .*You have money that others have sent you/,
    );
    assert.match(
      await sorting(carol),
      /Money to sort out.*€120 towards Pram .*Your €120 is with a guest who/,
    );
    assert.equal((await send(carol, carols, 'got-back')).status, 303);
    assert.doesNotMatch(await page(bob, bobs), /carol/i);
    assert.doesNotMatch(await page(carol, carols), /is with bob/i);
    for (const visitor of [bob, carol])
      assert.doesNotMatch(await sorting(visitor), /others have sent you|Your €120/);
  });

  test('a press while the service is away is made again with everything that was typed', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    const form = { ...fieldsOf((await bob(bobs)).text, 'buy')!, pay_to: 'In a <blue>\nenvelope', named: '1' };
    await setOption(site, 'trousseau_base_url', 'http://127.0.0.1:9');
    const answer = await bob(bobs, form);
    assert.equal(answer.status, 422);
    assert.match(words(answer.text), /Nothing is lost: press again in a moment.*Try again/);
    const again = fieldsOf(answer.text, 'buy')!;
    assert.match(words((await bob(bobs)).text), /can’t be shown just now.*Try again/, 'a page has a link');
    const foreign = await bob(bobs, form, { origin: 'https://elsewhere.example' });
    assert.equal(fieldsOf(foreign.text, 'buy'), undefined, 'a form of another site is not offered');
    await setOption(site, 'trousseau_base_url', site.service.url);
    assert.equal((await bob(bobs, again)).status, 303);
    assert.match(words((await bob(bobs)).text), /You buy it.*In a <blue> envelope/);
    assert.deepEqual(complaints(site), []);
  });

  test('a share whose money came back stands among those to send', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '97');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(
      await page(carol, '/registries/my-gifts/'),
      /Bought or sent.*€97 towards Pram for [^·]* · sent/,
    );
    await endRole(id, { buys: false });
    assert.equal((await send(carol, carols, 'got-back')).status, 303);
    assert.match(
      await page(carol, '/registries/my-gifts/'),
      /€97 towards Pram for [^·]* · will be sent.*Bought or sent/,
    );
  });

  test('a form that was opened before changes nothing else than it said', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    const sending = fieldsOf((await carol(carols)).text, 'bought')!;
    assert.equal((await send(carol, carols, 'buy', { pay_to: 'To Carol' })).status, 303);
    const late = await carol(carols, sending);
    assert.match(words(late.text), /You can’t do this any more/, 'it has bought nothing');
    const buying = fieldsOf((await carol(carols)).text, 'bought')!;
    assert.equal((await send(carol, carols, 'not-buy')).status, 303);
    assert.match(words((await carol(carols, buying)).text), /You can’t do this any more/);
    assert.match(await page(carol, carols), /Please send it by/);

    // Money that came back on one page, and was passed on by another: the last word counts.
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.equal((await send(carol, carols, 'change', { amount: '160' })).status, 303);
    await endRole(id, { buys: false });
    const cameBack = fieldsOf((await carol(carols)).text, 'got-back')!;
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.equal((await carol(carols, cameBack)).status, 303);
    assert.match(
      await page(carol, carols),
      /You’ve sent €120, and your share is €160 now/,
      'no more than there was',
    );
  });

  test('the one who buys anew has the money that came before, and stays unnamed as they asked', async () => {
    const { id, give } = await pram();
    const first = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(bob, first, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    await endRole(id, { state: 'released' });
    const anew = await share(bob, give, '300');
    assert.equal((await send(bob, anew, 'buy', { pay_to: MINE })).status, 303);
    assert.match(await page(bob, anew), /You have €120 of €120 from the others.*carol €120 sent/i);
    assert.doesNotMatch(await page(carol, carols), /Your money|bob/i);
    assert.equal((await send(carol, carols, 'release')).status, 303);
    assert.match(await page(carol, carols), /Your €120 is with a guest who/);
    assert.doesNotMatch(await page(carol, carols), /bob/i);
  });

  test('a share is changed or taken back after it was sent: buyer and owners read what they have', async () => {
    const { id, give } = await pram();
    const carols = await share(carol, give, '60');
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.equal((await send(carol, carols, 'change', { amount: '160' })).status, 303);
    assert.match(
      await page(carol, carols),
      /You’ve sent €60, and your share is €160 now: please send the rest.*I’ve sent it/,
    );
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.doesNotMatch(await page(carol, carols), /please send the rest|I’ve sent it/);
    assert.equal((await send(carol, carols, 'release')).status, 303);
    assert.match(await page(alice, `/registries/${id}/given/`), /Money to give back.*carol €160/i);
    assert.equal((await send(carol, carols, 'got-back')).status, 303);
    assert.doesNotMatch(await page(alice, `/registries/${id}/given/`), /Money to give back/);

    const bobs = await share(bob, give, '300');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    const second = await share(carol, give, '80');
    assert.equal((await send(carol, second, 'bought')).status, 303);
    assert.equal((await send(carol, second, 'change', { amount: '100' })).status, 303);
    assert.match(await page(bob, bobs), /You have €80 of €100 from the others.*carol €100 €80 of it sent/i);
    const open = fieldsOf((await bob(bobs)).text, 'bought')!;
    assert.equal((await send(carol, second, 'change', { amount: '90' })).status, 303);
    const late = await bob(bobs, open);
    assert.match(words(late.text), /The missing amount has changed meanwhile/, 'less than all would be paid');
    assert.equal((await send(carol, second, 'release')).status, 303);
    assert.match(await page(bob, bobs), /carol €80 taken back: please give the money back/i);
  });

  test('a share whose money the owners have doesn’t end; those of a bought gift neither', async () => {
    const { id, give } = await pram();
    const carols = await share(carol, give, '60');
    await send(alice, `/registries/${id}/given/`, 'here');
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.admin });
    const longAfter = ({ expires_at }: { expires_at: string | null }) =>
      Date.parse(expires_at!) > Date.now() + 80 * 86_400_000;
    assert.deepEqual((await as.registries.claims.list(id))!.claims.map(longAfter), [true]);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    const bobs = await share(bob, give, '300');
    const second = await share(carol, give, '50');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.equal((await send(bob, bobs, 'bought')).status, 303);
    await mails('');
    await page(bob, bobs);
    const reserved = (await as.registries.claims.list(id))!.claims.filter(
      ({ state }) => state === 'reserved',
    );
    assert.deepEqual(
      reserved.map((claim) => [claim.quantity, longAfter(claim)]),
      [[5000, true]],
    );
    assert.match(await page(carol, second), /It’s bought: please send your share.*I’ve sent it/);
    const removed = await send(alice, `/registries/${id}/gifts/`, 'remove', { item: give.split('=')[1] });
    assert.equal(removed.status, 303, removed.text);
    assert.match(await page(carol, second), /€50 towards Pram.*It’s bought: please send your share.*IBAN/);
    assert.match(await page(bob, bobs), /You’ve bought it.*carol €50 will be sent/i);
    assert.doesNotMatch(await page(bob, bobs), /Others’ money/);
  });

  test('has bought it for less: it takes no more shares, and owners read who has bought it', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    assert.match(await page(bob, bobs), /See it in the shop/);
    assert.match(await page(alice, `/registries/${id}/given/`), /€300 towards Pram buys it for all/);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(alice, `/registries/${id}/given/`), /€120 towards Pram sent to another guest/);
    const late = fieldsOf((await alice(give)).text, 'give')!;
    const plain = formWith((await bob(bobs)).text, 'I’ve bought it')!;
    assert.equal((await bob(bobs, { ...plain, whole: '' })).status, 303);
    assert.match(await page(alice, `/registries/${id}/given/`), /€300 towards Pram has bought it for all/);
    const [toBob] = (await mails('Thank you')).filter((mail) => mail.startsWith('bob:'));
    assert.match(toBob!, /Thank you for buying it! Your own share is “€300 towards Pram”/);
    assert.doesNotMatch(toBob!, /sent “|is still missing/);
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.admin });
    const list = (await alice(new URL((await as.registries.get(id))!.permalink).pathname)).text;
    assert.match(words(list), /One of the guests has bought it for all/);
    assert.doesNotMatch(words(list), /still needed|Give a share/);
    assert.match(await page(alice, give), /One of the guests has bought it for all/);
    const refused = await alice(give, { ...late, share: '2500' });
    assert.match(words(refused.text), /One of the guests has bought it for all/);
    assert.equal((await as.registries.claims.list(id))!.claims.length, 2);
  });

  test('those who still have to send are mailed when the way to send changes', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '100');
    const carols = await share(carol, give, '120');
    assert.deepEqual(await mails('in another way'), []);
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    await as.registries.update(id, { meta: { registry_pay_to: 'To our new account' } });
    const [toBob, ...more] = await mails('in another way');
    assert.match(toBob!, /^bob: .*look at your page before you send it.*See your share of €100/);
    assert.deepEqual(more, []);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    const second = await share(carol, give, '50');
    await mails('');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: 'paypal.me/bob' })).status, 303);
    assert.deepEqual(
      (await mails('in another way')).map((mail) => mail.split(':')[0]),
      ['carol'],
    );
    assert.match(await page(carol, second), /paypal\.me/);
  });

  test('a giver who is no longer invited can still say that a share is sent', async () => {
    const { id, give } = await pram();
    const carols = await share(carol, give, '120');
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    await as.registries.update(id, { meta: { registry_invitees: ['bob'] } });
    assert.doesNotMatch((await carol(carols)).text, /In an envelope to Ann/);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    assert.match(await page(carol, carols), /It’s marked as sent/);
  });

  test('one whom an earlier version has stored steps back, and the others hear of it', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    await share(carol, give, '120');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    await mails('');
    const stored = JSON.parse(await postMeta(site, id, '_trousseau_buyers'));
    const [[item, buyer]] = Object.entries<{ id: string }>(stored) as [[string, { id: string }]];
    await setPostMeta(site, id, { _trousseau_buyers: JSON.stringify({ [item]: buyer.id }) });
    assert.equal((await send(bob, bobs, 'change', { amount: '310' })).status, 303);
    assert.deepEqual(await mails('is buying'), [], 'the same buyer');
    await setPostMeta(site, id, { _trousseau_buyers: JSON.stringify({ [item]: buyer.id }) });
    assert.equal((await send(bob, bobs, 'not-buy')).status, 303);
    assert.equal((await mails('Nobody is buying')).length, 1);
  });

  test('hears, as the others do, with whom the money lies when the whole list is deleted, unless it is put back', async () => {
    const { id, give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    const cups = (await as.registries.items.create(id, {
      name: 'Cups',
      url: 'https://shop.example/cups',
      quantity_needed: 6,
    }))!.data.id;
    const cupsPage = `/registries/${id}/give/?item=${cups}`;
    const two = { ...fieldsOf((await carol(cupsPage)).text, 'give')!, count: '2' };
    assert.equal((await carol(cupsPage, two)).status, 303);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    assert.equal((await send(carol, carols, 'bought')).status, 303);
    await mails('');
    const admin = await visit(site, site.users.admin);
    const press = async (screen: string, action: string) => {
      const { text } = await admin(`/wp-admin/edit.php?post_type=registry${screen}`);
      const link = new RegExp(`href=["']([^"']*post=${id}&amp;action=${action}[^"']*)["']`).exec(text)![1]!;
      const { pathname, search } = new URL(decoded(link), `${site.url}/wp-admin/`);
      assert.equal((await admin(pathname + search)).status, 302);
    };
    await press('', 'trash');
    await press('&post_status=trash', 'untrash');
    await runDueJobs(site, 'mail', 1);
    assert.deepEqual(await mails('was deleted'), [], 'it is back');
    await changePost(site, id, { post_status: 'private' });
    assert.match(await page(carol, carols), /€120/);

    await press('', 'trash');
    await press('&post_status=trash', 'delete');
    assert.deepEqual(await mails('was deleted'), [], 'there is time to put it back');
    await runDueJobs(site, 'mail', 1);
    const [toBob, toCarol, ...more] = await mails('was deleted');
    assert.deepEqual(more, []);
    assert.match(
      toBob!,
      /^bob: .*€300 towards Pram.*Please give it back: carol \(€120\).*passes no money on/i,
    );
    assert.doesNotMatch(toBob!, /Cups|Your €/);
    assert.match(toCarol!, /^carol: .*• 2 × Cups • €120 towards Pram Your €120 is with bob\./i);
  });

  test('and the others give one gift, as the owner’s daily mail counts', async () => {
    await runJobs(site, 'digest');
    await mails('');
    const { give } = await pram();
    await share(bob, give, '300');
    await share(carol, give, '120');
    await runJobs(site, 'digest');
    assert.equal((await mails('1 gift from “Ann & Sam” was chosen')).length, 1);
  });

  test('hears no news of themselves', async () => {
    const { give } = await pram();
    const bobs = await share(bob, give, '300');
    const carols = await share(carol, give, '120');
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
    await runDueJobs(site, 'buyer', 0.01);
    // The mail that Bob buys still waits when Carol takes over.
    assert.equal((await send(bob, bobs, 'not-buy')).status, 303);
    assert.equal((await send(carol, carols, 'buy', { pay_to: 'To Carol' })).status, 303);
    assert.deepEqual(
      (await mails('Someone is buying')).map((mail) => mail.split(':')[0]),
      ['bob'],
    );
  });

  test('is somebody whom the owners have invited: no stranger sends their money elsewhere', async () => {
    const { id, give } = await pram();
    const as = client({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    await as.registries.update(id, { status: 'publish' });
    const stranger = await share(carol, give, '120');
    await as.registries.update(id, { meta: { registry_invitees: ['bob'] } });
    const shown = await page(carol, stranger);
    assert.match(shown, /Nobody has said yet that they buy it, so your share goes to the people whose list/);
    assert.doesNotMatch(shown, /I.ll buy it|One of you may buy/);
    const forced = await carol(stranger, { do: 'buy', pay_to: 'paypal.me/elsewhere', named: '1' });
    assert.equal(forced.status, 422);
    assert.match(words(forced.text), /Only guests whom the owners have invited can buy it/);
    const bobs = await share(bob, give, '100');
    assert.match(await page(bob, bobs), /One of you may buy it.*In an envelope to Ann/);
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    assert.match(await page(carol, stranger), /bob buys it/i);
  });

  test('holds money of others when they are erased: the keeper reads it, unless it is a surprise for the keeper', async () => {
    await personalData(site, 'eraser', site.users.bob.email);
    for (const [surprise, owner, message] of [
      ['', 'alice', /^Guests have sent them money for 1 gift that several pay for/],
      ['always', 'admin', undefined],
    ] as const) {
      const { id, give } = await pram(surprise);
      const bobs = await share(bob, give, '300');
      const carols = await share(carol, give, '120');
      assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE })).status, 303);
      assert.equal((await send(carol, carols, 'bought')).status, 303);
      await changePost(site, id, { post_author: site.users[owner].id });
      const { messages } = await personalData(site, 'eraser', site.users.bob.email);
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
    const bobs = await share(bob, give, '300');
    const before = await seen();
    assert.equal((await send(bob, bobs, 'buy', { pay_to: MINE, named: '1' })).status, 303);
    await share(carol, give, '220');
    assert.deepEqual(await seen(), before);
    const told = (await mails('')).filter((mail) => mail.startsWith('alice:'));
    assert.deepEqual(told, []);
    assert.deepEqual(complaints(site), []);
  });
});
