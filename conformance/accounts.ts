import { readFile } from 'node:fs/promises';

export const ROLES = ['administrator', 'owner', 'guest', 'stranger'] as const;
export type Role = (typeof ROLES)[number];

/** An account of the site: user name and application password. */
export type Account = { name: string; password: string };

/** The accounts that the suite may use, and the gateway's key if one is needed. */
export type Accounts = Record<Role, Account> & { api_key?: string };

/** The suite cannot start; the message tells the person who ran it why. */
export class CannotBegin extends Error {}

export async function readAccounts(file: string): Promise<Accounts> {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CannotBegin(`${file} can't be read as JSON: ${(error as Error).message}`);
  }
  const isAccount = (one: unknown): one is Account => {
    const { name, password } = (one ?? {}) as Partial<Account>;
    return typeof name === 'string' && name !== '' && typeof password === 'string' && password !== '';
  };
  const faulty = ROLES.filter((role) => !isAccount(given?.[role]));
  if (faulty.length > 0)
    throw new CannotBegin(`${file}: ${faulty.join(', ')} must be given as {"name": …, "password": …}`);
  const accounts = given as Accounts;
  if (accounts.api_key !== undefined && typeof accounts.api_key !== 'string')
    throw new CannotBegin(`${file}: api_key must be a string`);
  const names = ROLES.map((role) => accounts[role].name.toLowerCase());
  if (new Set(names).size < ROLES.length) throw new CannotBegin(`${file} names one account in two roles`);
  return accounts;
}
