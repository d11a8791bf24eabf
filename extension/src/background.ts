// The popup's background work for each tab: reads the page, asks the person's sites for their lists, adds the gift. It continues
// when the popup closes, so that the person can open the next tab at once.
import { browser, rightTo, words } from './browser.ts';
import { Away, addTo, listsOf, Refused, SignedOut, takeOff } from './door.ts';
import {
  type AddedAll,
  type Choice,
  forget,
  type Gift,
  keep,
  kept,
  type Last,
  type Place,
  type Site,
  type State,
  setState,
  stateOf,
  type Tried,
  type Wish,
} from './kept.ts';
import type { Reading } from './reader.ts';

/** The popup's messages. */
export type Message =
  | { do: 'press'; tab: number }
  | { do: 'add'; tab: number; door: string; list: number; name: string; price: string }
  | { do: 'add-all'; tab: number; door: string; list: number; chosen: number[] }
  | { do: 'take-off' | 'ask'; tab: number };

const LONGEST = 500;

/** The work under way, by tab. While it runs, pressing the extension's button again does nothing; presses in the popup are queued. */
const busy = new Map<number, Promise<void>>();

async function inTurn(tab: number, work: () => Promise<void>): Promise<void> {
  const turn = (busy.get(tab) ?? Promise.resolve()).catch(() => undefined).then(work);
  busy.set(tab, turn);
  try {
    await turn;
  } finally {
    if (busy.get(tab) === turn) busy.delete(tab);
  }
}

async function show(tab: number, state: State): Promise<void> {
  await setState(tab, state);
  const text =
    { adding: '…', added: '✓' }[state.is as string] ?? (state.is === 'asking' && state.problem ? '!' : '');
  // The tab may have been closed.
  await browser.action.setBadgeText({ tabId: tab, text }).catch(() => undefined);
  await browser.action
    .setBadgeBackgroundColor({ tabId: tab, color: text === '!' ? '#b3261e' : '#2e6b4f' })
    .catch(() => undefined);
}

/** Reports whether two gifts have the same address, page's name and variant, so that a page isn't added twice. */
const sameThing = (one: Gift, other: Gift) =>
  one.address === other.address &&
  (one.called ?? one.name) === (other.called ?? other.name) &&
  one.variant === other.variant;

const isAmong = (gifts: Gift[], gift: Gift) => gifts.some((other) => sameThing(other, gift));

/** Returns the gifts on this page that an earlier press has added. */
const addedOf = (before: State | null | undefined, gifts: Gift[]): AddedAll | null =>
  before?.is === 'added-all'
    ? { ...before, added: before.added.filter((gift) => isAmong(gifts, gift)) }
    : null;

async function press(tab: number): Promise<void> {
  const last = await stateOf(tab);
  const before = last?.is === 'reading' ? last.before : last;
  if (before?.is === 'adding') {
    // The browser ended the extension before it was done. The same key prevents adding the gift twice.
    await add(tab, before.gift, before.place, before.key);
    return;
  }
  if (before?.is === 'adding-all') return addAll(tab, before);
  await show(tab, { is: 'reading', before });
  const found = await read(tab);
  if (!found) return show(tab, { is: 'unreadable' });
  const { gift, door, gifts } = found;
  if (before?.is === 'added' && sameThing(before.gift, gift))
    return show(tab, { ...before, isAgain: true, problem: '' });
  const { sites, last: lists, atOnce } = await kept();
  if (door || sites.length === 0)
    return show(tab, { is: 'without-gift', door, isKnown: sites.some((site) => site.door === door) });
  if (gifts.length > 0) {
    const asked = before?.is === 'choosing' ? before : null;
    const done = addedOf(asked ? asked.before : before, gifts);
    const left = gifts.filter((gift) => !isAmong(done?.added ?? [], gift));
    if (done && left.length === 0) return show(tab, done);
    // Those that were sent keep their keys.
    const known = left.map((gift) => asked?.gifts.find((other) => sameThing(other, gift)) ?? gift);
    return choose(tab, known, done, asked?.problem ?? '');
  }
  const [newest] = lists;
  const site = sites.find(({ door }) => door === newest?.door);
  const isSeen = (before?.is === 'asking' || before?.is === 'taken-off') && sameThing(before.gift, gift);
  // A page without a price may not be about a gift, so the person checks first.
  if (newest && site && atOnce && gift.name && gift.price && !isSeen) {
    const place = placeIn(await choiceOf(site), newest.list, newest.account);
    if (place) return add(tab, gift, place);
  }
  const asked = isSeen && before?.is === 'asking' ? before : null;
  // What was corrected before a try that failed isn't lost.
  await question(tab, asked?.tried ? asked.gift : gift, '', asked?.tried ?? null);
}

