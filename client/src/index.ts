import type {
  Affiliate,
  AffiliateUpdate,
  Claim,
  ClaimCreate,
  ClaimErasure,
  ClaimQuery,
  ClaimUpdate,
  ClaimWithItem,
  ErasedClaims,
  EventQuery,
  Events,
  Health,
  InviteesResponse,
  Item,
  ItemCreate,
  ItemPublic,
  ItemPublicResponse,
  ItemQuery,
  ItemRegistryCreate,
  ItemUpdate,
  Lookup,
  QuestionKey,
  Registry,
  RegistryClaims,
  RegistryCreate,
  RegistryEvent,
  RegistryQuery,
  RegistryRights,
  RegistryUpdate,
  Status,
  UserRoles,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
  Welcome,
} from 'trousseau-api/contract';
import { ApiError, type Call, type CallOptions, type ClientOptions, createTransport } from './transport.ts';

export type * from 'trousseau-api/contract';
export { ApiError, type ApiErrorCode, type CallOptions, type ClientOptions } from './transport.ts';
export { type Message, verify, type WebhookEvent } from './verify.ts';

/** An item as the caller may see it: only admins get the affiliate fields. */
export type AnyItem = ItemPublic & Partial<Item>;
export type AnyItemResponse = ItemPublicResponse & { data: AnyItem };

/** Selects a page of claims, or claims by their ids. */
export type ClaimChoice = Omit<ClaimQuery, 'ids' | 'with'> & { ids?: string[] };

/** For creates: the same key makes a repeated request safe. */
export type CreateOptions = CallOptions & Pick<Call, 'idempotencyKey'>;

/** `language` is what the shop is asked for, such as `de-DE`. */
export type LookupOptions = CallOptions & Pick<Call, 'language'>;

/** For writes to an item or a claim: `ifMatch` is the ETag that it must still have; otherwise an `ApiError` with status 412. */
export type WriteOptions = CallOptions & Pick<Call, 'ifMatch'>;

/** For lists of items: a list that still has the ETag `ifNoneMatch` is not sent again. */
export type ListOptions = CallOptions & Pick<Call, 'ifNoneMatch'>;

/** `after` is a cursor from an earlier read; without it, the events begin with the oldest one stored. */
export type EventOptions = Partial<EventQuery> & CallOptions;

/** Events in order, fetched page by page, up to the newest one. */
export type EventFeed = AsyncIterable<RegistryEvent> & {
  /** The cursor after the last page that was read completely: store it to continue from there. */
  readonly cursor: string | undefined;
};

export type Client = ReturnType<typeof createClient>;

// A receiver of webhooks has 15 seconds.
const RECEIVER_TIMEOUT_MS = 20_000;

// As many connections as a browser opens to one origin.
const BULK_CONCURRENCY = 6;

/**
 * Makes a client of the item service: one method per endpoint, named after its path.
 * Every method returns the decoded body, `true` for 204 and `null` for 404, and otherwise rejects with an `ApiError`.
 */
