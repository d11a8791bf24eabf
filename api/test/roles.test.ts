import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, type Call, callsOf } from './answers.ts';
import { authorization, type Name, PASSWORDS, startTestService, type TestService } from './support.ts';

const roles = ['owner', 'admin', 'invitee by name', 'invitee by e-mail', 'stranger', 'nobody'] as const;
type Role = (typeof roles)[number];

const anyone: Role[] = [...roles];
const signedIn = anyone.filter((role) => role !== 'nobody');
const readers = signedIn.filter((role) => role !== 'stranger');
const writers: Role[] = ['owner', 'admin'];

const newItem = {
  name: 'Pot',
  url: 'https://shop.example/pot',
  affiliate_url: 'https://partner.example/pot',
};
const link = { affiliate_url: 'https://partner.example/new', affiliate_status: 'paused' };

/** What a success answers: `item` and `items` in the form that the viewer may see. */
type Form = 'plain' | 'nothing' | 'item' | 'items' | 'affiliate';
type Route = [target: string, allowed: Role[], status: number, form: Form, body?: object];

// R stands for a registry with an item I, both of the owner.
const routes: Route[] = [
  ['GET /', anyone, 200, 'plain'],
  ['GET /health', anyone, 200, 'plain'],
  ['GET /items?limit=1', signedIn, 200, 'items'],
  ['GET /items/I', signedIn, 200, 'item'],
  ['POST /items', signedIn, 201, 'item', { registry_id: 1, ...newItem }],
  ['PUT /items/I', signedIn, 200, 'item', { name: 'Pan', affiliate_url: 'https://partner.example/pan' }],
  ['DELETE /items/I', signedIn, 200, 'item'],
  ['GET /registries', signedIn, 200, 'plain'],
  ['POST /registries', signedIn, 201, 'plain', { title: 'New' }],
  ['GET /registries/R', readers, 200, 'plain'],
  ['PATCH /registries/R', writers, 200, 'plain', { title: 'Changed', status: 'publish' }],
  ['DELETE /registries/R', writers, 204, 'nothing'],
  ['GET /registries/R/items', readers, 200, 'items'],
  ['POST /registries/R/items', writers, 201, 'item', newItem],
  ['DELETE /registries/R/items/I', writers, 204, 'nothing'],
  ['GET /registries/R/invitees', readers, 200, 'plain'],
  ['POST /registries/R/invitees', writers, 200, 'plain', { invitees: ['dora'] }],
  ['DELETE /registries/R/invitees/bob', writers, 200, 'plain'],
  ['DELETE /registries/R/invitees/carol@example.test', writers, 200, 'plain'],
  ['GET /registries/R/items/I/affiliate', readers, 200, 'affiliate'],
  ['PUT /registries/R/items/I/affiliate', writers, 200, 'affiliate', link],
  ['DELETE /registries/R/items/I/affiliate', writers, 204, 'nothing'],
];