async function question(tab: number, gift: Gift, problem: string, tried: Tried | null): Promise<void> {
  const { sites, last } = await kept();
  const choices = await Promise.all(sites.map(choiceOf));
  await show(tab, { is: 'asking', gift, choices, last, problem, tried });
}

/** Returns a site with its lists, if the browser lets the extension ask and the site answers. */
async function choiceOf({ door, name }: Site): Promise<Choice> {
  const isAllowed = await browser.permissions.contains(rightTo(door));
  const answer = isAllowed ? await listsOf(door).catch(() => null) : null;
  return { door, name: answer?.site || name, answer, isAllowed };
}

function placeIn({ door, name, answer }: Choice, id: number, account?: number): Place | null {
  const list = answer?.account?.lists.find((list) => list.id === id);
  if (!list || !answer?.account || (account !== undefined && answer.account.id !== account)) return null;
  return { door, site: name, account: answer.account, list };
}

/** Asks which gifts of a wish list to add. */
async function choose(tab: number, gifts: Wish[], before: AddedAll | null, problem: string): Promise<void> {
  const { sites, last } = await kept();
  const choices = await Promise.all(sites.map(choiceOf));
  await show(tab, { is: 'choosing', gifts, before, choices, last, problem });
}

/** Adds gifts one after the other. Whatever was refused is offered again, with the reason. */
async function addAll(tab: number, state: State & { is: 'adding-all' }): Promise<void> {
  const { place } = state;
  for (let now = state; ; ) {
    await show(tab, now);
    const [gift, ...gifts] = now.gifts;
    if (!gift) {
      await remember(place);
      const added: AddedAll = { is: 'added-all', place, added: now.added };
      return now.refused.length > 0 ? choose(tab, now.refused, added, now.problem) : show(tab, added);
    }
    try {
      gift.key ||= (await listsOf(place.door)).account?.key ?? '';
      await show(tab, now);
      await addTo(place.door, place.account, place.list.id, { ...fieldsOf(gift), key: gift.key });
      now = { ...now, gifts, added: [...now.added, gift] };
    } catch (error) {
      const isGone = !(error instanceof Refused);
      const refused = [...now.refused, gift, ...(isGone ? gifts : [])];
      now = { ...now, gifts: isGone ? [] : gifts, refused, problem: reason(error, place) };
    }
  }
}

async function addListed({ tab, door, list, chosen }: Message & { do: 'add-all' }): Promise<void> {
  const state = await stateOf(tab);
  if (state?.is !== 'choosing') return;
  const choice = state.choices.find((choice) => choice.door === door);
  const place = choice && placeIn(choice, list);
  const gifts = state.gifts.filter((_, at) => chosen.includes(at));
  if (!place || gifts.length === 0) return;
  const isSame = state.before?.place.door === door && state.before.place.list.id === list;
  const added = isSame ? state.before!.added : [];
  await addAll(tab, { is: 'adding-all', gifts, refused: [], problem: '', place, added });
}

async function read(tab: number): Promise<{ gift: Gift; door: string; gifts: Wish[] } | null> {
  let reading: Reading | undefined;
  try {
    const [frame] = await browser.scripting.executeScript({ target: { tabId: tab }, files: ['reader.js'] });
    reading = frame?.result as Reading | undefined;
  } catch {
    return null;
  }
  if (!reading) return null;
  const { price, seen, door, gifts: listed, ...facts } = reading;
  const thumbnail = seen && listed.length === 0 ? await thumbnailOf(tab, seen).catch(() => '') : '';
  const { retailer } = facts;
  const gifts = listed.map((gift) => ({
    ...gift,
    ...{ price: amount(gift.price, gift.currency), description: '', variant: '', thumbnail: '', retailer },
  }));
  return { gift: { ...facts, price: amount(price, facts.currency), thumbnail }, door, gifts };
}

/** Returns a price with as many decimals as its currency has. */
function amount(price: number | null, currency: string): string {
  if (price === null) return '';
  if (!currency) return String(price);
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return price.toFixed(maximumFractionDigits);
}

const THUMBNAIL = 192;

