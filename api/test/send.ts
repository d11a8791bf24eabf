import { Agent, type Dispatcher, request } from 'undici';

const dispatcher = new Agent();

/** Does what `fetch` does, for a third of its CPU time, which is most of what many tests take: the answer comes whole, a redirect as it is. */
export async function send(url: string, { method = 'GET', headers, body, signal }: RequestInit = {}) {
  const answer = await request(url, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: new Headers(headers),
    body: body as string | Buffer | null,
    signal: signal ?? null,
  });
  const { statusCode: status } = answer;
  const found = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value].flat()) found.append(name, one!);
  const bytes = await answer.body.arrayBuffer();
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers: found });
}
