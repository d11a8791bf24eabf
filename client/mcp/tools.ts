import { z } from 'zod';
import type { AnyItem, Claim, Client, ItemRegistryCreate, ItemUpdate, Registry } from '../src/index.ts';
import { toAmount, toMinorUnits } from './amounts.ts';
import { ToolError, wordsOf } from './errors.ts';

export type Tool<Input extends z.ZodRawShape = z.ZodRawShape> = {
  title: string;
  /** What a call does, and what it doesn't. */
  description: string;
  /** `reads` changes nothing, `removes` takes something away. */
  effect: 'reads' | 'changes' | 'removes';
  input: Input;
  run(api: Client, args: z.output<z.ZodObject<Input>>, signal?: AbortSignal): Promise<object>;
};

const tool = <Input extends z.ZodRawShape>(one: Tool<Input>): Tool => one as unknown as Tool;

// A lookup takes up to eight seconds, and a caller may make thirty a minute.
const MOST_AT_ONCE = 20;

const listId = z
  .int()
  .positive()
  .describe('The id of a list, from list_my_lists, list_invited_lists or my_gifts');
const giftId = z.int().positive().describe('The gift_id, from read_list');
const claimId = z.string().describe('The id of one reservation, from see_gifts or my_gifts');
const LONGEST_NAME = 100;
const name = z.string().min(1).max(LONGEST_NAME);
const address = z.url({ protocol: /^https?$/ }).describe("The address of a shop's page");
const note = z.string().max(500).describe('A note for guests, such as a size or a colour');
const price = z.number().positive().describe("In the list's currency");
const quantity = z.int().positive().describe('How many are wanted');

const found = <T>(answer: T | null, noun: string): T => {
  if (answer === null) throw new ToolError(`There is no such ${noun}, or your account may not see it.`);
  return answer;
};

async function openList(api: Client, id: number): Promise<{ list: Registry; items: AnyItem[] }> {
  const [list, items] = await Promise.all([api.registries.get(id), api.registries.items.list(id)]);
  return { list: found(list, 'list'), items: found(items, 'list') };
}

const listFacts = ({ id, title, status, permalink, meta }: Registry) => ({
  list_id: id,
  title,
  address: permalink,
  is_public: status === 'publish',
  occasion: meta.registry_event_type,
  date: meta.registry_event_date,
  currency: meta.registry_currency,
});

function giftFacts(item: AnyItem, currency: string | null) {
  const left = Math.max(0, item.quantity_needed - item.quantity_purchased);
  // On the site, the largest number stands for any number.
  const isOpen = item.quantity_needed === 2_147_483_647;
  const facts = {
    gift_id: item.id,
    name: item.name,
    note: item.description,
    retailer: item.retailer,
    url: item.url,
  };
  if (item.unit !== 'money' || currency === null)
    return isOpen
      ? { ...facts, price: item.price, needed: 'as many as people like' }
      : { ...facts, price: item.price, needed: item.quantity_needed, left };
  if (isOpen) return { ...facts, group_gift: { goal: null, missing: null, currency } };
  const [goal, missing] = [toAmount(item.quantity_needed, currency), toAmount(left, currency)];
  return { ...facts, group_gift: { goal, missing, currency } };
}

/** Returns the quantity of a claim, or the amount of a share in a group gift; without the list's currency, its minor units. */
function sizeOf({ quantity, buys }: Claim, currency: string | null | undefined) {
  if (buys === undefined) return { quantity };
  return currency ? { amount: toAmount(quantity, currency), currency } : { minor_units: quantity };
}

const claimFacts = (claim: Claim, gift: string | undefined, currency: string | null | undefined) => ({
  claim_id: claim.id,
  list_id: claim.registry_id,
  gift_id: claim.item_id,
  gift: gift ?? null,
  ...sizeOf(claim, currency),
  ...(claim.pay_to && { pay_to: claim.pay_to }),
  state: claim.state,
  message: claim.message,
  until: claim.expires_at,
  thanked: claim.thanked_at !== null,
});

const namesOf = (items: readonly AnyItem[]) => new Map(items.map(({ id, name }) => [id, name]));

const concealedNote = (until: string) =>
  `This list is a surprise for you${until === 'always' ? '' : ` until ${until}`}: what guests have taken isn't shown, so more may be taken than it seems.`;

