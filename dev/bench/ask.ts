import { itemOf } from './shape.ts';

/** One kind of request; `{id}` in path or body becomes `1 + stride * n` for an n below `among`. */
export type Ask = {
  /** Who asks, where not the first user. */
  user?: number;
  /** `{id}` is one of as many registries, `{item}` any of its items. */
  registries?: number;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: string;
  among: number;
  stride: number;
};

/** The request for the n-th of those that may be asked for. */
export function requestAt({ path, body, stride, registries }: Ask, n: number, place: number) {
  const id = 1 + stride * n;
  const item = registries === undefined ? '' : String(itemOf(id, registries, place));
  return {
    path: path.replace('{id}', String(id)).replace('{item}', item),
    text: body?.replace('{id}', String(id)),
  };
}
