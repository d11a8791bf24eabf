// Settings → Trousseau → Connections: addresses that hear of what happens, added, tested, watched and deleted by the site's keeper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSigned, type Receiver, startReceiver } from '../../api/test/receiver.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, fieldsOf } from '../../dev/wordpress/site.ts';

const page = '/wp-admin/options-general.php?page=trousseau&part=connections';

describeSite('connections', {}, (site) => {
  const { admin } = site.visitors;
  let receiver: Receiver;
  site.startWith(async () => {
    receiver = site.use(await startReceiver());
    const { path } = site.use(await temporaryFolder());
    return { service: { LOOKUP_ALLOW: receiver.host, DATABASE_URL: `sqlite:${path}/items.db` } };
  });

  const shown = async () => decoded((await admin(page)).text);
  const press = (fields: Record<string, string>, button = 'add') =>
    admin.pressScreen(page, button === 'add' ? 'value="add"' : 'webhook', { do: button, ...fields });
  const notices = (text: string) => `${text.match(/<div class="notice[\s\S]*?<\/div>/g)}`;
  const ids = async () => (await site.client('admin').webhooks.list())!;

  test('an address is added, tested, hears of what happens, and is deleted', async () => {
    assert.match((await admin('/wp-admin/options-general.php?page=trousseau')).text, /part=connections/);
    const made = await press({ url: receiver.url(), items: '1', registry: '1' });
    const secret = /whsec_[\w+/=]+/.exec(made)![0];
    assert.doesNotMatch(await shown(), /whsec_/, 'shown once');
    const [webhook] = await ids();
    assert.equal(webhook!.url, receiver.url());
    assert.deepEqual([...webhook!.types].sort(), ['item.*', 'items.*', 'registry.*']);
    assert.match(await shown(), /Gifts on lists, The lists themselves/);

    const found = await press({ webhook: webhook!.id }, 'test');
    assert.match(notices(found), /answered with status 204 after \d+ milliseconds/);
    assert.deepEqual(receiver.types(), ['ping']);
    assert.ok(isSigned(secret, receiver.received[0]!));

    const { id, items } = await site.list({}, 'Lamp');
    await site.client().registries.items.claims.create(id, items[0]!, {});
    await until('the gift is told of', () => receiver.types().includes('item.created'));
    const { event } = receiver.received.find(({ event: { type } }) => type === 'item.created')!;
    assert.equal(event.data.name, 'Lamp');
    const messages = async () => decoded((await admin(`${page}&of=${webhook!.id}`)).text);
    await until('the message counts as received', async () => /Received/.test(await messages()));
    assert.ok((await messages()).includes(event.id));
    assert.ok(!receiver.types().some((type) => type.startsWith('claim.')));

    receiver.answer(() => 500);
    assert.match(await press({ webhook: webhook!.id }, 'test'), /answered with status 500/);
    receiver.answer(() => undefined);
    assert.match(await press({ webhook: webhook!.id }, 'test'), /receiver can’t be reached/);
    receiver.answer(() => 204);

    const form = { webhook: webhook!.id };
    assert.match(await press(form, 'delete'), /Nothing is sent there any more/);
    assert.deepEqual(await ids(), []);
    const again = { ...(await admin.form(page, 'add')), ...form };
    await admin('/wp-admin/admin-post.php', { ...again, do: 'delete' });
    assert.match(await shown(), /Nothing is sent there/);
    await admin('/wp-admin/admin-post.php', { ...again, do: 'test' });
    assert.match(await shown(), /no longer exists/);
  });

  test('faults are said in words, and what was typed stays', async () => {
    for (const url of ['http://127.0.0.1:1/x', 'nothing']) {
      const text = await press({ url, items: '1' });
      assert.match(text, /This address can’t be used/);
      const kept = fieldsOf(text, 'add')!;
      assert.deepEqual([kept.url, kept.items, kept.claims], [url, '1', undefined]);
    }
    const form: Record<string, string> = await admin.form(page, 'add');
    const { items: _, registry: __, ...none } = form;
    await admin('/wp-admin/admin-post.php', { ...none, url: receiver.url() });
    assert.match(await shown(), /Nothing has been added yet\. Choose what to send/);
    assert.deepEqual(await ids(), []);

    const twice = { ...form, url: receiver.url('/twice'), claims: '1' };
    await Promise.all([1, 2].map(() => admin('/wp-admin/admin-post.php', twice)));
    const [webhook, ...others] = await ids();
    assert.deepEqual([webhook!.types, others], [[], []], 'two presses of one form add one address');
    assert.match(await shown(), /Everything/);
    await press({ webhook: (await ids())[0]!.id }, 'delete');
  });

  test('nobody but the keeper sees or presses anything', async () => {
    const form = { ...(await admin.form(page, 'add')), url: receiver.url() };
    const alice = await site.visit('alice');
    assert.notEqual((await alice(page)).status, 200);
    assert.equal((await alice('/wp-admin/admin-post.php', form)).status, 403);
    const late = await admin('/wp-admin/admin-post.php', { ...form, _wpnonce: 'x' });
    assert.match((await admin(late.headers.get('location')!)).text, /too long/);
    const elsewhere = { origin: 'https://elsewhere.example' };
    const foreign = await admin('/wp-admin/admin-post.php', { ...form, _wpnonce: 'x' }, elsewhere);
    assert.equal(foreign.status, 303);
    assert.deepEqual(await ids(), []);
    assert.doesNotMatch(JSON.stringify(await site.storedOptions()), /whsec_/, 'no secret lies open');
  });

  test('a service that cannot be asked is said in words', async () => {
    const form: Record<string, string> = { ...(await admin.form(page, 'add')), url: receiver.url() };
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:1');
    await admin('/wp-admin/admin-post.php', form);
    const text = await shown();
    assert.match(text, /The service can’t be reached right now/);
    assert.equal(fieldsOf(text, 'add')!.key, form.key, 'only the answer may be lost');
    await site.setOption('trousseau_base_url', site.service.url);
  });

  test('on a phone', { skip: skipWithoutChromium() }, async () => {
    await press({ url: receiver.url(`/${'long'.repeat(40)}`), items: '1' });
    const { id } = (await ids())[0]!;
    await press({ webhook: id }, 'test');
    const tab = await site.tab('admin', { viewport: { width: 390, height: 844 } });
    await tab.goto(`${site.url}${page}&of=${id}`);
    const wide = Number(await tab.evaluate('document.documentElement.scrollWidth'));
    assert.ok(wide <= 390, `${wide} pixels`);
    // Deleting is a press more than everything else: the secret is gone with it.
    const button = tab.getByRole('button', { name: 'Delete the address' });
    assert.equal(await button.isVisible(), false);
    await tab.locator('summary', { hasText: 'Delete' }).click();
    await Promise.all([tab.waitForEvent('framenavigated'), button.click()]);
    await tab.getByText('Nothing is sent there any more').waitFor();
  });
});