const wantedGift = z.object({
  url: address.optional(),
  name: name.optional(),
  price: price.optional(),
  quantity: quantity.optional(),
  note: note.optional(),
  group_gift: z.boolean().optional().describe('Several people pay for it together: the price is the goal'),
});
type Wanted = z.infer<typeof wantedGift>;

/** Shortens a shop's name for a product to the length that a gift's name may have. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= LONGEST_NAME) return name;
  const start = characters.slice(0, LONGEST_NAME - 1).join('');
  return `${start.trimEnd()}…`;
}

/** Fills in missing fields from the shop's page, and says what is still missing. */
async function fieldsOf(api: Client, list: Registry, wanted: Wanted) {
  const { url = list.permalink, note, quantity = 1, group_gift } = wanted;
  const currency = list.meta.registry_currency;
  const open: string[] = [];
  const page = wanted.url === undefined || (wanted.name && wanted.price) ? null : await api.lookup(url);
  if (page?.problem) open.push(page.problem.detail);
  const name = wanted.name ?? shortened(page?.name ?? '');
  if (!name) throw new ToolError(['The shop gives no name: add it with a name.', ...open].join(' '));
  let price = wanted.price ?? page?.price ?? null;
  if (wanted.price === undefined && price !== null && page?.currency !== currency) {
    const shown = [price, page?.currency].filter(Boolean).join(' ');
    open.push(`The shop's price is ${shown}, the list is in ${currency ?? 'no currency'}.`);
    price = null;
  }
  if (price === null) open.push('It has no price.');
  const item: ItemRegistryCreate = { name, url, quantity_needed: quantity };
  if (note ?? page?.description) item.description = note ?? page?.description ?? null;
  if (page?.retailer) item.retailer = page.retailer;
  if (page?.image_url) item.image_url = page.image_url;
  if (group_gift) {
    if (price === null || currency === null)
      throw new ToolError('A group gift needs a price, and its list a currency.');
    return {
      item: { ...item, unit: 'money' as const, quantity_needed: toMinorUnits(price, currency) },
      open,
    };
  }
  return { item: { ...item, price }, open };
}

/** Runs a step for each value, one after another. If one fails, the others still run. */
async function each<T extends object, R extends object>(many: readonly T[], step: (one: T) => Promise<R>) {
  const done: (R | (T & { problem: string }))[] = [];
  for (const one of many) done.push(await step(one).catch((error) => ({ ...one, problem: wordsOf(error) })));
  return done;
}

