// Floods one site with requests, in a process of its own, so as not to slow down the one that measures another site.
import { setPriority } from 'node:os';
import { Pool } from 'undici';

export type Flood = { url: string; request: FloodRequest; connections: number };
export type FloodRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};
/** `begun` once the first answer has come; at the end, the answers per second since then. */
export type FloodNews = 'begun' | { perSecond: number };

const tell = (news: FloodNews) => process.send!(news);

// If both processes share a core, the one that measures has priority.
setPriority(10);
process.on('disconnect', () => process.exit());
process.once('message', ({ url, request, connections }: Flood) => {
  const pool = new Pool(url, { connections });
  let since = 0;
  let answered = 0;
  const one = async () => {
    for (;;) {
      const { body } = await pool.request(request);
      await body.dump();
      answered++;
      if (since > 0) continue;
      since = performance.now();
      tell('begun');
    }
  };
  for (let n = 0; n < connections; n++) void one();
  process.once('message', () => tell({ perSecond: answered / ((performance.now() - since) / 1_000) }));
});
