import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Meta } from './meta.ts';

export type Post = {
  id: number;
  author: number;
  title: string;
  content: string;
  status: string;
  slug: string;
  date: string;
  modified: string;
  meta: Meta;
};

/** A query for posts. An empty list of authors or slugs matches any. */
export type Query = {
  statuses: string[];
  authors: number[];
  /** Whether to include posts that the authors co-own. */
  coOwned: boolean;
  slugs: string[];
  orderBy: 'author' | 'date' | 'id' | 'modified' | 'slug' | 'title';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
};

const CO_OWNED_BY = `exists (
  select 1 from json_each(json_extract(meta, '$.owners')) as owner
  join users on lower(owner.value) = lower(case when instr(owner.value, '@') then users.email else users.username end)
  where users.id`;

/** The posts and all their SQL. */
export class Posts {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    // `autoincrement`: the id of a deleted registry is never reused.
    database.exec(`
      create table if not exists posts (
        id integer primary key autoincrement,
        author integer not null references users (id),
        title text not null,
        content text not null,
        status text not null,
        slug text not null,
        date text not null,
        modified text not null,
        meta text not null
      ) strict;
      create index if not exists posts_by_author on posts (author, id);
      create unique index if not exists posts_by_slug on posts (slug) where slug <> '';
    `);
  }

  find(id: number): Post | undefined {
    return this.#select('where id = ?', id)[0];
  }

  findPublished(slug: string): Post | undefined {
    return this.#select("where slug = ? and status = 'publish'", slug)[0];
  }

  /** Returns one page of matching posts, and the number of matches on all pages. */
  list(query: Query): { posts: Post[]; total: number } {
    const { statuses, authors, coOwned, slugs, orderBy, order, limit, offset } = query;
    const conditions = Object.entries({ status: statuses, author: authors, slug: slugs })
      .filter(([, values]) => values.length > 0)
      .map(([column, values]) => {
        const listed = `in (${values.map(() => '?').join(', ')})`;
        return column === 'author' && coOwned
          ? `(author ${listed} or ${CO_OWNED_BY} ${listed}))`
          : `${column} ${listed}`;
      });
    const where = `where ${conditions.join(' and ')}`;
    const values = [...statuses, ...authors, ...(coOwned ? authors : []), ...slugs];
    const posts = this.#select(
      `${where} order by ${orderBy} ${order}, id ${order} limit ? offset ?`,
      ...values,
      limit,
      offset,
    );
    const row = this.#database.prepare(`select count(*) as total from posts ${where}`).get(...values);
    return { posts, total: Number(row?.total) };
  }

  /** Stores a post, a new one when it has no id, and returns it as stored: no two posts share a slug. */
  save(post: Omit<Post, 'id'> & { id?: number }): Post {
    const { id = null, author, title, content, status, date, modified } = post;
    const slug = this.#freeSlug(post.slug, id);
    const row = this.#database
      .prepare(
        `insert into posts (id, author, title, content, status, slug, date, modified, meta)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (id) do update set author = excluded.author, title = excluded.title,
           content = excluded.content, status = excluded.status, slug = excluded.slug, date = excluded.date,
           modified = excluded.modified, meta = excluded.meta
         returning id`,
      )
      .get(id, author, title, content, status, slug, date, modified, JSON.stringify(post.meta));
    return { ...post, slug, id: row?.id as number };
  }

  delete(id: number): void {
    this.#database.prepare('delete from posts where id = ?').run(id);
  }

  #select(rest: string, ...values: SQLInputValue[]): Post[] {
    const rows = this.#database.prepare(`select * from posts ${rest}`).all(...values);
    return rows.map((row) => ({ ...(row as unknown as Post), meta: JSON.parse(row.meta as string) }));
  }

  /** Returns the given slug, or the first of `slug-2`, `slug-3`, … that no other post has. */
  #freeSlug(slug: string, id: number | null): string {
    const taken = this.#database.prepare('select 1 from posts where slug = ? and id is not ?');
    let free = slug;
    for (let number = 2; free && taken.get(free, id); number++) free = `${slug}-${number}`;
    return free;
  }
}