/** Every tool, by its name. */
export const tools: Record<string, Tool> = {
  list_my_lists: tool({
    title: 'My lists',
    description: 'Lists the gift lists that you own or co-own. Changes nothing.',
    effect: 'reads',
    input: {},
    async run(api) {
      const lists: Registry[] = [];
      for (let skip = 0; ; skip += 100) {
        const page = found(await api.registries.list({ skip, limit: 100 }), 'list');
        lists.push(...page);
        if (page.length < 100) break;
      }
      return {
        lists: lists.map((list) => ({ ...listFacts(list), gifts: list.meta.registry_item_ids.length })),
      };
    },
  }),

  read_list: tool({
    title: 'Read a list',
    description:
      'Reads one list, yours or one that you are invited to: its gifts in order, with price and how many are left. Changes nothing.',
    effect: 'reads',
    input: {
      list_id: listId,
      only_left: z.boolean().default(false).describe('Only gifts that someone can still give'),
      max_price: price
        .optional()
        .describe("Only gifts up to this price; group gifts are kept, since anyone's share is welcome"),
    },
    async run(api, { list_id, only_left, max_price }) {
      const [{ list, items }, claims] = await Promise.all([
        openList(api, list_id),
        api.registries.claims.list(list_id),
      ]);
      const isLeft = (item: AnyItem) => !only_left || item.quantity_purchased < item.quantity_needed;
      const wanted = items.filter(isLeft);
      const isWithin = ({ price, unit }: AnyItem) =>
        max_price === undefined || unit === 'money' || (price !== null && price <= max_price);
      const without = wanted.filter(({ price, unit }) => unit !== 'money' && price === null);
      return {
        ...listFacts(list),
        ...(claims?.concealed_until && { note: concealedNote(claims.concealed_until) }),
        gifts: wanted.filter(isWithin).map((item) => giftFacts(item, list.meta.registry_currency)),
        ...(max_price !== undefined && { left_out_without_price: without.map(({ name }) => name) }),
      };
    },
  }),

  add_gifts: tool({
    title: 'Add gifts',
    description: `Adds up to ${MOST_AT_ONCE} gifts to a list of yours. Give the address of a shop's page: name, price and picture are read from it, and what you give yourself counts instead. Without an address give a name. An address that is on the list already is left alone. Nothing is bought or ordered.`,
    effect: 'changes',
    input: {
      list_id: listId,
      gifts: z.array(wantedGift).min(1).max(MOST_AT_ONCE),
    },
    async run(api, { list_id, gifts }, signal) {
      const { list, items } = await openList(api, list_id);
      const known = new Map(items.map((item) => [item.url, item]));
      known.delete(list.permalink);
      const added = await each(gifts, async (gift) => {
        signal?.throwIfAborted();
        const before = gift.url ? known.get(gift.url) : undefined;
        if (before) return { gift_id: before.id, name: before.name, state: 'was on the list already' };
        const { item, open } = await fieldsOf(api, list, gift);
        // A client that has given up may ask again, so this call must not go on adding.
        signal?.throwIfAborted();
        const { data } = found(await api.registries.items.create(list_id, item), 'list');
        if (gift.url) known.set(gift.url, data);
        return {
          ...giftFacts(data, list.meta.registry_currency),
          state: 'added',
          ...(open.length > 0 && { open }),
        };
      });
      return { list: list.title, gifts: added };
    },
  }),

  change_gift: tool({
    title: 'Change a gift',
    description:
      'Changes what you give of one gift on a list of yours, and leaves the rest. null clears price or note.',
    effect: 'changes',
    input: {
      gift_id: giftId,
      name: name.optional(),
      price: price.nullable().optional(),
      note: note.nullable().optional(),
      url: address.optional(),
      quantity: quantity.optional(),
    },
    async run(api, { gift_id, name, price, note, url, quantity }) {
      const { item, etag } = found(await api.items.getWithEtag(gift_id), 'gift');
      const { registry_currency: currency } = found(await api.registries.get(item.registry_id), 'list').meta;
      const isGroup = item.unit === 'money' && currency !== null;
      if (isGroup && (quantity !== undefined || price === null))
        throw new ToolError('A group gift has a goal: give that as its price.');
      const changes: ItemUpdate = {};
      if (name !== undefined) changes.name = name;
      if (note !== undefined) changes.description = note;
      if (url !== undefined) changes.url = url;
      if (quantity !== undefined) changes.quantity_needed = quantity;
      if (price != null && isGroup) changes.quantity_needed = toMinorUnits(price, currency);
      else if (price !== undefined) changes.price = price;
      const { data } = found(await api.items.update(gift_id, changes, { ifMatch: etag }), 'gift');
      return giftFacts(data, currency);
    },
  }),

  move_gifts: tool({
    title: 'Move gifts',
    description:
      'Moves gifts to another list of yours, with everything guests have reserved or given. They leave the list where they are.',
    effect: 'changes',
    input: { gift_ids: z.array(giftId).min(1).max(MOST_AT_ONCE), to_list_id: listId },
    run: async (api, { gift_ids, to_list_id }) => ({
      gifts: await each(
        gift_ids.map((gift_id) => ({ gift_id })),
        async ({ gift_id }) => {
          const { data } = found(await api.items.move(gift_id, to_list_id), 'gift or list');
          return { gift_id, name: data.name, list_id: data.registry_id, state: 'moved' };
        },
      ),
    }),
  }),

  remove_gift: tool({
    title: 'Remove a gift',
    description:
      'Takes a gift off a list of yours. What guests reserved stays known to them, but no email tells them. Ask before you call it: neither a tool nor the site brings it back. On the site it can be removed so that it can be put back.',
    effect: 'removes',
    input: { gift_id: giftId },
    run: async (api, { gift_id }) => ({
      removed: found(await api.items.delete(gift_id), 'gift').data.name,
    }),
  }),

  invite: tool({
    title: 'Invite guests',
    description:
      'Lets people see a list of yours and give from it, by email address or user name. It sends no email: invitations are sent on the site.',
    effect: 'changes',
    input: { list_id: listId, people: z.array(z.string().min(1).max(254)).min(1).max(100) },
    run: async (api, { list_id, people }) =>
      found(await api.registries.invitees.add(list_id, people), 'list'),
  }),

  see_gifts: tool({
    title: 'Gifts from guests',
    description:
      'Shows who reserved or gave what on a list of yours, with their messages. Shows nothing while the list is a surprise for you.',
    effect: 'reads',
    input: { list_id: listId },
    async run(api, { list_id }) {
      const { claims, concealed_until } = found(await api.registries.claims.list(list_id), 'list');
      const { list, items } = await openList(api, list_id);
      const names = namesOf(items);
      return {
        list: list.title,
        ...(concealed_until && { note: concealedNote(concealed_until) }),
        gifts: claims
          .filter(({ state }) => state === 'reserved' || state === 'purchased')
          .map((claim) => ({
            ...claimFacts(claim, names.get(claim.item_id), list.meta.registry_currency),
            giver: claim.giver.name,
          })),
      };
    },
  }),

  thank: tool({
    title: 'Mark as thanked',
    description:
      'Marks gifts on a list of yours as thanked. It sends nothing: write the thank-you yourself or on the site.',
    effect: 'changes',
    input: { claim_ids: z.array(claimId).min(1).max(100) },
    run: async (api, { claim_ids }) => ({
      gifts: await each(
        claim_ids.map((claim_id) => ({ claim_id })),
        async ({ claim_id }) => {
          const claim = found(await api.claims.update(claim_id, { thanked: true }), 'gift');
          return { claim_id, giver: claim.giver.name, state: 'thanked' };
        },
      ),
    }),
  }),

  my_gifts: tool({
    title: "Gifts I'm giving",
    description: "Lists what you reserved or gave, on anyone's lists. Changes nothing.",
    effect: 'reads',
    input: {},
    async run(api) {
      const claims = found(await api.claims.list({ limit: 1000 }), 'gift');
      const names = namesOf(await api.items.getMany([...new Set(claims.map(({ item_id }) => item_id))]));
      const shares = claims.filter(({ buys }) => buys !== undefined);
      const currencies = new Map<number, string | null>();
      for (const id of new Set(shares.map(({ registry_id }) => registry_id))) {
        // The giver may no longer be allowed to read the list.
        const list = await api.registries.get(id).catch(() => null);
        currencies.set(id, list?.meta.registry_currency ?? null);
      }
      return {
        gifts: claims.map((claim) =>
          claimFacts(claim, names.get(claim.item_id), currencies.get(claim.registry_id)),
        ),
      };
    },
  }),

  reserve: tool({
    title: 'Reserve a gift',
    description:
      'Reserves a gift in your name on a list that you are invited to, so that nobody else gives it. It buys nothing and pays nothing: you still buy it, or send your share, yourself. It does not know whether the list is closed (list_invited_lists says so), or whether someone has bought a group gift for all: look at the list on the site first.',
    effect: 'changes',
    input: {
      list_id: listId,
      gift_id: giftId,
      quantity: z.int().positive().optional().describe('How many you give; one unless you say otherwise'),
      amount: price.optional().describe('Your share of a group gift'),
      message: z.string().max(500).optional().describe('For the owners of the list'),
      days: z.int().min(1).max(90).default(14).describe('How many days it stays reserved for you'),
    },
    async run(api, { list_id, gift_id, quantity, amount, message, days }) {
      const { list, items } = await openList(api, list_id);
      const item = found(items.find(({ id }) => id === gift_id) ?? null, 'gift on this list');
      const currency = list.meta.registry_currency;
      const isGroup = item.unit === 'money' && currency !== null;
      if (isGroup !== (amount !== undefined))
        throw new ToolError(isGroup ? 'A group gift needs an amount.' : 'Only a group gift takes an amount.');
      const claim = await api.registries.items.claims.create(list_id, gift_id, {
        quantity: isGroup ? toMinorUnits(amount!, currency) : (quantity ?? 1),
        message: message ?? null,
        expires_in: days * 24 * 60 * 60,
      });
      return { ...claimFacts(found(claim, 'gift'), item.name, currency), bought: false };
    },
  }),

  cancel: tool({
    title: 'Cancel my gift',
    description:
      'Takes back one reservation or gift of yours, so that others can give it. It refunds nothing.',
    effect: 'removes',
    input: { claim_id: claimId },
    async run(api, { claim_id }) {
      // The service lets an administrator release everyone's.
      const own = found(await api.claims.list({ limit: 1000 }), 'gift');
      found(own.find(({ id }) => id === claim_id) ?? null, 'gift');
      found(await api.claims.release(claim_id), 'gift');
      return { claim_id, state: 'released' };
    },
  }),
};
