// The PHPUnit tests of `plugin/test/unit`: PHP that needs no WordPress. They run at once; each class is a test here.
import { test } from 'node:test';
import { runPhpUnit } from './phpunit.ts';
import { skipWithout } from './programs.ts';

test('PHPUnit', { skip: skipWithout('phpunit') }, (t) => runPhpUnit(t, 'phpunit.xml', 50));
