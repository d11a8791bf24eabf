// The PHPUnit tests of `plugin/test/wordpress`: everything that a WordPress with the plugin does without a web server and a browser.
// All of them run in one process; each class is a test here, and each method there takes back whatever it stores.
//
// One class takes a second while a site is kept for it: `node plugin/test/wordpress/site.ts` starts one and prints the command.
// Some of them try more at night, as files do that use dev/night.ts.
// @again wordpress
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';
import { runPhpUnit } from './phpunit.ts';
import { skipWithout } from './programs.ts';

const skip = process.env.TROUSSEAU_DEV_PHP
  ? 'PHPUnit runs on this machine’s own PHP'
  : skipWithoutWordPress() || skipWithout('phpunit');

test('PHPUnit in WordPress', { skip }, async (t) => {
  const site = await startWordPress({ locale: 'en_US' });
  t.after(() => site.stop());
  await runPhpUnit(t, 'test/wordpress/phpunit.xml', 5, { TROUSSEAU_DEV_SITE: site.folder });
});
