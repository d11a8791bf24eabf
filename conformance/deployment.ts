import type { Registry } from 'trousseau-client';
import { type Accounts, CannotBegin, ROLES, type Role } from './accounts.ts';
import { callerOf } from './caller.ts';
import { type Deployment, MARK, type Person } from './world.ts';

/** Data left behind by a killed run is deleted once it is older than any run takes. */
const LEFT_MS = 60 * 60_000;

/** Checks the service and its accounts, and deletes data left behind by earlier runs. */
export async function deploymentAt(
  url: string,
  accounts: Accounts,
): Promise<{ deployment: Deployment; swept: number }> {
  const caller = await callerOf(url, accounts).catch((error: Error) => {
    throw new CannotBegin(`${url} can't be reached: ${(error.cause as Error)?.message ?? error.message}`);
  });
  const { ask } = caller;
  for (const role of ROLES) {
    const { status, text } = await ask(role, 'GET /claims?limit=1');
    if (status === 401) throw new CannotBegin(`${accounts[role].name} (${role}) can't log in: ${text}`);
    if (status !== 200) throw new CannotBegin(`${url} answers ${status} to ${role}: ${text.slice(0, 200)}`);
  }
  const isAdmin = async (role: Role) => (await ask(role, `GET /claims?email=${MARK}`)).status === 200;
  if (!(await isAdmin('administrator')))
    throw new CannotBegin(`${accounts.administrator.name} isn't an admin of the service: see ADMIN_ROLES`);
  for (const role of ['owner', 'guest', 'stranger'] as const)
    if (await isAdmin(role)) throw new CannotBegin(`${accounts[role].name} must not be an administrator`);

  const swept = await sweep(ask);
  const { people, itemAccess } = await peopleOf(caller, accounts);
  return { deployment: { ...caller, people, itemAccess }, swept };
}

async function sweep(ask: Deployment['ask']): Promise<number> {
  let swept = 0;
  for (const role of ROLES) {
    const left: Registry[] = [];
    for (let skip = 0, page: Registry[]; ; skip += 100) {
      const answer = await ask(role, `GET /registries?skip=${skip}&limit=100`);
      if (answer.status !== 200)
        throw new CannotBegin(`GET /registries answers ${answer.status} to ${role}: ${answer.text}`);
      page = answer.body;
      const isLeft = ({ title, created_at }: Registry) =>
        title.startsWith(MARK) && Date.parse(created_at) < Date.now() - LEFT_MS;
      left.push(...page.filter(isLeft));
      if (page.length < 100) break;
    }
    for (const { id } of left) if ((await ask(role, `DELETE /registries/${id}`)).status === 204) swept++;
  }
  return swept;
}

/** Finds out the accounts' ids, names and addresses from claims in a registry that is deleted afterwards. */
async function peopleOf(
  { ask }: Pick<Deployment, 'ask'>,
  accounts: Accounts,
): Promise<Pick<Deployment, 'people' | 'itemAccess'>> {
  const asked = async (as: Role, target: string, body: unknown) => {
    const answer = await ask(as, target, body);
    if (answer.status >= 300)
      throw new CannotBegin(`${target} as ${as} returned ${answer.status}: ${answer.text.slice(0, 200)}`);
    return answer.body;
  };
  const registry_invitees = ROLES.map((role) => accounts[role].name);
  const body = { title: MARK, meta: { registry_invitees } };
  const { id } = await asked('owner', 'POST /registries', body);
  try {
    const fields = { name: 'Pan', url: 'https://shop.example/pan', quantity_needed: ROLES.length };
    const item = (await asked('owner', `POST /registries/${id}/items`, fields)).data;
    const people: Partial<Record<Role, Person>> = {};
    for (const role of ROLES) {
      const { giver } = await asked(role, `POST /registries/${id}/items/${item.id}/claims`, {});
      const { name: username, password } = accounts[role];
      people[role] = { id: giver.user_id, name: giver.name, email: giver.email, username, password };
    }
    const { item_access } = await asked('owner', 'GET /status', undefined);
    return { people: people as Record<Role, Person>, itemAccess: item_access };
  } finally {
    await ask('owner', `DELETE /registries/${id}`);
  }
}
