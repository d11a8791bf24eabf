// `npx trousseau mcp`: gift lists for assistants, over the Model Context Protocol.
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import clientPackage from '../package.json' with { type: 'json' };
import { type ClientOptions, createClient } from '../src/index.ts';
import { createServer } from './server.ts';

const HELP = `${import.meta.filename.endsWith('.js') ? 'npx trousseau mcp' : 'npm run mcp --'} [--http PORT]

Lets an assistant work with your gift lists, over stdin and stdout. With --http it listens on 127.0.0.1 instead, and each request
carries Basic credentials of its own.

  TROUSSEAU_BASE_URL           the item service's address
  TROUSSEAU_SITE_URL           your site's address, from which it learns what lists you're invited to
  TROUSSEAU_USERNAME           your user name on the site
  TROUSSEAU_APP_PASSWORD       your application password; or TROUSSEAU_APP_PASSWORD_FILE, a file that contains it
  TROUSSEAU_API_KEY            the gateway's key, if there is one; or TROUSSEAU_API_KEY_FILE, a file that contains it

With --http, only the addresses and the key are used.
`;

class Unusable extends Error {}

/** Reads a secret from the environment, or from the file named there: never from an argument, which every process can read. */
function secret(name: string): string | undefined {
  const { [name]: value, [`${name}_FILE`]: file } = process.env;
  if (value || !file) return value;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Unusable(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

interface Addresses {
  service: ClientOptions;
  siteUrl: string | undefined;
}

function readAddresses(): Addresses {
  const { TROUSSEAU_BASE_URL: baseUrl, TROUSSEAU_SITE_URL: siteUrl } = process.env;
  if (!baseUrl) throw new Unusable('TROUSSEAU_BASE_URL is not set');
  if (siteUrl && !URL.canParse(siteUrl)) throw new Unusable('TROUSSEAU_SITE_URL is not an address');
  return { service: { baseUrl, apiKey: secret('TROUSSEAU_API_KEY'), env: {} }, siteUrl };
}

/** Makes the MCP server of one person. */
const serverOf = ({ service, siteUrl }: Addresses, person: { username: string; password: string }) =>
  createServer(
    createClient({ ...service, ...person }),
    clientPackage.version,
    siteUrl ? { url: siteUrl, ...person } : undefined,
  );

/** Serves over stdin and stdout, so nothing else may write to stdout. */
async function serveStdio(): Promise<void> {
  const [username, password] = [process.env.TROUSSEAU_USERNAME, secret('TROUSSEAU_APP_PASSWORD')];
  if (!username || !password)
    throw new Unusable('TROUSSEAU_USERNAME and TROUSSEAU_APP_PASSWORD (or …_FILE) are not set');
  await serverOf(readAddresses(), { username, password }).connect(new StdioServerTransport());
}

function credentialsIn({ authorization = '' }: IncomingMessage['headers']) {
  const [, encoded = ''] = /^Basic ([\w+/=]+)$/i.exec(authorization) ?? [];
  const [, username, password] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return username && password ? { username, password } : undefined;
}

function serveHttp(port: number): void {
  const addresses = readAddresses();
  const refuse = (response: ServerResponse, status: number, detail: string, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ detail }));
  const http = createHttpServer(async (request, response) => {
    if (request.url !== '/mcp') return refuse(response, 404, 'Not found');
    if (request.method !== 'POST') return refuse(response, 405, 'Only POST is allowed', { allow: 'POST' });
    // A web page that someone has open must not act for them.
    if (request.headers.origin !== undefined) return refuse(response, 403, 'Web pages may not call this');
    const credentials = credentialsIn(request.headers);
    if (!credentials)
      return refuse(response, 401, 'Log in with an application password', {
        'www-authenticate': 'Basic realm="trousseau"',
      });
    const server = serverOf(addresses, credentials);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    try {
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      await transport.handleRequest(request, response);
    } catch {
      if (!response.headersSent) refuse(response, 500, 'Internal error');
    }
  });
  http.on('error', (error: NodeJS.ErrnoException) => fail(`Cannot listen on ${port}: ${error.code}`));
  http.listen(port, '127.0.0.1', () => {
    const address = http.address();
    console.error(
      `Listening on http://127.0.0.1:${address && typeof address === 'object' ? address.port : port}/mcp`,
    );
  });
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}

export async function runMcp(args: string[]): Promise<void> {
  try {
    const { values } = parseArgs({ args, options: { http: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) return void console.log(HELP);
    if (values.http === undefined) return await serveStdio();
    if (!/^\d{1,5}$/.test(values.http) || Number(values.http) > 65_535)
      throw new Unusable('--http needs a port');
    serveHttp(Number(values.http));
  } catch (error) {
    // Don't print the faulty argument: it may be a password.
    if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) fail(HELP);
    else if (error instanceof Unusable) fail(error.message);
    else throw error;
  }
}

if (import.meta.main) await runMcp(process.argv.slice(2));
