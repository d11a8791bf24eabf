import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Call, callsOf } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const guests = (count: number) => Array.from({ length: count }, (_, i) => `guest${i}@example.test`);

describe('invitees', () => {
  let service: TestService;
  let call: Call;
  let registry: string;
  let path: string;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
  });
  after(() => service.close());
  beforeEach(async () => {
    registry = `/registries/${(await call('alice', 'POST /registries', { title: 'Ann' })).body.id}`;
    path = `${registry}/invitees`;
  });

  const list = async () => {
    const { body } = await call('alice', `GET ${path}`);
    const { meta } = (await call('alice', `GET ${registry}`)).body;
    assert.deepEqual(meta.registry_invitees, body.invitees, 'both tell the same');
    return body.invitees;
  };
  const add = (...invitees: unknown[]) => call('alice', `POST ${path}`, { invitees });
  const remove = (encoded: string) => call('alice', `DELETE ${path}/${encoded}`);

  it('are added in order, trimmed, as given, and once whatever their letters', async () => {
    assert.deepEqual(await list(), []);
    const steps: [string[], string[]][] = [
      [['Bob'], ['Bob']],
      [
        ['  Aunt@Example.Test\t', 'carol'],
        ['Bob', 'Aunt@Example.Test', 'carol'],
      ],
      [
        ['bob', 'BOB ', 'AUNT@example.test', 'carol'],
        ['Bob', 'Aunt@Example.Test', 'carol'],
      ],
      [[], ['Bob', 'Aunt@Example.Test', 'carol']],
      [
        ['dora', 'Dora', 'DORA'],
        ['Bob', 'Aunt@Example.Test', 'carol', 'dora'],
      ],
    ];
    for (const [added, expected] of steps) {
      const { status, body } = await add(...added);
      assert.deepEqual([status, body], [200, { invitees: expected }]);
      assert.deepEqual(await list(), expected);
    }
  });

  it('are replaced by sending the list with the registry, under the same rules', async () => {
    await add('bob', 'carol');
    const meta = { registry_invitees: [' Dora ', 'dora', 'bob'] };
    const { body } = await call('alice', `PATCH ${registry}`, { meta });
    assert.deepEqual(body.meta.registry_invitees, ['Dora', 'bob']);
    assert.deepEqual(await list(), ['Dora', 'bob']);
    await call('alice', `PATCH ${registry}`, { meta: { registry_invitees: [] } });
    assert.deepEqual(await list(), []);
  });

  it('refuse what is no name and no address, and nobody is added', async () => {
    await add('bob');
    const bad = ['', ' ', '\u00a0', 'a'.repeat(255), '😀'.repeat(255), 5, null, ['x'], {}, 'a\0b', '\ud800'];
    for (const one of bad) {
      const { status, body } = await add('dora', one);
      assert.equal(status, 422, JSON.stringify(one));
      assert.match(body.detail, /^invitees[.:]/);
    }
    for (const body of [{}, { invitees: null }, { invitees: 'dora' }, { invitees: { 0: 'dora' } }, ['dora']])
      assert.equal((await call('alice', `POST ${path}`, body)).status, 422, JSON.stringify(body));
    assert.deepEqual(await list(), ['bob']);
  });

  it('are at most a thousand a registry', async () => {
    assert.equal((await add(...guests(999))).status, 200);
    assert.equal((await add('last', 'guest0@example.test')).body.invitees.length, 1000);
    const { status, body } = await add('one too many');
    assert.equal(status, 422);
    assert.match(body.detail, /^invitees: .*1000/);
    assert.equal((await add(...guests(999))).status, 200, 'nobody new');
    assert.equal((await add(...guests(1001))).status, 422);
    assert.equal((await list()).length, 1000);
  });

  it('are removed without regard to case; who is not listed changes nothing', async () => {
    await add('Bob', 'Aunt@Example.Test', 'carol');
    const steps: [string, string[]][] = [
      ['nobody', ['Bob', 'Aunt@Example.Test', 'carol']],
      ['bo', ['Bob', 'Aunt@Example.Test', 'carol']],
      ['aunt@EXAMPLE.test', ['Bob', 'carol']],
      ['aunt@example.test', ['Bob', 'carol']],
      ['BOB', ['carol']],
      ['carol', []],
      ['carol', []],
    ];
    for (const [removed, expected] of steps) {
      const { status, body } = await remove(removed);
      assert.deepEqual([status, body], [200, { invitees: expected }], removed);
      assert.deepEqual(await list(), expected);
    }
  });

  it('are found in a path however they are spelled', async () => {
    const names = [
      'a+b@example.test',
      'a/b',
      'a?b#c',
      '100%',
      '%41',
      'a b',
      'Zoë 👩‍👩‍👧',
      '..',
      'a\nb',
      '"\'<>&;=,',
    ];
    const longest = ['a'.repeat(254), '/'.repeat(254), '😀'.repeat(254)];
    await add(...names, ...longest);
    assert.deepEqual(await list(), [...names, ...longest]);
    for (const name of [...names, ...longest]) {
      // ".." would be resolved away, even when it is percent-encoded.
      const encoded = name === '..' ? null : encodeURIComponent(name);
      if (encoded === null) continue;
      const { status, body } = await remove(encoded);
      assert.equal(status, 200, `${encoded.slice(0, 50)}: ${body.detail}`);
      assert.ok(!body.invitees.includes(name), encoded);
    }
    assert.deepEqual(await list(), ['..']);
  });

  it('whose spelling is broken are not there', async () => {
    await add('bob');
    for (const broken of ['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80', '', 'bob/x', 'x'.repeat(9_000)]) {
      const { status } = await remove(broken);
      assert.equal(status, 404, broken.slice(0, 50));
    }
    for (const odd of ['%00', 'b%00ob', '%EF%BB%BFbob2'])
      assert.deepEqual((await remove(odd)).body, { invitees: ['bob'] }, odd);
    assert.deepEqual(await list(), ['bob']);
  });

  it('added by many at once are all there', async () => {
    const names = guests(12);
    const answers = await Promise.all(names.map((name) => add(name)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.deepEqual((await list()).toSorted(), names.toSorted());
    await Promise.all(names.slice(0, 6).map((name) => remove(encodeURIComponent(name))));
    assert.deepEqual((await list()).toSorted(), names.slice(6).toSorted());
  });
});
