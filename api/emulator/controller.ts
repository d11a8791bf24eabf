import { changeMeta, showMeta } from './meta.ts';
import type { Post, Posts } from './posts.ts';
import { CONTEXTS, type Context, type Parameters, Refusal, type Reply, refuse } from './protocol.ts';
import { filterStory, filterTitle, renderStory, renderTitle, slugify } from './text.ts';
import { isAdministrator, type User, type Users } from './users.ts';

type Options = { url: string; postType: string; metaPrefix: string; now(): number };
type NewPost = Omit<Post, 'id'>;
type Changes = Partial<Pick<Post, 'title' | 'content' | 'status' | 'slug' | 'author'>>;

const WRITABLE = ['publish', 'future', 'draft', 'pending', 'private'];
const LISTABLE = [...WRITABLE, 'trash', 'any'];
const ORDERS = ['author', 'date', 'id', 'modified', 'slug', 'title'] as const;
const TRASHED = '__trashed';

/** WordPress's posts controller with the rules of the Trousseau plugin. */
export class Controller {
  readonly #posts: Posts;
  readonly #users: Users;
  readonly #options: Options;

  constructor(posts: Posts, users: Users, options: Options) {
    this.#posts = posts;
    this.#users = users;
    this.#options = options;
  }

  /** WordPress writes UTC without a zone and without fractions. */
  #timestamp(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 19);
  }

  list(user: User | undefined, parameters: Parameters): Reply {
    const context = parameters.choice('context', CONTEXTS, 'view');
    const limit = parameters.integer('per_page', { min: 1, max: 100 }) ?? 10;
    const page = parameters.integer('page', { min: 1 }) ?? 1;
    const offset = parameters.integer('offset');
    const orderBy = parameters.choice('orderby', ORDERS, 'date');
    const order = parameters.choice('order', ['asc', 'desc'], 'desc');
    const slugs = (parameters.list('slug') ?? []).map(slugify);
    const asked = parameters.integers('author');
    const coOwned = parameters.flag('co_owned');
    const statuses = parameters.choices('status', LISTABLE, ['publish']);
    const beyondPublic = statuses.some((status) => status !== 'publish');
    if (beyondPublic && !user) parameters.fault('status', 'rest_forbidden_status', 'Status is forbidden.');
    parameters.check();
    if (context === 'edit' && !user)
      throw refuse(
        user,
        'rest_forbidden_context',
        'Sorry, you are not allowed to edit posts in this post type.',
      );

    const authors = user && beyondPublic ? ownOnly(user, asked) : asked;
    const { posts, total } = this.#posts.list({
      statuses: statuses.includes('any') ? WRITABLE : statuses,
      authors,
      // Only administrators may ask which registries someone else co-owns.
      coOwned: coOwned && (isAdministrator(user) || authors.every((author) => author === user?.id)),
      slugs,
      orderBy,
      order,
      limit,
      offset: offset === undefined ? (page - 1) * limit : Math.abs(offset),
    });
    // As in WordPress, an offset past the end loses the count, and a page past the end is refused.
    const counted = offset !== undefined && posts.length === 0 ? 0 : total;
    const pages = Math.ceil(counted / limit);
    if (offset === undefined && page > pages && total > 0)
      throw new Refusal(
        400,
        'rest_post_invalid_page_number',
        'The page number requested is larger than the number of pages available.',
      );
    const allowed = context === 'edit' ? mayEdit : mayRead;
    return {
      status: 200,
      body: posts.filter((post) => allowed(user, post)).map((post) => this.#present(post, context)),
      headers: {
        'x-wp-total': String(counted),
        'x-wp-totalpages': String(pages),
        ...(coOwned && { 'x-trousseau-co-owned': '1' }),
      },
    };
  }

  read(user: User | undefined, id: number, parameters: Parameters): Reply {
    const context = parameters.choice('context', CONTEXTS, 'view');
    parameters.check();
    const post = this.#get(id);
    if (context === 'edit' && !mayEdit(user, post) && !isInvitee(user, post))
      throw refuse(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
    if (!mayRead(user, post) && !isInvitee(user, post))
      throw refuse(user, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
    return { status: 200, body: this.#present(post, context) };
  }

  create(user: User | undefined, parameters: Parameters): Reply {
    const changes = readChanges(parameters);
    if (parameters.get('id')) throw new Refusal(400, 'rest_post_exists', 'Cannot create existing post.');
    this.#mayGiveTo(user, changes.author, 'create');
    if (!user)
      throw refuse(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.');
    const now = this.#timestamp();
    const meta = changeMeta({}, this.#options.metaPrefix, {});
    const blank = { title: '', content: '', status: 'draft', slug: '', date: now, modified: now, meta };
    // The plugin's own default: WordPress's is a draft.
    const wanted = { ...changes, status: changes.status ?? 'private' };
    const post = this.#save(this.#change(user, { ...blank, author: user.id }, wanted, parameters));
    const location = `${this.#options.url}/wp-json/wp/v2/${this.#options.postType}/${post.id}`;
    return { status: 201, body: this.#present(post, 'edit'), headers: { location } };
  }

  update(user: User | undefined, id: number, parameters: Parameters): Reply {
    // A post's current status may be sent again, even one that can't be set.
    const changes = readChanges(parameters, this.#posts.find(id)?.status);
    const post = this.#get(id);
    if (!mayEdit(user, post))
      throw refuse(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    this.#mayGiveTo(user, changes.author, 'update');
    // A co-owner who named themselves would take the registry over.
    if (changes.author && changes.author !== post.author && !isAuthor(user, post))
      throw refuse(
        user,
        'rest_cannot_edit_others',
        'Sorry, you are not allowed to update posts as this user.',
      );
    const changed = this.#change(user, post, changes, parameters);
    if (!isAuthor(user, post) && !takesOnlyThemselvesOff(user!, post, changed))
      throw new Refusal(
        403,
        'trousseau_cannot_change_owners',
        'A co-owner may only take themselves off the owners of a registry.',
      );
    return { status: 200, body: this.#present(this.#save({ ...changed, id }), 'edit') };
  }

  delete(user: User | undefined, id: number, parameters: Parameters): Reply {
    const force = parameters.flag('force');
    parameters.check();
    const post = this.#get(id);
    if (!isAuthor(user, post))
      throw refuse(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
    if (force) {
      this.#posts.delete(id);
      return { status: 200, body: { deleted: true, previous: this.#present(post, 'edit') } };
    }
    if (post.status === 'trash')
      throw new Refusal(410, 'rest_already_trashed', 'The post has already been deleted.');
    const trashed = { ...post, status: 'trash', slug: post.slug + TRASHED, modified: this.#timestamp() };
    return { status: 200, body: this.#present(this.#posts.save(trashed), 'edit') };
  }

  /** The title and story of a published registry under its permalink. */
  page(path: string): { title: string; story: string } | undefined {
    const [, type, slug] = /^\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? [];
    if (type !== this.#options.postType || slug === undefined) return;
    const post = this.#posts.findPublished(slug.toLowerCase());
    return post && { title: renderTitle(post.title), story: renderStory(post.content) };
  }

  #get(id: number): Post {
    const post = this.#posts.find(id);
    if (!post) throw new Refusal(404, 'rest_post_invalid_id', 'Invalid post ID.');
    return post;
  }

  /** Saves a post. A registry whose title has no letters uses its id as the slug. */
  #save(post: NewPost & { id?: number }): Post {
    const saved = this.#posts.save(post);
    return saved.slug || isDraft(saved) ? saved : this.#posts.save({ ...saved, slug: String(saved.id) });
  }

  #mayGiveTo(user: User | undefined, author: number | undefined, action: 'create' | 'update'): void {
    if (!author || author === user?.id) return;
    if (!isAdministrator(user))
      throw refuse(
        user,
        'rest_cannot_edit_others',
        `Sorry, you are not allowed to ${action} posts as this user.`,
      );
    if (!this.#users.exists(author)) throw new Refusal(400, 'rest_invalid_author', 'Invalid author ID.');
  }

  /** Returns a post with a request's changes: its text filtered by what the user may write, its meta checked, its slug chosen. */
  #change<Kind extends NewPost>(
    user: User | undefined,
    post: Kind,
    changes: Changes,
    parameters: Parameters,
  ): Kind {
    const meta = changeMeta(post.meta, this.#options.metaPrefix, Object(parameters.get('meta')));
    const changed = { ...post, ...changes, meta, modified: this.#timestamp() };
    changed.title = changed.title.trim();
    if (!isAdministrator(user)) {
      changed.title = filterTitle(changed.title);
      changed.content = filterStory(changed.content);
    }
    // Dates can't be sent, so a post can't be scheduled.
    if (changed.status === 'future') changed.status = 'publish';
    // The date of a draft floats until it is published.
    if (isDraft(post)) changed.date = changed.modified;
    if (post.status === 'trash' && changed.status !== 'trash' && changes.slug === undefined)
      changed.slug = post.slug.slice(0, -TRASHED.length);
    if (!changed.slug && !isDraft(changed)) changed.slug = slugify(changed.title);
    return changed;
  }

  #present(post: Post, context: Context): object {
    const { id, author, date, modified, slug, status } = post;
    const { url, postType, metaPrefix } = this.#options;
    const isPublic = status === 'publish' || status === 'private';
    const link = isPublic ? `${url}/${postType}/${slug}/` : `${url}/?post_type=${postType}&p=${id}`;
    const title = { rendered: renderTitle((status === 'private' ? 'Private: ' : '') + post.title) };
    const brief = { id, date, slug, type: postType, link, title, author };
    if (context === 'embed') return brief;
    const content = { rendered: renderStory(post.content), protected: false };
    // PHP writes an empty object as `[]`.
    const view = { ...brief, date_gmt: date, modified, modified_gmt: modified, status, content, meta: [] };
    if (context === 'view') return view;
    return {
      ...view,
      title: { raw: post.title, ...title },
      content: { raw: post.content, ...content },
      meta: showMeta(post.meta, metaPrefix),
    };
  }
}

const isDraft = ({ status }: NewPost) => status === 'draft' || status === 'pending';

const isAuthor = (user: User | undefined, post: Post) =>
  user !== undefined && (post.author === user.id || isAdministrator(user));

const mayEdit = (user: User | undefined, post: Post) =>
  isAuthor(user, post) || isListed(user, post, 'owners');

const mayRead = (user: User | undefined, post: Post) => post.status === 'publish' || mayEdit(user, post);

/** Users invited by name or email address may read all of the registry. */
const isInvitee = (user: User | undefined, post: Post): boolean => isListed(user, post, 'invitees');

function isListed(user: User | undefined, { status, meta }: Post, list: 'invitees' | 'owners'): boolean {
  if (!user || (status !== 'publish' && status !== 'private')) return false;
  return namesIn(meta[list]).some(means(user));
}

const namesIn = (list = '[]'): string[] => JSON.parse(list.toLowerCase());

const means = (user: User) => (entry: string) =>
  entry === (entry.includes('@') ? user.email : user.username).toLowerCase();

function takesOnlyThemselvesOff(user: User, before: Post, { meta }: NewPost): boolean {
  const [had, wanted] = [namesIn(before.meta.owners), namesIn(meta.owners)];
  const others = had.filter((entry) => !means(user)(entry));
  return [had, others].some((allowed) => JSON.stringify(allowed) === JSON.stringify(wanted));
}

/** Limits a list that includes private registries to the caller's own: even a count would reveal other people's. */
function ownOnly(user: User, asked: number[]): number[] {
  if (isAdministrator(user)) return asked;
  return asked.length === 0 || asked.includes(user.id) ? [user.id] : [0];
}

function readChanges(parameters: Parameters, currentStatus?: string): Changes {
  const changes: Changes = {};
  for (const name of ['title', 'content'] as const) {
    const value = parameters.get(name);
    const raw = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value;
    if (typeof raw === 'string') changes[name] = raw;
  }
  if (parameters.has('status'))
    changes.status = parameters.choice('status', currentStatus ? [...WRITABLE, currentStatus] : WRITABLE, '');
  const slug = parameters.text('slug');
  if (slug !== undefined) changes.slug = slugify(slug);
  const author = parameters.integer('author');
  if (author) changes.author = author;
  if (typeof (parameters.get('meta') ?? {}) !== 'object')
    parameters.fault('meta', 'rest_invalid_param', 'Invalid parameter.');
  parameters.check();
  return changes;
}
