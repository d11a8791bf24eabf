// The preview in WordPress's plugin directory: its blueprint is current, and its sample works on a real WordPress, but only in the preview.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blueprint, file } from '../release/blueprint.ts';
import { setOption } from '../wordpress/set-up.ts';
import { complaints, decoded, fieldsOf, visit, whenShowing } from '../wordpress/site.ts';
import { skipWithoutWordPress, startWordPress } from '../wordpress/wordpress.ts';

const { steps, landingPage } = blueprint() as {
  steps: { step: string; code?: string; consts?: Record<string, string> }[];
  landingPage: string;
};
const sample = steps
  .find(({ step }) => step === 'runPHP')!
  .code!.replace(/^<\?php/, '')
  .replace("require '/wordpress/wp-load.php';", '');
const isMarked = /This is a preview with sample gifts/;

test('the blueprint is the one that dev/release/blueprint.ts makes', () => {
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), blueprint());
  const consts = steps.find(({ step }) => step === 'defineWpConfigConsts')!.consts;
  assert.deepEqual(consts, { WP_ENVIRONMENT_TYPE: 'local' });
});

test('the preview shows a list with gifts, and a visitor gives one and takes it back', {
  skip: skipWithoutWordPress(),
}, async () => {
  const site = await startWordPress();
  try {
    await site.wp(sample);
    const admin = await visit(site, site.users.admin);
    const page = await whenShowing(admin, landingPage, 'cocotte');
    assert.equal(page.status, 200);
    const text = decoded(page.text);
    assert.match(text, isMarked);
    for (const words of ['Amélie & Jonas', 'Wedding', '€289', '2 needed', 'Given'])
      assert.ok(text.includes(words), words);
    assert.match((await admin('/wp-admin/options-general.php?page=trousseau')).text, isMarked);

    const give = decoded(/href="([^"]*\/give\/[^"]*item=4[^"]*)"/.exec(page.text)![1]!);
    const form = await admin(give);
    assert.match(form.text, isMarked);
    assert.ok(form.text.includes('Terracotta table lamp'));
    const fields = fieldsOf(form.text, 'give');
    assert.ok(fields, 'a form to give');
    const sent = await admin(give, { ...fields, state: 'reserved', do: 'give' });
    assert.equal(sent.status, 303);
    const given = await admin(landingPage);
    assert.match(decoded(given.text), /Thank you! “Terracotta table lamp” is reserved for you/);
    const mine = decoded(/class="trousseau-mine[^"]*" href="([^"]*)"/.exec(given.text)![1]!);
    const own = await admin(mine);
    assert.match(decoded(own.text), /Terracotta table lamp.*It’s reserved for you/s);
    assert.match(decoded((await admin('/registries/my-gifts/')).text), /Terracotta table lamp/);
    // Nobody else can give the gift now.
    const nobody = await visit(site, null);
    assert.doesNotMatch((await nobody(landingPage)).text, /\/give\/[^"]*item=4/);
    await admin(mine, { ...fieldsOf(own.text, 'release')!, do: 'release' });
    assert.match((await whenShowing(nobody, landingPage, 'item=4')).text, /\/give\/[^"]*item=4/);
    assert.deepEqual(complaints(site), []);
  } finally {
    await site.stop();
  }
});

test('the sample is nowhere but where WordPress runs for one person and no service is entered', {
  skip: skipWithoutWordPress(),
}, async () => {
  for (const environment of ['production', 'local'] as const) {
    const site = await startWordPress({ environment });
    try {
      await site.wp(sample);
      if (environment === 'local') await setOption(site, 'trousseau_base_url', 'http://127.0.0.1:9');
      const { text } = await (await visit(site, site.users.admin))(landingPage);
      assert.doesNotMatch(decoded(text), /cocotte|A preview/, environment);
    } finally {
      await site.stop();
    }
  }
});
