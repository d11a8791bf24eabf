import pg from 'pg';
import { configOf } from '../src/store/postgres/leader.ts';

/** A session of its own on the server that this URL names, beside the service's. Its rows are objects. */
export async function openSession(url: string) {
  // A busy machine may take longer than the service would wait.
  const client = new pg.Client({ ...configOf(url), connectionTimeoutMillis: 60_000 });
  // A server that ends the session tells so in the next answer.
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
