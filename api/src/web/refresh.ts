import { Parser } from 'htmlparser2';

// A page that stays for longer than this is meant to be read, and only reloads itself now and then.
const MOST_SECONDS = 10;
const HEAD = 64 * 1024;

/** Where a page sends its reader at once by itself. */
export function refreshOf(html: string): string | undefined {
  let found: string | undefined;
  // A refresh within `noscript` is for browsers without scripts; the page itself is wanted.
  let unscripted = 0;
  const parser = new Parser({
    onopentag(name, { 'http-equiv': header, content }) {
      if (name === 'noscript') unscripted++;
      if (name === 'meta' && unscripted === 0 && /^\s*refresh\s*$/i.test(header ?? ''))
        found ??= refreshedTo(content);
    },
    onclosetag(name) {
      if (name === 'noscript') unscripted--;
    },
  });
  parser.end(html.slice(0, HEAD));
  return found;
}

/** The address in the value of a `refresh`, if it is to be followed at once. */
export function refreshedTo(value: string | undefined): string | undefined {
  const parts = /^\s*(\d{1,9})?(?:\.[\d.]*)?\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is.exec(
    value?.slice(0, 4_000) ?? '',
  );
  const [, seconds = '0', named = ''] = parts ?? [];
  const address = /^(["'])(.*?)(?:\1|$)/s.exec(named)?.[2] ?? named;
  return address.trim() && Number(seconds) <= MOST_SECONDS ? address.trim() : undefined;
}

/** Whether an address leads to another page than this one, which only renews itself. */
export function isOtherPage(next: URL, address: URL): boolean {
  const page = ({ href }: URL) => href.replace(/#.*/s, '');
  return page(next) !== page(address);
}
