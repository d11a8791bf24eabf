// A page shown for longer than this is meant to be read, and only reloads itself from time to time.
const MOST_SECONDS = 10;

/** Returns the address in the value of a `refresh`, if it should be followed at once. */
export function refreshedTo(value: string | undefined): string | undefined {
  const parts = /^\s*(\d{1,9})?(?:\.[\d.]*)?\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is.exec(
    value?.slice(0, 4_000) ?? '',
  );
  const [, seconds = '0', named = ''] = parts ?? [];
  const address = /^(["'])(.*?)(?:\1|$)/s.exec(named)?.[2] ?? named;
  return address.trim() && Number(seconds) <= MOST_SECONDS ? address.trim() : undefined;
}

/** Reports whether a refresh leads to another page. A page may also just reload itself. */
export function isOtherPage(next: URL, address: URL): boolean {
  const page = ({ href }: URL) => href.replace(/#.*/s, '');
  return page(next) !== page(address);
}