export function createClient(options: ClientOptions = {}) {
  const send = createTransport(options);

  async function call<T>(...request: Parameters<typeof send>): Promise<T | null> {
    return (await send<T>(...request))?.body ?? null;
  }

  async function getWithEtag(id: number, options: CallOptions = {}) {
    const answer = await send<AnyItem & { data?: AnyItem }>('GET', ['items', id], options);
    return answer && { item: answer.body.data ?? answer.body, etag: answer.headers.get('etag') };
  }

  async function get(id: number, options: CallOptions = {}) {
    return (await getWithEtag(id, options))?.item ?? null;
  }

  async function listWithEtag(path: Parameters<typeof send>[1], options: Call) {
    const answer = await send<AnyItem[] | undefined>('GET', path, options);
    return answer && { items: answer.body, etag: answer.headers.get('etag') };
  }

  async function getClaimWithEtag(id: string, options: CallOptions = {}) {
    const answer = await send<Claim>('GET', ['claims', id], options);
    return answer && { claim: answer.body, etag: answer.headers.get('etag') };
  }

  async function getMany(ids: readonly number[], options: CallOptions = {}): Promise<AnyItem[]> {
    const items: (AnyItem | null)[] = [];
    const queue = ids.entries();
    const worker = async () => {
      for (const [index, id] of queue) {
        items[index] = await get(id, options).catch((error) => {
          if (error instanceof ApiError && error.code !== 'api_not_configured') return null;
          throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: BULK_CONCURRENCY }, worker));
    return items.filter((item) => item !== null);
  }

  function feed(path: Parameters<typeof send>[1], { after, limit, signal }: EventOptions = {}): EventFeed {
    const own = {
      cursor: after,
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const page = await call<Events>('GET', path, { query: { after: own.cursor, limit }, signal });
          // Otherwise, a caller that follows a deleted registry would wait forever.
          if (!page) throw new ApiError('api_error', 'There is no such feed', { status: 404 });
          yield* page.events;
          own.cursor = page.next;
          if (page.events.length === 0) return;
        }
      },
    };
    return own;
  }

  /** Makes the methods for the webhooks of a registry, or of the site. */
  const webhooksAt = (path: readonly (string | number)[]) => ({
    list: (options: CallOptions = {}) => call<Webhook[]>('GET', [...path], options),

    /** Creates a webhook. Only this answer contains its secret. */
    create: (webhook: WebhookCreate, options: CreateOptions = {}) =>
      call<WebhookWithSecret>('POST', [...path], { ...options, body: webhook }),

    delete: (id: string, options: CallOptions = {}) => call<true>('DELETE', [...path, id], options),

    /** Sends a ping to the webhook now. */
    test: (id: string, options: CallOptions = {}) =>
      call<WebhookTest>('POST', [...path, id, 'test'], { ...options, timeoutMs: RECEIVER_TIMEOUT_MS }),

    /** Returns the last 50 deliveries, newest first. */
    deliveries: (id: string, options: CallOptions = {}) =>
      call<WebhookDelivery[]>('GET', [...path, id, 'deliveries'], options),
  });

  async function listWithTotals({ signal, ...query }: Partial<RegistryQuery> & CallOptions = {}) {
    const answer = await send<Registry[]>('GET', ['registries'], { query, signal });
    if (!answer) return null;
    const count = (header: string) => {
      const value = answer.headers.get(header);
      return value === null ? null : Number(value);
    };
    return { registries: answer.body, total: count('x-host-total'), totalPages: count('x-host-totalpages') };
  }

  return {
    /** `GET /` */
    welcome: (options: CallOptions = {}) => call<Welcome>('GET', [], { ...options, open: true }),

    /** `GET /health` */
    health: (options: CallOptions = {}) => call<Health>('GET', ['health'], { ...options, open: true }),

    /** `GET /status`: the service's version, clock and settings, for its operators. */
    status: (options: CallOptions = {}) => call<Status>('GET', ['status'], options),

    /** `POST /lookups`: reads the product on the page at an address. Nothing is stored. */
    lookup: (url: string, options: LookupOptions = {}) =>
      call<Lookup>('POST', ['lookups'], { ...options, body: { url } }),

    items: {
      /** Returns a page of all active items, newest first. */
      list: ({ signal, ...query }: Partial<ItemQuery> & CallOptions = {}) =>
        call<AnyItem[]>('GET', ['items'], { query, signal }),

      /** Like `list`, with the page's ETag; `items` is undefined if the page still has the ETag `ifNoneMatch`. */
      listWithEtag: ({ signal, ifNoneMatch, ...query }: Partial<ItemQuery> & ListOptions = {}) =>
        listWithEtag(['items'], { query, signal, ifNoneMatch }),

      /** Returns one item, without its envelope. */
      get,

      /** Returns one item with its ETag, for `ifMatch` of `update` and `delete`. */
      getWithEtag,

      /** Returns the items with these ids, in this order; those that are missing or fail are left out. */
      getMany,

      /** Creates an item, and returns it in its envelope, as `update` and `delete` do. */
      create: (item: ItemCreate, options: CreateOptions = {}) =>
        call<AnyItemResponse>('POST', ['items'], { ...options, body: item }),

      /** Only the keys of `changes` change. */
      update: (id: number, changes: ItemUpdate, options: WriteOptions = {}) =>
        call<AnyItemResponse>('PUT', ['items', id], { ...options, body: changes }),

      /** Moves the item and its claims to another registry that the caller owns. */
      move: (id: number, registryId: number, options: WriteOptions & CreateOptions = {}) =>
        call<AnyItemResponse>('POST', ['items', id, 'move'], {
          ...options,
          body: { registry_id: registryId },
        }),

      /** Deactivates the item, and returns it in its new state. */
      delete: (id: number, options: WriteOptions = {}) =>
        call<AnyItemResponse>('DELETE', ['items', id], options),
    },

    /** Returns the events of all registries (admins only). */
    events: (options?: EventOptions) => feed(['events'], options),

    /** Webhooks for everything on the site (admins only). */
    webhooks: webhooksAt(['webhooks']),

    /** Returns the key by which the host's plugin recognizes the service's requests (admins only). */
    questionKey: (options: CallOptions = {}) => call<QuestionKey>('GET', ['question-key'], options),

    users: {
      /** Tells the service which roles a user now has on the host, or that the user is gone (admins only). */
      setRoles: (
        id: number,
        roles: string[],
        { gone, username, email, ...options }: CallOptions & Omit<UserRoles, 'roles'> = {},
      ) => {
        const names = { ...(username !== undefined && { username }), ...(email !== undefined && { email }) };
        const body: UserRoles = { roles, ...names, ...(gone !== undefined && { gone }) };
        return call<true>('PUT', ['users', id, 'roles'], { ...options, body });
      },
    },

    registries: {
      /** Returns a page of the caller's own registries, newest first. */
      list: ({ signal, ...query }: Partial<RegistryQuery> & CallOptions = {}) =>
        call<Registry[]>('GET', ['registries'], { query, signal }),

      /** Like `list`, with the host's totals, from the headers `X-Host-Total` and `X-Host-TotalPages`. */
      listWithTotals,

      /** Returns one registry. */
      get: (id: number, options: CallOptions = {}) => call<Registry>('GET', ['registries', id], options),

      /** Creates a registry owned by the caller. */
      create: (registry: RegistryCreate, options: CreateOptions = {}) =>
        call<Registry>('POST', ['registries'], { ...options, body: registry }),

      /** Only the keys of `changes` change. */
      update: (id: number, changes: RegistryUpdate, options: CallOptions = {}) =>
        call<Registry>('PATCH', ['registries', id], { ...options, body: changes }),

      /** Deletes the registry permanently. */
      delete: (id: number, options: CallOptions = {}) => call<true>('DELETE', ['registries', id], options),

      /** Tells the service who now owns the registry on the host (admins only). */
      setRights: (id: number, rights: RegistryRights, options: CallOptions = {}) =>
        call<true>('PUT', ['registries', id, 'rights'], { ...options, body: rights }),

      items: {
        /** Returns the registry's active items in its owner's order. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<AnyItem[]>('GET', ['registries', registryId, 'items'], options),

        /** Like `list`, with the list's ETag; `items` is undefined if the list still has the ETag `ifNoneMatch`. */
        listWithEtag: (registryId: number, options: ListOptions = {}) =>
          listWithEtag(['registries', registryId, 'items'], options),

        /** Adds an item, and returns it in its envelope. */
        create: (registryId: number, item: ItemRegistryCreate, options: CreateOptions = {}) =>
          call<AnyItemResponse>('POST', ['registries', registryId, 'items'], { ...options, body: item }),

        /** Deactivates an item of the registry. */
        delete: (registryId: number, itemId: number, options: WriteOptions = {}) =>
          call<true>('DELETE', ['registries', registryId, 'items', itemId], options),

        affiliate: {
          /** Returns the item's affiliate link and its status. */
          get: (registryId: number, itemId: number, options: CallOptions = {}) =>
            call<Affiliate>('GET', ['registries', registryId, 'items', itemId, 'affiliate'], options),

          /** Replaces the link and its status, which is `active` by default. */
          set: (registryId: number, itemId: number, link: AffiliateUpdate, options: WriteOptions = {}) =>
            call<Affiliate>('PUT', ['registries', registryId, 'items', itemId, 'affiliate'], {
              ...options,
              body: link,
            }),

          /** Sets both affiliate fields to null. */
          clear: (registryId: number, itemId: number, options: WriteOptions = {}) =>
            call<true>('DELETE', ['registries', registryId, 'items', itemId, 'affiliate'], options),
        },

        claims: {
          /** Claims pieces of an item: by default, reserves one. Rejects with status 409 if fewer are left. */
          create: (
            registryId: number,
            itemId: number,
            claim: ClaimCreate = {},
            options: CreateOptions = {},
          ) =>
            call<Claim>('POST', ['registries', registryId, 'items', itemId, 'claims'], {
              ...options,
              body: claim,
            }),
        },
      },

      /** Returns the events of a registry: `for await (const event of api.registries.events(7, { after }))`. */
      events: (registryId: number, options?: EventOptions) =>
        feed(['registries', registryId, 'events'], options),

      /** Webhooks of a registry: `api.registries.webhooks(7).create({ url })`. */
      webhooks: (registryId: number) => webhooksAt(['registries', registryId, 'webhooks']),

      claims: {
        /** Returns all claims to owners and admins, and their own to invitees; an owner to be surprised gets no claims but the date. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<RegistryClaims>('GET', ['registries', registryId, 'claims'], options),
      },

      invitees: {
        /** Returns user names and email addresses, as they were given. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<InviteesResponse>('GET', ['registries', registryId, 'invitees'], options),

        /** Adds user names or email addresses. Duplicates are listed once. */
        add: (registryId: number, invitees: readonly string[], options: CreateOptions = {}) =>
          call<InviteesResponse>('POST', ['registries', registryId, 'invitees'], {
            ...options,
            body: { invitees },
          }),

        /** Removes an invitee, and returns the list; it is no error if the invitee wasn't listed. */
        remove: (registryId: number, invitee: string, options: CallOptions = {}) =>
          call<InviteesResponse>('DELETE', ['registries', registryId, 'invitees', invitee], options),
      },
    },

    claims: {
      /** Returns a page of the caller's own claims in all registries, or with `email`, `user_id` or both, someone else's (admins only). */
      list: ({ signal, ...query }: Omit<ClaimQuery, 'ids' | 'with'> & CallOptions = {}) =>
        call<Claim[]>('GET', ['claims'], { query, signal }),

      /** Like `list`, or up to a hundred claims by their ids, each with its item (admins only). */
      listWithItems: ({ signal, ids, ...query }: ClaimChoice & CallOptions = {}) =>
        call<ClaimWithItem[]>('GET', ['claims'], {
          query: { ...query, ...(ids && { ids: ids.join(',') }), with: 'item' },
          signal,
        }),

      /** Returns one claim. */
      get: (id: string, options: CallOptions = {}) => call<Claim>('GET', ['claims', id], options),

      /** Returns one claim with its ETag, for `ifMatch` of `update` and `release`. */
      getWithEtag: getClaimWithEtag,

      /** Confirms, buys, changes, releases or thanks. Changes only the fields that `changes` names. */
      update: (id: string, changes: ClaimUpdate, options: WriteOptions = {}) =>
        call<Claim>('PATCH', ['claims', id], { ...options, body: changes }),

      /** Releases the claim; it stays readable. */
      release: (id: string, options: WriteOptions = {}) => call<true>('DELETE', ['claims', id], options),

      /**
       * Erases a giver everywhere, or all givers of a registry, without changing quantities (admins only).
       * A string is the giver's email address.
       */
      erase: (whom: string | ClaimErasure, options: CallOptions = {}) =>
        call<ErasedClaims>('DELETE', ['claims'], {
          ...options,
          query: typeof whom === 'string' ? { email: whom } : whom,
        }),
    },
  };
}
