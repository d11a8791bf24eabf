// nginx in front of a WordPress, as a page cache, with the very lines that docs/operations.md tells operators to enter.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nginx, runNginx, temporaryPaths } from './nginx.ts';

/** The lines for the `http` block and for the `location`, as `docs/operations.md` has them. */
export function documentedLines(): [string, string] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## Page caches\n'));
  const [http, location] = [...section.matchAll(/```nginx\n(.*?)```/gs)].map(([, lines]) => lines!);
  if (!http || !location) throw new Error('docs/operations.md has no lines for nginx any more');
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
