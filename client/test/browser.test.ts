import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import type * as TrousseauClient from 'trousseau-client';
import { json, startRecorder } from './recorder.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

test('a bundle for browsers holds what it uses of the client, and runs with what a browser has', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: "export { createClient } from './src/index.ts';", resolveDir: root },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'trousseau',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  assert.deepEqual(used.map(([name]) => name).sort(), ['<stdin>', 'src/index.ts', 'src/transport.ts']);
  const code = outputFiles[0]!.text;
  assert.deepEqual(output!.imports, []);
  assert.doesNotMatch(code, /node:|typebox|\brequire\(/i);

  await using service = await startRecorder();
  const browser = createContext({
    AbortSignal,
    Headers,
    TextEncoder,
    URL,
    URLSearchParams,
    btoa,
    fetch,
    location: { href: `${service.url}/wishes/` },
  });
  assert.equal(runInContext('typeof process + typeof Buffer', browser), 'undefinedundefined');
  const { createClient } = runInContext(`${code}\ntrousseau`, browser) as typeof TrousseauClient;

  service.reply = json(200, { success: true, data: { id: 3 }, message: '' });
  const client = createClient({ baseUrl: service.url, username: 'Zoë', password: 'x', apiKey: 'k' });
  assert.equal((await client.items.get(3))?.id, 3);
  const [request] = service.take();
  assert.equal(request?.headers.authorization, `Basic ${Buffer.from('Zoë:x').toString('base64')}`);
  assert.equal(request?.headers['x-api-key'], 'k');
  await assert.rejects(createClient().health(), { name: 'ApiError', code: 'api_not_configured' });
});
