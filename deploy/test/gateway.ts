import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../api/test/free-port.ts';
import { until } from '../../dev/until.ts';

export const deploy = join(import.meta.dirname, '..');

/** The header in which a test names its caller's address, as a load balancer would. */
export const ADDRESS = 'x-test-address';

export type GatewayResponse = { status: number; headers: Record<string, string | undefined>; body: string };
type Ask = RequestOptions & { body?: string | Buffer };

/** For `test(name, { skip: skipWithoutNginx() }, …)`: returns the reason to skip; in CI, throws an error instead. */
export function skipWithoutNginx(): string | false {
  const missing = ['nginx', 'openssl'].filter((name) => spawnSync(name, ['version']).error);
  if (missing.length === 0) return false;
  const message = `The gateway's tests need ${missing.join(' and ')}; on Debian: apt-get install nginx-light openssl`;
  if (process.env.CI === 'true') throw new Error(message);
  return message;
}

type Options = {
  /** The service's address, or the contents of upstream.conf. */
  upstream: string;
  keys: string[];
  /** Addresses of sites, whose requests don't count towards limits. */
  sites?: string[];
  /** The key for the service: empty, or a variable from the other site file. */
  serviceKey?: string;
  /** Another site file for the same nginx; PORT in it becomes the gateway's port. */
  other?: string;
};

/** Starts Debian's nginx with the gateway's file; all other files are in a temporary folder. */
export async function startGateway({ upstream, keys, sites = [], serviceKey = "''", other = '' }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'trousseau-gateway-'));
  const own = join(folder, 'trousseau');
  const port = await freePort();
  const setKeys = (accepted: string[]) =>
    writeFile(join(own, 'keys.conf'), accepted.map((key) => `"${key}" 1;\n`).join(''));

  await mkdir(own);
  await setKeys(keys);
  const servers = URL.canParse(upstream) ? `server ${new URL(upstream).host};\n` : upstream;
  await writeFile(join(own, 'upstream.conf'), servers);
  await writeFile(join(own, 'sites.conf'), sites.map((site) => `${site} 1;\n`).join(''));
  await writeFile(
    join(own, 'server.conf'),
    `listen 127.0.0.1:${port} ssl http2 default_server;
     access_log access.log trousseau;
     proxy_set_header X-Api-Key ${serviceKey};
     set_real_ip_from 127.0.0.1;
     real_ip_header ${ADDRESS};`,
  );
  await makeCertificate(own);
  await writeFile(join(folder, 'other.conf'), other.replaceAll('PORT', String(port)));
  await writeFile(join(folder, 'nginx.conf'), MAIN_FILE);

  const ca = await readFile(join(own, 'certificate.pem'));
  const perRequest = new Agent({ ca, keepAlive: false });
  const kept = new Agent({ ca, keepAlive: true, maxSockets: 20 });

  const nginx = ['-p', folder, '-c', 'nginx.conf'];
  const child = spawn('nginx', [...nginx, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'exit');
  let log = '';
  let reloads = 0;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  /** Waits until nginx's log has so many lines with this text. */
  const logged = async (words: string, times: number) => {
    const isThere = () => log.split(words).length > times;
    await until(`${times} times “${words}” in nginx's log`, () => child.exitCode !== null || isThere());
    if (!isThere()) throw new Error(`nginx ended: ${log}`);
  };
  const close = async () => {
    kept.destroy();
    child.kill('SIGQUIT');
    await exit;
    await rm(folder, { recursive: true });
  };

  try {
    await logged('start worker process ', 2);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return {
    url: `https://localhost:${port}`,
    port,
    ca,
    certificate: join(own, 'certificate.pem'),
    /** Sends one request on a connection of its own. */
    ask: (path: string, options: Ask = {}) => ask(port, path, { agent: perRequest, ...options }),
    /** Sends the same request with different headers, as fast as a few kept connections allow. */
    askOften: (times: number, path: string, headers: (i: number) => Record<string, string>) =>
      Promise.all(
        Array.from({ length: times }, (_, i) => ask(port, path, { agent: kept, headers: headers(i) })),
      ),
    setKeys,
    /** Reloads nginx as an operator does; returns when the last process with the old settings has ended. */
    async reload() {
      const done = spawnSync('nginx', [...nginx, '-s', 'reload'], { encoding: 'utf8' });
      if (done.status !== 0) throw new Error(done.stderr);
      reloads++;
      await logged('exited with code 0', 2 * reloads);
    },
    /** Returns the access log, as soon as it contains this text: nginx writes a line after it has sent the answer. */
    async accessLog(text: string) {
      return until(`“${text}” is in the access log`, async () => {
        const log = await readFile(join(folder, 'access.log'), 'utf8');
        return log.includes(text) && log;
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An nginx.conf like the distribution's. It compresses as much as it can, which our file must undo. */
export const MAIN_FILE = `
daemon off;
pid nginx.pid;
error_log stderr notice;
worker_processes 2;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temp;`).join(' ')}
  access_log off;
  gzip on;
  gzip_types application/json;
  gzip_min_length 1;
  gzip_proxied any;
  include ${join(deploy, 'nginx.conf')};
  include other.conf;
}`;

export async function makeCertificate(folder: string, ...others: string[]): Promise<void> {
  const files = { '-keyout': join(folder, 'certificate.key'), '-out': join(folder, 'certificate.pem') };
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const names = ['-addext', ['subjectAltName=DNS:localhost,IP:127.0.0.1', ...others].join(',DNS:')];
  const made = spawnSync('openssl', [...request.split(' '), ...names, ...Object.entries(files).flat()], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
}

async function ask(port: number, path: string, { body, ...options }: Ask): Promise<GatewayResponse> {
  const sent = request({ host: 'localhost', port, path, ...options });
  // A refusal may come before a large body is sent. An error before any answer fails the wait below.
  sent.on('error', () => {});
  const [response] = await once(sent.end(body), 'response');
  // Node drops the second of two equal headers; raw headers show both.
  const headers = Object.entries(response.headersDistinct as Record<string, string[]>);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(headers.map(([name, values]) => [name, values.join(', ')])),
    body: await text(response),
  };
}
