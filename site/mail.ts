// Shows emails that were written to a folder instead of being sent.
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readMail } from '../dev/wordpress/mail.ts';

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1rem;color:#2b2622;background:#fbf7f2}
a{color:#8a3b2a}ul{list-style:none;padding:0}li{border-bottom:1px solid #e4d9cc}li a{display:block;padding:.75rem 0;text-decoration:none}
small{color:#6b6058;display:block}iframe{width:100%;height:70vh;border:1px solid #e4d9cc;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere}`;

const page = (title: string, body: string, again = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again}` +
  `<title>${escaped(title)}</title><style>${style}</style><h1>${escaped(title)}</h1>${body}`;

/**
 * Shows the emails in the folder, the newest first, at this port if it is free. `beforeLook` makes the site write emails that
 * are due.
 */
export async function startMailPage(folder: string, port: number, beforeLook: () => Promise<unknown>) {
  const names = () => globSync('*.eml', { cwd: folder }).sort().reverse();
  const list = () => {
    const lines = names().map((name) => {
      const { to, subject } = readMail(readFileSync(join(folder, name), 'utf8'));
      const at = statSync(join(folder, name)).mtime.toLocaleTimeString();
      return `<li><a href="/${name}">${escaped(subject)}<small>to ${escaped(to)}, ${at}</small></a>`;
    });
    const body = lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '<p>No email yet.</p>';
    const words = '<p>What this site would have sent. It looks for more every 15 seconds.</p>';
    return page('Emails', words + body, '<meta http-equiv="refresh" content="15">');
  };
  const one = (name: string) => {
    const { to, subject, text, html } = readMail(readFileSync(join(folder, name), 'utf8'));
    // Links open in a new tab, and scripts in an email never run.
    const inside = escaped(`<base target="_blank">${html}`);
    const shown = html
      ? `<iframe title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${inside}"></iframe><details><summary>As plain text</summary><pre>${escaped(text)}</pre></details>`
      : `<pre>${escaped(text).replace(/https?:\/\/\S+/g, (link) => `<a target="_blank" href="${link}">${link}</a>`)}</pre>`;
    return page(subject, `<p><a href="/">All emails</a></p><p>To ${escaped(to)}</p>${shown}`);
  };
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    // Refuses other host names: a malicious page in the same browser could use one that resolves to this machine.
    const isLocal = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '');
    const name = request.url!.slice(1).replace(/\?.*/, '');
    if (!isLocal) return void response.writeHead(403).end();
    if (name === '') await beforeLook().catch(() => {});
    // Browsers request an icon on their own.
    if (name === 'favicon.ico') return void response.writeHead(204).end();
    const isThere = name === '' || names().includes(name);
    const missing = () => page('This email is gone', '<p><a href="/">All emails</a></p>');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(name === '' ? list() : isThere ? one(name) : missing());
  });
  const listen = (at: number) => once(server.listen(at, '127.0.0.1'), 'listening');
  await listen(port).catch(() => listen(0));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
