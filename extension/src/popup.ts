// Shows the state of the tab in which it was opened, and passes each press to the background.
import type { Message } from './background.ts';
import { browser, words } from './browser.ts';
import {
  type Choice,
  follow,
  type Gift,
  keepTyped,
  type Last,
  type Place,
  type State,
  stateOf,
  typedIn,
} from './kept.ts';
import { button, element, link, theirs, translate } from './page.ts';

const main = document.querySelector('main')!;
const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
const id = tab?.id ?? -1;
let typed = await typedIn(id);

type Press = Message extends infer One ? (One extends Message ? Omit<One, 'tab'> : never) : never;
const send = (message: Press) => void browser.runtime.sendMessage({ ...message, tab: id });

const sitesPage = (door = '') =>
  browser.runtime.getURL(`sites.html${door ? `?address=${encodeURIComponent(door)}` : ''}`);
const paragraph = (text: string, className = '') => element('p', { className }, text);
const price = ({ price, currency }: Gift) =>
  currency && /^[\d.]+$/.test(price)
    ? new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency }).format(
        Number(price),
      )
    : price;

const inARow = (texts: string[]) => texts.flatMap((text, at) => [at ? ' · ' : '', theirs(text)]);

function card(gift: Gift): HTMLElement {
  const picture = gift.thumbnail
    ? element('img', { src: gift.thumbnail, alt: '' })
    : element('span', { className: 'no-picture' });
  const facts = [price(gift), gift.variant, gift.retailer].filter(Boolean);
  const text = element('div', {}, element('h2', {}, theirs(gift.name || gift.address)));
  if (facts.length > 0) text.append(element('p', {}, ...inARow(facts)));
  return element('div', { className: 'gift' }, picture, text);
}

const where = ({ list, site, account }: Place) =>
  element('p', { className: 'where' }, ...inARow([list.name, site, account.name]));

function problem(text: string): HTMLElement[] {
  return text ? [element('p', { className: 'problem', role: 'alert' }, text)] : [];
}

/** For a site without lists to choose from, returns the reason and what to do next. */
function wayOn({ door, name, answer, isAllowed }: Choice): HTMLElement | null {
  const row = (text: string, label: string, href: string) =>
    element('p', { className: 'way-on' }, text, ' ', link(label, href));
  if (!isAllowed) return row(words('notAllowed', name), words('allow'), sitesPage(door));
  if (!answer) return row(words('away', name), words('openSite'), door);
  if (!answer.account) return row(words('signedOut', name), words('signIn'), answer.sign_in);
  if (answer.account.lists.length === 0) return row(words('noList', name), words('makeList'), answer.new);
  return null;
}

/** A field with all lists. Null where none is open. */
function lists(choices: Choice[], last: Last[]): HTMLSelectElement | null {
  const open = choices.filter(({ answer }) => answer?.account?.lists.length);
  const select = element('select', { id: 'list', name: 'list' });
  for (const { door, name, answer } of open) {
    const account = answer!.account!;
    const group = element('optgroup', { label: `${name} – ${account.name}` });
    for (const list of account.lists) {
      const value = JSON.stringify([door, list.id]);
      const isLast = last[0]?.door === door && last[0].list === list.id && last[0].account === account.id;
      group.append(element('option', { value, selected: isLast }, list.name));
    }
    select.append(group);
  }
  return open.length > 0 ? select : null;
}

const field = (id: string, label: string, control: HTMLElement) =>
  element('p', { className: `field is-${id}` }, element('label', { htmlFor: id }, label), control);

/** A form to which the chosen list belongs. */
function form(
  select: HTMLSelectElement,
  sent: (door: string, list: number) => void,
  ...parts: HTMLElement[]
) {
  const onsubmit = (event: SubmitEvent) => {
    event.preventDefault();
    sent(...(JSON.parse(select.value) as [string, number]));
  };
  return element('form', { onsubmit }, field('list', words('list'), select), ...parts);
}

