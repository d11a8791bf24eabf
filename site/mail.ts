// Shows mails that were written to a folder instead of being sent.
import { readdirSync, readFileSync, statSync } from 'node:fs';
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

/** Shows the mails in the folder, the newest first. `beforeLook` has the site write mails that are due. */
export async function startMailPage(folder: string, beforeLook: () => Promise<unknown>) {
  const names = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
  const list = () => {
    const lines = names().map((name) => {
      const { to, subject } = readMail(readFileSync(join(folder, name), 'utf8'));
      const at = statSync(join(folder, name)).mtime.toLocaleTimeString();
      return `<li><a href="/${name}">${escaped(subject)}<small>to ${escaped(to)}, ${at}</small></a>`;
    });
    const body = lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '<p>No mail yet.</p>';
    const words = '<p>What this site would have sent. It looks for more every 15 seconds.</p>';
    return page('Mails', words + body, '<meta http-equiv="refresh" content="15">');
  };
  const one = (name: string) => {
    const { to, subject, text, html } = readMail(readFileSync(join(folder, name), 'utf8'));
    // Links open beside this page; scripts of a mail run nowhere.
    const inside = escaped(`<base target="_blank">${html}`);
    const shown = html
      ? `<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${inside}"></iframe><details><summary>As plain text</summary><pre>${escaped(text)}</pre></details>`
      : `<pre>${escaped(text).replace(/https?:\/\/\S+/g, (link) => `<a target="_blank" href="${link}">${link}</a>`)}</pre>`;
    return page(subject, `<p><a href="/">All mails</a></p><p>To ${escaped(to)}</p>${shown}`);
  };
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    // Refuses other host names: a stranger's page in the same browser could use one that leads here.
    const isLocal = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '');
    const name = request.url!.slice(1);
    if (!isLocal) return void response.writeHead(403).end();
    if (name === '') await beforeLook().catch(() => {});
    if (name !== '' && !names().includes(name))
      return void response.writeHead(404).end('There is no such mail.');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(name === '' ? list() : one(name));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