describe('roles', () => {
  let service: TestService;
  let call: Call;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
  });
  after(() => service.close());

  async function fixture(status = 'private', invitees: string[] = []) {
    const meta = { registry_invitees: invitees };
    const registry = await call('alice', 'POST /registries', { title: 'Secret Garden', status, meta });
    assert.equal(registry.status, 201, registry.text);
    const R = registry.body.id;
    const fields = { name: 'Pan', url: 'https://shop.example/pan', ...link, affiliate_status: 'active' };
    const item = await call('admin', `POST /registries/${R}/items`, fields);
    return { R, I: item.body.data.id as number };
  }

  // Two guests, one by name and one by an address in other letters; at the other's registry each is a stranger.
  const casts: Record<Role, { as?: Name; invitees: string[] }> = {
    owner: { as: 'alice', invitees: [] },
    admin: { as: 'admin', invitees: [] },
    'invitee by name': { as: 'bob', invitees: ['BOB', 'dave@example.test'] },
    'invitee by e-mail': { as: 'carol', invitees: ['bobby', ' CAROL@Example.Test '] },
    stranger: { as: 'carol', invitees: ['bob', 'xcarol', 'carol@example.test.example', 'arol@example.test'] },
    nobody: { invitees: ['undefined', 'null', 'bob'] },
  };

  for (const role of roles) {
    for (const status of ['publish', 'private']) {
      it(`${role} at a ${status} registry`, async () => {
        const { as, invitees } = casts[role];
        let { R, I } = await fixture(status, invitees);
        for (const [target, allowed, success, form, body] of routes) {
          const path = target.replace('/R', `/${R}`).replace('/I', `/${I}`);
          const before = await stateOf(R, I);
          const answer = await call(as, path, body);
          if (allowed.includes(role)) {
            assert.equal(answer.status, success, `${target}: ${answer.text}`);
            hasForm(form, as === 'admin', answer, target);
            if (!target.startsWith('GET')) ({ R, I } = await fixture(status, invitees));
          } else {
            assert.equal(answer.status, as ? 403 : 401, `${target}: ${answer.text}`);
            const challenge = as ? null : 'Basic realm="trousseau"';
            assert.equal(answer.headers.get('www-authenticate'), challenge, target);
            assert.doesNotMatch(answer.text, /Secret Garden|example\.test|bob|partner/i, target);
            assert.equal(await stateOf(R, I), before, `${target} was refused, but did something`);
          }
        }
      });
    }
  }

  async function stateOf(R: number, I: number): Promise<string> {
    const answers = await Promise.all([
      call('admin', `GET /registries/${R}`),
      call('admin', `GET /registries/${R}/items`),
      call('admin', `GET /items/${I}`),
      call('admin', 'GET /items?limit=1'),
    ]);
    return answers.map(({ text }) => text).join('\n');
  }

  it('a viewer who is no admin never sees an affiliate link, the owner included', async () => {
    const { R, I } = await fixture('publish');
    const admin = await call('admin', `GET /items/${I}`);
    assert.equal(admin.body.data.affiliate_url, link.affiliate_url);
    const owner = await call('alice', `PUT /items/${I}`, { affiliate_url: 'https://partner.example/own' });
    assert.ok(!owner.text.includes('partner.example'), owner.text);
    assert.equal(
      (await call('admin', `GET /items/${I}`)).body.data.affiliate_url,
      'https://partner.example/own',
    );
    const list = await call('alice', `GET /registries/${R}/items`);
    assert.deepEqual(
      list.body.map(({ id }: { id: number }) => id),
      [I],
    );
    assert.ok(!list.text.includes('partner.example'));
  });

  it('an invitation counts at once, and its end as well', async () => {
    const { R } = await fixture();
    const reads = async () => (await call('bob', `GET /registries/${R}/items`)).status;
    assert.equal(await reads(), 403);
    await call('alice', `POST /registries/${R}/invitees`, { invitees: ['Bob@example.test'] });
    assert.equal(await reads(), 200);
    await call('alice', `DELETE /registries/${R}/invitees/BOB@EXAMPLE.TEST`);
    assert.equal(await reads(), 403);
    const meta = { registry_invitees: ['bob'] };
    await call('alice', `PATCH /registries/${R}`, { meta });
    assert.equal(await reads(), 200);
    await call('alice', `PATCH /registries/${R}`, { meta: { registry_invitees: [] } });
    assert.equal(await reads(), 403);
  });

  it('what changes on the host itself is seen by the next who asks for it, and by who was refused', async () => {
    const { R } = await fixture();
    assert.equal((await call('bob', `GET /registries/${R}/items`)).status, 403);
    assert.equal((await call('alice', `GET /registries/${R}`)).status, 200);
    await fetch(`${service.hostUrl}/wp-json/wp/v2/registry/${R}`, {
      method: 'POST',
      headers: { authorization: authorization('alice'), 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'By hand', meta: { registry_invitees: '["Bob"]' } }),
    });
    assert.equal((await call('bob', `GET /registries/${R}/items`)).status, 200);
    assert.equal((await call('alice', `GET /registries/${R}`)).body.title, 'By hand');
    assert.deepEqual((await call('alice', `GET /registries/${R}/invitees`)).body, { invitees: ['Bob'] });
  });

  it("everybody's list holds their own registries alone", async () => {
    const mine = await call('bob', 'POST /registries', { title: 'Of Bob', status: 'publish' });
    const { R } = await fixture('publish', ['bob', 'admin']);
    for (const who of ['alice', 'bob', 'carol', 'admin'] as const) {
      const { body } = await call(who, 'GET /registries');
      const ids = body.map(({ id }: { id: number }) => id);
      assert.equal(ids.includes(mine.body.id), who === 'bob', who);
      assert.equal(ids.includes(R), who === 'alice', who);
    }
  });

  it('an item of another registry is not there, even for the owner of both', async () => {
    const [one, other] = [await fixture(), await fixture()];
    const strange = `/registries/${one.R}/items/${other.I}`;
    const before = await stateOf(other.R, other.I);
    for (const who of ['alice', 'admin'] as const) {
      for (const [target, body] of [
        [`DELETE ${strange}`],
        [`GET ${strange}/affiliate`],
        [`PUT ${strange}/affiliate`, link],
        [`DELETE ${strange}/affiliate`],
      ] as const) {
        const answer = await call(who, target, body);
        assert.deepEqual([answer.status, answer.body], [404, { detail: 'Item not found' }], target);
      }
    }
    assert.equal(await stateOf(other.R, other.I), before);
  });

  it('a registry that is not there is 404 for every signed-in caller, a draft on the host too', async () => {
    const registries = `${service.hostUrl}/wp-json/wp/v2/registry`;
    const draft = await fetch(registries, {
      method: 'POST',
      headers: { authorization: authorization('alice'), 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Draft', status: 'draft' }),
    });
    const { id } = (await draft.json()) as { id: number };
    const { I } = await fixture();
    const none = ['0', '-1', '1.5', 'x', '01', '1e2', '9007199254740993', '9007199254740991', '99999', '%00'];
    for (const R of [...none, String(id)]) {
      for (const [target, , , , body] of routes.filter(([target]) => target.includes('/R'))) {
        for (const who of R === String(id) ? (['alice', 'admin'] as const) : (['carol'] as const)) {
          const answer = await call(who, target.replace('/R', `/${R}`).replace('/I', `/${I}`), body);
          assert.deepEqual(
            [answer.status, answer.body],
            [404, { detail: 'Registry not found' }],
            `${target} ${R}`,
          );
        }
      }
    }
  });

  describe('signing in', () => {
    const signIn = (header: string) =>
      call(undefined, 'GET /registries', undefined, { authorization: header });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

    it('takes the e-mail address for the name, and the password without its spaces', async () => {
      for (const name of ['alice', 'Alice', 'alice@example.test', 'ALICE@example.test'])
        for (const password of [PASSWORDS.alice, PASSWORDS.alice.replaceAll(' ', '')])
          assert.equal((await signIn(basic(`${name}:${password}`))).status, 200, name);
      assert.equal((await signIn(authorization('alice').replace('Basic', 'basic'))).status, 200);
    });

    it('refuses what is no Basic credentials', async () => {
      const good = authorization('alice').slice('Basic '.length);
      const malformed = [
        '',
        'Basic',
        'Basic ',
        good,
        `Bearer ${good}`,
        `Digest ${good}`,
        'Basic !!!',
        `Basic ${good} x`,
      ];
      for (const header of [...malformed, basic('alice'), basic(':'), basic(`:${PASSWORDS.alice}`)]) {
        const { status, headers, body } = await signIn(header);
        assert.equal(status, 401, header);
        assert.equal(headers.get('www-authenticate'), 'Basic realm="trousseau"');
        assert.match(body.detail, /^(Malformed credentials|Credentials are required|Invalid credentials)$/);
      }
    });

    it('refuses wrong ones, and says no more about a known name than about an unknown one', async () => {
      const answers = [];
      for (const text of ['bob:wrong', 'bob:', 'nobody:at all', `carol:${PASSWORDS.alice}`])
        answers.push(await signIn(basic(text)));
      for (const { status, headers, body } of answers) {
        assert.deepEqual([status, body], [401, { detail: 'Invalid credentials' }]);
        assert.equal(headers.get('www-authenticate'), 'Basic realm="trousseau"');
      }
    });
  });
});

function hasForm(form: Form, isAdmin: boolean, { text, body }: Answer, target: string): void {
  if (form === 'nothing') assert.equal(text, '', target);
  if (form === 'affiliate')
    assert.deepEqual(Object.keys(body), ['affiliate_url', 'affiliate_status'], target);
  if (form !== 'item' && form !== 'items') return;
  const items = form === 'item' ? [body.data] : body;
  assert.ok(items.length > 0, target);
  for (const item of items)
    assert.deepEqual(['affiliate_url' in item, 'affiliate_status' in item], [isAdmin, isAdmin], target);
}