function question({ gift, choices, last, problem: why }: State & { is: 'asking' }): HTMLElement[] {
  const ways = choices.map(wayOn).filter((way) => way !== null);
  const select = lists(choices, last);
  if (!select)
    return [
      card(gift),
      ...problem(why),
      ...ways,
      button(words('tryAgain'), () => send({ do: 'press' }), 'main'),
    ];
  const isTyped =
    typed?.address === gift.address && typed.called === gift.name && typed.variant === gift.variant;
  const before = isTyped && typed ? typed : gift;
  const name = element('input', {
    id: 'name',
    name: 'name',
    value: before.name,
    required: true,
    maxLength: 200,
  });
  const asked = element('input', { id: 'price', name: 'price', value: before.price, inputMode: 'decimal' });
  name.dir = asked.dir = 'auto';
  const asking = form(
    select,
    (door, list) => send({ do: 'add', door, list, name: name.value, price: asked.value.trim() }),
    field('name', words('giftName'), name),
    field('price', gift.currency ? words('priceIn', gift.currency) : words('price'), asked),
    element('button', { type: 'submit', className: 'main' }, words('add')),
  );
  asking.oninput = () => {
    const { address, name: called, variant } = gift;
    typed = { address, called, variant, name: name.value, price: asked.value };
    void keepTyped(id, typed);
  };
  const isDoubtful = !why && !(gift.name && gift.price);
  return [
    card(gift),
    ...problem(why),
    ...(isDoubtful ? [paragraph(words('doubtful'), 'hint')] : []),
    asking,
    ...ways,
  ];
}

/** The gifts of a wish list, each with a box. */
function choosing({ gifts, choices, last, problem: why }: State & { is: 'choosing' }): HTMLElement[] {
  const ways = choices.map(wayOn).filter((way) => way !== null);
  const select = lists(choices, last);
  if (!select)
    return [...problem(why), ...ways, button(words('tryAgain'), () => send({ do: 'press' }), 'main')];
  const boxes = gifts.map(() => element('input', { type: 'checkbox', checked: true }));
  const rows = gifts.map((gift, at) =>
    element(
      'label',
      { className: 'choice' },
      boxes[at]!,
      element('span', {}, theirs(gift.name), ' ', element('small', {}, theirs(price(gift)))),
    ),
  );
  const chosen = () => boxes.flatMap(({ checked }, at) => (checked ? [at] : []));
  return [
    ...problem(why),
    form(
      select,
      (door, list) => send({ do: 'add-all', door, list, chosen: chosen() }),
      element('fieldset', {}, element('legend', {}, words('chooseGifts')), ...rows),
      element('button', { type: 'submit', className: 'main' }, words('addChosen')),
    ),
    ...ways,
  ];
}

function parts(state: State): HTMLElement[] {
  switch (state.is) {
    case 'reading':
      return [paragraph(words('reading'))];
    case 'unreadable':
      return [paragraph(words('unreadable'))];
    case 'without-gift': {
      if (state.isKnown) return [paragraph(words('ownPage'))];
      const text = words(state.door ? 'addThisSite' : 'whichSite');
      return [paragraph(text), link(words('addSite'), sitesPage(state.door), 'main')];
    }
    case 'asking':
      return question(state);
    case 'choosing':
      return choosing(state);
    case 'adding-all':
      return [
        paragraph(words('addedAll', String(state.added.length))),
        paragraph(words('adding')),
        where(state.place),
      ];
    case 'added-all':
      return [
        element('p', { className: 'done' }, words('addedAll', String(state.added.length))),
        where(state.place),
        element(
          'p',
          { className: 'ways' },
          link(words('open'), state.place.list.address),
          button(words('anotherList'), () => send({ do: 'ask' })),
        ),
      ];
    case 'adding':
      return [card(state.gift), paragraph(words('adding')), where(state.place)];
    case 'added': {
      const { gift, place, stored, isAgain } = state;
      return [
        card(gift),
        element('p', { className: 'done' }, words(isAgain ? 'alreadyThere' : 'added')),
        where(place),
        ...(stored.note ? [element('p', { className: 'hint' }, theirs(stored.note))] : []),
        ...problem(state.problem),
        element(
          'p',
          { className: 'ways' },
          link(words('open'), stored.address),
          button(words('takeOff'), () => send({ do: 'take-off' })),
          button(words('anotherList'), () => send({ do: 'ask' })),
        ),
      ];
    }
    case 'taken-off':
      return [
        card(state.gift),
        element('p', { className: 'done' }, words('takenOff')),
        where(state.place),
        button(words('addAgain'), () => send({ do: 'ask' })),
      ];
  }
}

function show(state: State): void {
  main.replaceChildren(...parts(state));
  main.dataset.state = state.is;
  // Focuses the button that most people want; the live region announces the rest to screen readers.
  const wanted = main.querySelector<HTMLElement>('.main, .ways a') ?? main.querySelector('button');
  wanted?.focus({ preventScroll: true });
}

translate(words('name'));
document.querySelector<HTMLAnchorElement>('footer a')!.href = sitesPage();
follow(id, show);
// Any other state is from before this press.
const present = await stateOf(id);
show(present?.is === 'adding' || present?.is === 'adding-all' ? present : { is: 'reading', before: null });
send({ do: 'press' });
