// A folder of `plugin/src` is a feature: without the folder the site works. rooms.test.ts finds who names it.
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { itemIds } from '../../dev/wordpress/set-up.ts';
import { decoded, listIn, visit } from '../../dev/wordpress/site.ts';
import { startWholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

const plugin = join(import.meta.dirname, '..');
const FEATURES = ['Affiliate', 'PageCaching', 'Thanks', 'Connections', 'Abilities', 'GroupGifts'];

/** Copies the plugin as it ships, without these features. */
function copyTo(folder: string, without: string[]) {
  mkdirSync(folder);
  for (const name of readdirSync(plugin).filter((name) => name !== 'test'))
    cpSync(join(plugin, name), join(folder, name), { recursive: true });
  for (const feature of without) rmSync(join(folder, 'src', feature), { recursive: true });
}

describe('without the folders of features', { skip: skipWithoutWordPress() }, () => {
  for (const without of mostTelling(1, [FEATURES, ...FEATURES.map((feature) => [feature])])) {
    test(`the site works: ${without.join(', ')}`, async () => {
      await using place = await temporaryFolder();
      const name = 'without-features';
      const folder = join(place.path, name);
      copyTo(folder, without);
      appendFileSync(join(folder, 'trousseau.php'), `\nheader( 'x-without: ${without}' );\n`);

      await using site = await startWholeSite({ plugin: folder });
      const alice = await visit(site, site.users.alice);
      const made = await alice.press('/registries/new/', 'make', { title: 'Without', status: 'publish' });
      const id = listIn(made);
      for (const tab of ['gifts', 'guests', 'people', 'details'])
        assert.equal((await alice(`/registries/${id}/${tab}/`)).status, 200, tab);
      await alice.press(`/registries/${id}/details/`, 'change', { story: 'A few words' });
      const pan = { name: 'Copper pan', price: '24.90' };
      await alice.press(`/registries/${id}/gifts/?by-hand=1`, 'add', pan);
      const bob = await visit(site, site.users.bob);
      assert.match(decoded((await bob(`/?registry=${id}`)).text), /Copper pan/);
      const [gift] = await itemIds(site, id);
      const given = await bob.press(`/registries/${id}/give/?item=${gift}`, 'give');
      assert.match((await bob(given.headers.get('location')!)).text, /Copper pan/);
      assert.equal((await alice('/wp-admin/options-general.php?page=trousseau')).status, 403);
      const admin = await visit(site, site.users.admin);
      const settings = 'options-general.php?page=trousseau';
      for (const screen of [settings, 'tools.php?page=trousseau-jobs', 'edit.php'])
        assert.equal((await admin(`/wp-admin/${screen}`)).status, 200, screen);
      assert.equal((await admin('/')).headers.get('x-without'), `${without}`);
      await site.mails();
      assert.doesNotMatch(site.log(), new RegExp(`${name}/`));
    });
  }
});
