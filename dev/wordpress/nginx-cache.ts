// Starts nginx as a page cache in front of a WordPress, with the lines from docs/page-caches.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nginx, runNginx, temporaryPaths } from './nginx.ts';

/** Returns the lines from docs/page-caches.md for the `http` block and for the `location`. */
export function documentedLines(): [string, string] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/page-caches.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## nginx\n'));
  const [http, location] = [...section.matchAll(/```nginx\n(.*?)```/gs)].map(([, lines]) => lines!);
  if (!http || !location) throw new Error('docs/page-caches.md no longer has lines for nginx');
  return [http, location];
}

export function startNginxCache(site: string): Promise<Nginx> {
  const [http, location] = documentedLines();
  return runNginx(
    (folder, port) => `worker_processes 2; worker_rlimit_nofile 16384;
    events { worker_connections 8192; }
    http {
      access_log off;
      ${temporaryPaths(folder)}
      ${http.replace('/var/cache/nginx/pages', `${folder}/pages`)}
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location / {
          proxy_pass ${site};
          proxy_set_header Host ${new URL(site).host};
          ${location}
        }
      }
    }`,
  );
}
