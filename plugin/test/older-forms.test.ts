// Two owners who change the same gift or the same details at the same moment, with pictures, and in a browser. OlderFormsTest.php has the rest.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Answer, decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

type Fields = Record<string, string>;

describeSite('forms older than the list', {}, (site) => {
  const { alice, bob } = site.visitors;

  const client = () => site.client();
  async function list() {
    const meta = { registry_owners: ['bob'], registry_currency: 'EUR' };
    const made = await site.list({ title: 'Us', meta }, { name: 'Glasses', description: 'Six of them.' });
    const gift = made.items[0]!;
    return { ...made, gift, page: `${made.gifts}?item=${gift}` };
  }
  const opened = async (visitor: Visitor, page: string): Promise<Fields> => {
    const { status, text } = await visitor(page);
    return fieldsOf(text, 'change') ?? assert.fail(`no form: ${status} ${text}`);
  };
  async function saved(visitor: Visitor, page: string, fields: Fields) {
    const answer = await visitor(page, fields);
    assert.equal(answer.status, 303, answer.text);
    return decoded((await visitor(page)).text);
  }
  async function disputed(visitor: Visitor, page: string, fields: Fields) {
    const answer = await visitor(page, fields);
    assert.equal(answer.status, 422, answer.text);
    return answer;
  }
  /** Both texts of each field that the page shows so. */
  const both = ({ text }: Answer) =>
    [...text.matchAll(/<b>Now:<\/b> <bdi>(.*?)<\/bdi><\/span><span><b>Yours:<\/b> <bdi>(.*?)<\/bdi>/gs)].map(
      ([, now, yours]) => [decoded(now!), decoded(yours!)],
    );
  const item = async (id: number) => (await client().items.get(id))!;

  test('one of two who press at the same moment is asked', async () => {
    const { gift, page } = await list();
    const forms = [await opened(alice, page), await opened(bob, page)];
    const answers = await Promise.all([
      alice(page, { ...forms[0]!, name: 'Wine glasses' }),
      bob(page, { ...forms[1]!, name: 'Beer glasses' }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
    const [first] = both(answers.find(({ status }) => status === 422)!);
    assert.equal((await item(gift)).name, first![0]);
    assert.deepEqual([...first!].sort(), ['Beer glasses', 'Wine glasses']);
  });

  test('a picture that was sent is asked about, too, and is chosen once more', async () => {
    const { gift, page, details } = await list();
    const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));
    const send = async (visitor: Visitor, to: string, fields: Fields, name: string) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set(name, new Blob([picture], { type: 'image/png' }), 'picture.png');
      return visitor(to, form);
    };
    const stored = async () => (await item(gift)).image_url;
    const [one, other, third] = [
      ...[await opened(alice, page), await opened(bob, page), await opened(bob, page)],
    ] as [Fields, Fields, Fields];
    for (const _ of ['a press', 'a double press'])
      assert.equal((await send(alice, page, one, 'upload')).status, 303);
    const first = await stored();
    assert.match(first!, /gift-\w+/);
    const asked = await send(bob, page, { ...other, name: 'Mugs' }, 'upload');
    assert.equal(asked.status, 422);
    assert.match(asked.text, /Someone else changed the picture, too/);
    assert.equal(await stored(), first);
    const again = fieldsOf(asked.text, 'change')!;
    await saved(bob, page, again);
    assert.deepEqual(
      [await stored(), (await item(gift)).name],
      [first, 'Mugs'],
      'no file: the other’s stays',
    );
    await disputed(bob, page, { ...third, name: 'Cups' });
    const late = await send(bob, page, { ...third, name: 'Cups' }, 'upload');
    assert.match(late.text, /Someone else changed the picture, too/);
    const chosen = await send(bob, page, fieldsOf(late.text, 'change')!, 'upload');
    assert.equal(chosen.status, 303, chosen.text);
    assert.notEqual(await stored(), first);

    const [left, right] = [await opened(alice, details), await opened(bob, details)];
    assert.equal((await send(alice, details, left, 'picture')).status, 303);
    const shown = async () =>
      /trousseau-frame"><img[^>]* src="([^"]+)/.exec((await alice(details)).text)?.[1];
    const before = await shown();
    assert.ok(before);
    assert.equal((await send(bob, details, right, 'picture')).status, 422);
    assert.equal(await shown(), before);
    await saved(bob, details, { ...right, date: '2027-05-30' });
    assert.equal(await shown(), before, 'a picture that nobody touched stays');
    const gone = { ...(await opened(bob, details)), 'no-picture': '1' };
    await saved(bob, details, gone);
    assert.equal(await shown(), undefined);
  });
});
