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
/** The former names of the queries. */
export type {
  ClaimQuery as ClaimPage,
  ItemQuery as ItemPage,
  RegistryQuery as RegistryPage,
} from 'trousseau-api/contract';
export { ApiError, type ApiErrorCode, type CallOptions, type ClientOptions } from './transport.ts';
export { type Message, verify, type WebhookEvent } from './verify.ts';

/** An item as its reader may see it: only admins get the affiliate fields. */
export type AnyItem = ItemPublic & Partial<Item>;
export type AnyItemResponse = ItemPublicResponse & { data: AnyItem };

/** A page of claims, or those that are named. */
export type ClaimChoice = Omit<ClaimQuery, 'ids' | 'with'> & { ids?: string[] };

/** For creates: the same key makes a repeated request safe. */
export type CreateOptions = CallOptions & Pick<Call, 'idempotencyKey'>;

/** `language` is what the shop is asked for, such as `de-DE`. */
export type LookupOptions = CallOptions & Pick<Call, 'language'>;

/** For writes to an item or a claim: only while it still has this ETag, otherwise an `ApiError` with status 412. */
export type WriteOptions = CallOptions & Pick<Call, 'ifMatch'>;

/** For lists of items: those of this ETag are not sent again. */
export type ListOptions = CallOptions & Pick<Call, 'ifNoneMatch'>;

/** `after` is a cursor from before; without it the events begin with the oldest that is kept. */
export type EventOptions = Partial<EventQuery> & CallOptions;

/** Events in their order, page by page, up to the last one there is. */
export type EventFeed = AsyncIterable<RegistryEvent> & {
  /** The cursor behind the pages that were read whole: keep it, and go on from there. */
  readonly cursor: string | undefined;
};

export type Client = ReturnType<typeof createClient>;

// A receiver of webhooks has 15 seconds.
const RECEIVER_TIMEOUT_MS = 20_000;

// As many connections as a browser opens to one origin.
const BULK_CONCURRENCY = 6;

