/** WordPress's text filters, as far as registries need them. Where they differ from WordPress, they are stricter. */

type Allowed = { tags: Set<string>; attributes: RegExp };

const words = (text: string) => text.trim().split(/\s+/);
const inline = words('a abbr acronym b blockquote cite code del em i q s strike strong');
const blocks = words(`
  address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main
  nav ol p pre section summary table tbody td tfoot th thead tr ul
`);
const inTitle: Allowed = { tags: new Set(inline), attributes: /^(?:href|title|cite|datetime)$/ };
const inStory: Allowed = {
  tags: new Set([...inline, ...blocks, ...words('br caption img ins kbd mark small span sub sup u var')]),
  attributes:
    /^(?:href|title|cite|datetime|class|id|lang|dir|role|rel|target|src|alt|width|height|(?:col|row)span|(?:data|aria)-[\w-]+)$/,
};
const addresses = new Set(['href', 'src', 'cite']);
const safeSchemes = /^(?:https?|mailto|tel|ftp|sms|webcal)$/;

export const filterTitle = (text: string) => filter(text, inTitle);
export const filterStory = (text: string) => filter(text, inStory);

/** Returns the text on one line, without tags. */
export function plainText(text: string): string {
  const flat = text.replace(/<[^<>]*>/g, '').replaceAll('<', '&lt;');
  return flat
    .replace(/%[\da-f]{2}/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function filter(text: string, allowed: Allowed): string {
  return (
    normalizeEntities(removeControls(text))
      // A `<` without its `>` is text.
      .replace(/<[^>]*?(?:(?=<)|>|$)/g, (found) => (found.endsWith('>') ? found : escapeHtml(found)))
      .replace(/<!--.*?(?:-->|$)|<[^>]*(?:>|$)|>/gs, (found) => filterTag(found, allowed))
  );
}

function filterTag(found: string, allowed: Allowed): string {
  if (found === '>') return '&gt;';
  if (found.startsWith('<!--')) {
    const comment = filter(found.replace(/^<!--|-->$/g, ''), allowed).replace(/--+/g, '-');
    return `<!--${comment.replace(/-$/, '')}-->`;
  }
  const [, slash, name = '', rest = ''] = /^<\s*(\/?)\s*([a-z0-9-]+)([^>]*)>?$/i.exec(found) ?? [];
  if (!allowed.tags.has(name.toLowerCase())) return '';
  if (slash) return `</${name}>`;
  let attributes = '';
  for (const [, key = '', double, single, bare] of rest.matchAll(
    /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
  )) {
    const attribute = key.toLowerCase();
    if (!allowed.attributes.test(attribute)) continue;
    const value = (double ?? single ?? bare ?? '').replaceAll('"', '&quot;');
    attributes += ` ${key}="${addresses.has(attribute) ? safeAddress(value) : value}"`;
  }
  return `<${name}${attributes}${/\/\s*$/.test(rest) ? ' /' : ''}>`;
}

function safeAddress(value: string): string {
  const plain = removeControls(decodeEntities(value)).replace(/\s/g, '');
  const scheme = /^([^/?#:]*):/.exec(plain)?.[1];
  if (scheme === undefined || safeSchemes.test(scheme.toLowerCase())) return value;
  return safeAddress(escapeHtml(plain.slice(scheme.length + 1)));
}

function removeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

/** Escapes each `&` that doesn't begin an entity, and pads numeric entities to three digits. */
function normalizeEntities(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replace(/&amp;([a-z]{2,8}\d{0,2});/gi, '&$1;')
    .replace(/&amp;#0*(\d{1,7});/g, (_, digits: string) => `&#${digits.padStart(3, '0')};`)
    .replace(/&amp;#x0*([\da-f]{1,6});/gi, '&#x$1;');
}

function decodeEntities(text: string): string {
  return text
    .replace(/&#x([\da-f]{1,5});/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#0*(\d{1,6});/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&colon;/g, ':')
    .replace(/&amp;/g, '&');
}

export function escapeHtml(text: string): string {
  const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
  return text.replace(/[<>"']/g, (character) => escapes[character] ?? character);
}

export const renderTitle = (text: string) => encodeAmpersands(text.trim());

/** Escapes each bare `&`. */
function encodeAmpersands(text: string): string {
  return text.replace(/&(?!(?:[a-z]+\d*|#\d+|#x[\da-f]+);)/gi, '&#038;');
}

const startsBlock = new RegExp(`^</?(?:${blocks.join('|')})\\b`, 'i');
const opensBlock = new RegExp(`<(?:${blocks.join('|')})\\b[^>]*>`, 'gi');
const closesBlock = new RegExp(`</(?:${blocks.join('|')})>`, 'gi');

/** Renders a story for a page: blank lines and blocks separate paragraphs, other line breaks become `<br />`. */
export function renderStory(text: string): string {
  return encodeAmpersands(text)
    .replace(/\r\n?/g, '\n')
    .replace(opensBlock, '\n\n$&')
    .replace(closesBlock, '$&\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (startsBlock.test(part) ? `${part}\n` : `<p>${part.replaceAll('\n', '<br />\n')}</p>\n`))
    .join('');
}

function decodeOctets(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

// biome-ignore format: a table
const letters: Record<string, string> = {
  ß: 's', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', '×': 'x',
};

/** Turns a title into a path segment of at most 200 bytes: plain letters and dashes, other scripts percent-encoded. */
export function slugify(title: string): string {
  const plain = decodeOctets(title)
    .replace(/<[^>]*>/g, '')
    .replace(/&[^\s&;]{1,40};/g, '')
    .toLowerCase()
    .replace(/./gu, (letter) => letters[letter] ?? letter)
    .normalize('NFD')
    .replace(/([a-z])\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .replace(/[\s./–—]/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}\p{S}_-]|[$+<=>^`|~°]/gu, '')
    .replace(/-+/g, '-');
  let slug = '';
  for (const character of plain.toWellFormed()) {
    const encoded = encodeURIComponent(character).toLowerCase();
    if (slug.length + encoded.length > 200) break;
    slug += encoded;
  }
  return slug.replace(/^-+|-+$/g, '');
}
