// The preview in WordPress's plugin directory: a blueprint that is current, and whose PHP works on a real WordPress.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blueprint, file } from '../release/blueprint.ts';
import { complaints, decoded, fieldsOf, visit, whenShowing } from '../wordpress/site.ts';
import { skipWithoutWordPress, startWordPress } from '../wordpress/wordpress.ts';

test('the blueprint is the one that dev/release/blueprint.ts makes', () => {
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), blueprint());
});

test('the preview shows a registry with sample gifts, and says what is missing', {
  skip: skipWithoutWordPress(),
}, async () => {
  const { steps, landingPage } = blueprint() as {
    steps: { data?: string; code?: string }[];
    landingPage: string;
  };
  const code = (text: string | undefined) =>
    text!.replace(/^<\?php/, '').replace("require '/wordpress/wp-load.php';", '');
  const site = await startWordPress({ muPlugin: code(steps.find(({ data }) => data)?.data) });
  try {
    await site.wp(code(steps.find(({ code }) => code)?.code));
    const admin = await visit(site, site.users.admin);
    const missing = /A preview: these gifts are samples/;
    const page = await whenShowing(admin, landingPage, 'cocotte');
    assert.equal(page.status, 200);
    const text = decoded(page.text);
    assert.match(text, missing);
    for (const words of [
      'Amélie & Jonas',
      'Wedding',
      'Enamelled cast-iron cocotte',
      '€289',
      '2 of 3 still needed',
      'Already given',
    ])
      assert.ok(text.includes(words), words);
    assert.match((await admin('/wp-admin/options-general.php?page=trousseau')).text, missing);
    // The preview stores no claim, and says so.
    const give = /href="([^"]*\/give\/[^"]*)"/.exec(page.text)![1]!;
    const form = await admin(decoded(give));
    assert.match(form.text, missing);
    const fields = fieldsOf(form.text, 'give');
    assert.ok(fields, 'a form to give');
    const sent = await admin(decoded(give), { ...fields, do: 'give' });
    assert.notEqual(sent.status, 500);
    assert.deepEqual(complaints(site), []);
  } finally {
    await site.stop();
  }
});
