import { itemOf } from './shape.ts';

/** One kind of request; `{id}` in path or body becomes `1 + stride * n` for an n below `among`. */
export type Ask = {
  /** The number of the user who asks; the first user by default. */
  user?: number;
  /** If given, `{id}` is one of this many registries and `{item}` any item of that registry. */
  registries?: number;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: string;
  among: number;
  stride: number;
};

/** Returns the request for the n-th id. */
export function requestAt({ path, body, stride, registries }: Ask, n: number, place: number) {
  const id = 1 + stride * n;
  const item = registries === undefined ? '' : String(itemOf(id, registries, place));
  return {
    path: path.replace('{id}', String(id)).replace('{item}', item),
    text: body?.replace('{id}', String(id)),
  };
}
