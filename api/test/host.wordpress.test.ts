// @again wordpress php
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';
import { describeHost } from './host-contract.ts';

const name = 'the plugin on WordPress';
const missing = skipWithoutWordPress();

if (missing) test(name, { skip: missing });
else {
  describeHost(name, async () => {
    const site = await startWordPress();
    return { url: site.url, users: site.users, version: site.version, close: () => site.stop() };
  });
}