/** Cuts the picture out of a screenshot of the tab, so that the shop isn't asked for it again. */
async function thumbnailOf(tab: number, seen: NonNullable<Reading['seen']>): Promise<string> {
  const { windowId } = await browser.tabs.get(tab);
  const shot = await browser.tabs.captureVisibleTab(windowId, { format: 'jpeg', quality: 80 });
  const image = Uint8Array.from(atob(shot.slice(shot.indexOf(',') + 1)), (sign) => sign.charCodeAt(0));
  const whole = await createImageBitmap(new Blob([image]));
  const [x, y] = [seen.left * whole.width, seen.top * whole.height];
  const [width, height] = [seen.width * whole.width, seen.height * whole.height];
  const scale = Math.min(1, THUMBNAIL / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(whole, x, y, width, height, 0, 0, canvas.width, canvas.height);
  const bytes = new Uint8Array(
    await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })).arrayBuffer(),
  );
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

function fieldsOf(gift: Gift): Record<string, string> {
  const { address, name, description, image, price, currency, retailer, variant } = gift;
  const text = [...[variant, description].filter(Boolean).join('\n')].slice(0, LONGEST).join('');
  return { address, name, description: text, image, price, currency, retailer, quantity: '1' };
}

async function add(tab: number, gift: Gift, place: Place, key = place.account.key): Promise<void> {
  const { door, account, list } = place;
  const fields = fieldsOf(gift);
  await show(tab, { is: 'adding', gift, place, key });
  try {
    const stored = await addTo(door, account, list.id, { ...fields, key });
    await remember(place);
    await show(tab, { is: 'added', gift, place, stored, isAgain: false, problem: '' });
  } catch (error) {
    await question(tab, gift, reason(error, place), {
      door,
      list: list.id,
      key,
      sent: JSON.stringify(fields),
    });
  }
}

/** The list is the last one from now on. */
function remember({ door, account, list }: Place): Promise<void> {
  const last: Last = { door, account: account.id, list: list.id };
  return keep((kept) => ({ last: [last, ...kept.last.filter((other) => other.door !== door)] }));
}

function reason(error: unknown, { site }: Place): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof SignedOut) return words('signedOut', site);
  if (error instanceof Away) return words('away', site);
  throw error;
}

async function takeBack(tab: number): Promise<void> {
  const state = await stateOf(tab);
  if (state?.is !== 'added') return;
  const { gift, place, stored } = state;
  try {
    await takeOff(place.door, place.account, place.list.id, stored.id);
    await show(tab, { is: 'taken-off', gift, place });
  } catch (error) {
    await show(tab, { ...state, problem: reason(error, place) });
  }
}

/** Adds the gift to the chosen list, with the person's corrections. */
async function addChosen(message: Message & { do: 'add' }): Promise<void> {
  const { tab, door, list, name, price } = message;
  const state = await stateOf(tab);
  if (state?.is !== 'asking') return;
  const choice = state.choices.find((choice) => choice.door === door);
  const place = choice && placeIn(choice, list);
  if (!place) return;
  // A plain number is in the currency that its field names. Any other text names its own, or is in the list's.
  const plain = /^\d+(?:[.,]\d{1,2})?$/.test(price) ? price.replace(',', '.') : '';
  const currency = price === state.gift.price || plain ? state.gift.currency : '';
  const called = state.gift.called ?? state.gift.name;
  const gift = { ...state.gift, name, price: plain || price, currency, called };
  // The answer to the first try may have been lost.
  const isRetry =
    state.tried?.door === door &&
    state.tried.list === list &&
    state.tried.sent === JSON.stringify(fieldsOf(gift));
  await add(tab, gift, place, isRetry ? state.tried!.key : place.account.key);
}

/** Asks which list to use after all: to choose another one, or to add the gift again. */
async function askAgain(tab: number): Promise<void> {
  const found = await read(tab);
  if (!found) return;
  if (found.gifts.length > 0) await choose(tab, found.gifts, null, '');
  else await question(tab, found.gift, '', null);
}

browser.runtime.onMessage.addListener((given) => {
  const message = given as Message;
  const { tab } = message;
  const work = {
    press: () => press(tab),
    add: () => addChosen(message as Message & { do: 'add' }),
    'add-all': () => addListed(message as Message & { do: 'add-all' }),
    ask: () => askAgain(tab),
    'take-off': () => takeBack(tab),
  }[message.do];
  if (work && !(message.do === 'press' && busy.has(tab))) void inTurn(tab, work);
});

browser.tabs.onRemoved.addListener((tab) => forget(tab));
