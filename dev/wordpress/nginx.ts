// Starts nginx as a page cache in front of a site, with the rules of most guides for WordPress or with others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../api/test/free-port.ts';

export interface Nginx {
  url: string;
  close(): Promise<void>;
}

/** Starts nginx with the configuration that `conf` returns for a new folder and a free port; resolves when nginx answers. */
export async function runNginx(conf: (folder: string, port: number) => string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-nginx-'));
  const port = await freePort();
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr; ${process.getuid?.() === 0 ? 'user root;' : ''}\n${conf(folder, port)}`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/robots.txt`).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${log}`);
    await sleep(20);
  }
  return {
    url,
    async close() {
      child.kill('SIGQUIT');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns settings that put nginx's temporary folders here. */
export const temporaryPaths = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');

/** Starts nginx with the rules of most guides. With `ignores`, it caches pages whatever their headers say. */
export const startNginx = (site: string, { ignores }: { ignores: boolean }): Promise<Nginx> =>
  runNginx(
    (folder, port) => `events {}
http {
  access_log off;
  ${temporaryPaths(folder)}
  proxy_cache_path ${folder}/pages keys_zone=pages:1m inactive=60m;
  server {
    listen 127.0.0.1:${port};
    set $skip 0;
    if ($request_method = POST) { set $skip 1; }
    if ($query_string != "") { set $skip 1; }
    if ($request_uri ~* "/wp-admin/|/xmlrpc.php|wp-.*.php|index.php|sitemap(_index)?.xml") { set $skip 1; }
    if ($http_cookie ~* "comment_author|wordpress_[a-f0-9]+|wp-postpass|wordpress_no_cache|wordpress_logged_in") { set $skip 1; }
    location / {
      proxy_pass ${site};
      proxy_set_header Host ${new URL(site).host};
      proxy_set_header Origin ${site};
      proxy_cache pages;
      proxy_cache_key "$request_method$request_uri";
      proxy_cache_bypass $skip;
      proxy_no_cache $skip;
      proxy_cache_valid 200 301 302 404 60m;
      ${ignores ? 'proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;' : ''}
      add_header X-Page-Cache $upstream_cache_status always;
    }
  }
}
`,
  );
