// Starts a site for `plugin/test/wordpress` and keeps it until Ctrl-C, so that one class runs in a second: prints the command.
import { once } from 'node:events';
import { startWordPress } from '../../../dev/wordpress/wordpress.ts';

const site = await startWordPress({ locale: 'en_US' });
console.log(
  `cd plugin && TROUSSEAU_DEV_SITE=${site.folder} phpunit -c test/wordpress/phpunit.xml --filter ConfidentialityTest`,
);
const alive = setInterval(() => {}, 1_000_000);
await once(process, 'SIGINT');
clearInterval(alive);
await site.stop();