/**
 * A client of the item service: one method per endpoint, named along its path.
 * Every method gives the decoded body, `true` for 204 and `null` for 404, and otherwise rejects with an `ApiError`.
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
          // A follower of a registry that is gone would wait for ever.
          if (!page) throw new ApiError('api_error', 'There is no such feed', { status: 404 });
          yield* page.events;
          own.cursor = page.next;
          if (page.events.length === 0) return;
        }
      },
    };
    return own;
  }

  /** Webhooks of a registry, or of the whole site. */
  const webhooksAt = (path: readonly (string | number)[]) => ({
    list: (options: CallOptions = {}) => call<Webhook[]>('GET', [...path], options),

    /** Only this answer has the secret. */
    create: (webhook: WebhookCreate, options: CreateOptions = {}) =>
      call<WebhookWithSecret>('POST', [...path], { ...options, body: webhook }),

    delete: (id: string, options: CallOptions = {}) => call<true>('DELETE', [...path, id], options),

    /** Sends a ping now. */
    test: (id: string, options: CallOptions = {}) =>
      call<WebhookTest>('POST', [...path, id, 'test'], { ...options, timeoutMs: RECEIVER_TIMEOUT_MS }),

    /** The last 50 events for it, newest first. */
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
      /** A page of all active items, newest first. */
      list: ({ signal, ...query }: Partial<ItemQuery> & CallOptions = {}) =>
        call<AnyItem[]>('GET', ['items'], { query, signal }),

      /** The same page with its ETag; `items` is undefined where the page still has that of `ifNoneMatch`. */
      listWithEtag: ({ signal, ifNoneMatch, ...query }: Partial<ItemQuery> & ListOptions = {}) =>
        listWithEtag(['items'], { query, signal, ifNoneMatch }),

      /** One item, out of its envelope. */
      get,

      /** One item with the ETag that `ifMatch` of `update` and `delete` takes. */
      getWithEtag,

      /** The items with these ids, in their order; those that are missing or fail are left out. */
      getMany,

      /** Answers the item in its envelope, as `update` and `delete` do. */
      create: (item: ItemCreate, options: CreateOptions = {}) =>
        call<AnyItemResponse>('POST', ['items'], { ...options, body: item }),

      /** Only the keys of `changes` change. */
      update: (id: number, changes: ItemUpdate, options: WriteOptions = {}) =>
        call<AnyItemResponse>('PUT', ['items', id], { ...options, body: changes }),

      /** Moves the item with its claims to another registry, of which the caller is an owner, too. */
      move: (id: number, registryId: number, options: WriteOptions & CreateOptions = {}) =>
        call<AnyItemResponse>('POST', ['items', id, 'move'], {
          ...options,
          body: { registry_id: registryId },
        }),

      /** Deactivates the item, and answers it as it is then. */
      delete: (id: number, options: WriteOptions = {}) =>
        call<AnyItemResponse>('DELETE', ['items', id], options),
    },

    /** The events of all registries (admins only). */
    events: (options?: EventOptions) => feed(['events'], options),

    /** Webhooks for everything on the site (admins only). */
    webhooks: webhooksAt(['webhooks']),

    /** The key by which the host's plugin knows questions of the service (admins only). */
    questionKey: (options: CallOptions = {}) => call<QuestionKey>('GET', ['question-key'], options),

    users: {
      /** Tells which roles a user has on the host now, or that the user is gone (admins only). */
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
      /** A page of the caller's own registries, newest first. */
      list: ({ signal, ...query }: Partial<RegistryQuery> & CallOptions = {}) =>
        call<Registry[]>('GET', ['registries'], { query, signal }),

      /** The same page with the host's totals, from the headers `X-Host-Total` and `X-Host-TotalPages`. */
      listWithTotals,

      /** One registry. */
      get: (id: number, options: CallOptions = {}) => call<Registry>('GET', ['registries', id], options),

      /** Makes a registry, of which the caller is the owner. */
      create: (registry: RegistryCreate, options: CreateOptions = {}) =>
        call<Registry>('POST', ['registries'], { ...options, body: registry }),

      /** Only the keys of `changes` change. */
      update: (id: number, changes: RegistryUpdate, options: CallOptions = {}) =>
        call<Registry>('PATCH', ['registries', id], { ...options, body: changes }),

      /** Removes the registry for good. */
      delete: (id: number, options: CallOptions = {}) => call<true>('DELETE', ['registries', id], options),

      /** Tells who owns the registry on the host now (admins only). */
      setRights: (id: number, rights: RegistryRights, options: CallOptions = {}) =>
        call<true>('PUT', ['registries', id, 'rights'], { ...options, body: rights }),

      items: {
        /** The registry's active items in its owner's order. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<AnyItem[]>('GET', ['registries', registryId, 'items'], options),

        /** The same items with their ETag; `items` is undefined where the list still has that of `ifNoneMatch`. */
        listWithEtag: (registryId: number, options: ListOptions = {}) =>
          listWithEtag(['registries', registryId, 'items'], options),

        /** Adds an item, and answers it in its envelope. */
        create: (registryId: number, item: ItemRegistryCreate, options: CreateOptions = {}) =>
          call<AnyItemResponse>('POST', ['registries', registryId, 'items'], { ...options, body: item }),

        /** Deactivates an item of the registry. */
        delete: (registryId: number, itemId: number, options: WriteOptions = {}) =>
          call<true>('DELETE', ['registries', registryId, 'items', itemId], options),

        affiliate: {
          /** The item's affiliate link and its status. */
          get: (registryId: number, itemId: number, options: CallOptions = {}) =>
            call<Affiliate>('GET', ['registries', registryId, 'items', itemId, 'affiliate'], options),

          /** Replaces both; the status is `active` unless it says otherwise. */
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
          /** Claims pieces of an item: one, reserved, unless it says otherwise. 409 where fewer are left. */
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

      /** The events of a registry: `for await (const event of api.registries.events(7, { after }))`. */
      events: (registryId: number, options?: EventOptions) =>
        feed(['registries', registryId, 'events'], options),

      /** Webhooks of a registry: `api.registries.webhooks(7).create({ url })`. */
      webhooks: (registryId: number) => webhooksAt(['registries', registryId, 'webhooks']),

      claims: {
        /** All for owner and admins, their own for an invitee; none and the day for an owner who is to be surprised. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<RegistryClaims>('GET', ['registries', registryId, 'claims'], options),
      },

      invitees: {
        /** User names and e-mail addresses, as they were given. */
        list: (registryId: number, options: CallOptions = {}) =>
          call<InviteesResponse>('GET', ['registries', registryId, 'invitees'], options),

        /** Adds user names or e-mail addresses; those already listed stay listed once. */
        add: (registryId: number, invitees: readonly string[], options: CreateOptions = {}) =>
          call<InviteesResponse>('POST', ['registries', registryId, 'invitees'], {
            ...options,
            body: { invitees },
          }),

        /** Answers the list without this one, also when it wasn't listed. */
        remove: (registryId: number, invitee: string, options: CallOptions = {}) =>
          call<InviteesResponse>('DELETE', ['registries', registryId, 'invitees', invitee], options),
      },
    },

    claims: {
      /** A page of the caller's own claims over all registries; with `email`, `user_id` or both someone else's (admins only). */
      list: ({ signal, ...query }: Omit<ClaimQuery, 'ids' | 'with'> & CallOptions = {}) =>
        call<Claim[]>('GET', ['claims'], { query, signal }),

      /** The same, or up to a hundred claims by their ids, each with its item (admins only). */
      listWithItems: ({ signal, ids, ...query }: ClaimChoice & CallOptions = {}) =>
        call<ClaimWithItem[]>('GET', ['claims'], {
          query: { ...query, ...(ids && { ids: ids.join(',') }), with: 'item' },
          signal,
        }),

      /** One claim. */
      get: (id: string, options: CallOptions = {}) => call<Claim>('GET', ['claims', id], options),

      /** One claim with the ETag that `ifMatch` of `update` and `release` takes. */
      getWithEtag: getClaimWithEtag,

      /** Confirms, buys, changes or takes back, and thanks; only the keys of `changes` change. */
      update: (id: string, changes: ClaimUpdate, options: WriteOptions = {}) =>
        call<Claim>('PATCH', ['claims', id], { ...options, body: changes }),

      /** Takes the claim back; it stays readable. */
      release: (id: string, options: WriteOptions = {}) => call<true>('DELETE', ['claims', id], options),

      /**
       * Erases a giver everywhere, or all givers of a registry; no quantity changes (admins only).
       * A text is an address.
       */
      erase: (whom: string | ClaimErasure, options: CallOptions = {}) =>
        call<ErasedClaims>('DELETE', ['claims'], {
          ...options,
          query: typeof whom === 'string' ? { email: whom } : whom,
        }),
    },
  };
}
