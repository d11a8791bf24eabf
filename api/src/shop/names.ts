const letters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether two names are the same but for case, accents and signs. */
export const sameName = (one: string, other: string) =>
  letters(one) === letters(other) && letters(one) !== '';

/** Whether one name is within another. */
export const includesName = (whole: string, part: string) =>
  (letters(part).length > 2 || /[^\p{Script=Latin}\d]/u.test(letters(part))) &&
  letters(part) !== '' &&
  letters(whole).includes(letters(part));

// What stands for a name where a shop has none, and what a page of its own is called.
const NO_NAME =
  /^(?:product|products|produkt|produit|producto|item|untitled|untitled product|default title|undefined|null|n\/a|none|test|home|homepage|startseite|accueil|inicio|shop|store|title|name|document|page|index|product (?:page|details?|name)|[^\p{L}\p{N}]*)$/iu;

const SEPARATOR = /\s+[|–—·•»:/-]\s+|\s*[|»]\s*|:\s+/g;

/** A page's name without the shop's: what the host, the site's name or its organisation is called goes. */
export function cleanName(text: string | null, shops: string[], host: string): string | null {
  let name = (text ?? '').trim();
  const domain = hostWords(host);
  const isShop = (part: string) => {
    const said = letters(
      part.replace(/^(?:buy|shop|kaufen)?\s*(?:online\s+)?(?:at|on|from|bei|auf|chez|sur|en|van|@)\s+/i, ''),
    );
    if (!said) return true;
    if (shops.some((shop) => letters(shop) === said)) return true;
    const bare = said.replace(
      /(?:com|net|org|shop|store|online|onlineshop|de|couk|uk|fr|es|it|nl|eu|ca|us|inc|gmbh|ltd|officialsite|official)$/,
      '',
    );
    return domain.some((word) => word === said || (bare.length > 2 && word === bare));
  };
  for (let cuts = 0; cuts < 4; cuts++) {
    const marks = [...name.matchAll(SEPARATOR)];
    const last = marks.at(-1);
    const first = marks[0];
    if (last && last.index > 0 && isShop(name.slice(last.index + last[0].length)))
      name = name.slice(0, last.index).trim();
    else if (first && first.index > 0 && isShop(name.slice(0, first.index)))
      name = name.slice(first.index + first[0].length).trim();
    else break;
  }
  if (!name || name.length < 2 || NO_NAME.test(name) || isShop(name)) return null;
  return name;
}

/** What the labels of a host's name spell, with and without what joins them. */
function hostWords(host: string): string[] {
  const labels = host.replace(/^(?:www\d?|m|shop|store)\./, '').split('.');
  const known =
    labels.length > 2 && /^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2)!)
      ? labels.slice(0, -2)
      : labels.slice(0, -1);
  const words = known.flatMap((label) => [
    letters(label),
    letters(
      label.replace(/^(?:shop|store|my|the|get|buy)-?|-?(?:shop|store|online|official|us|uk|eu)$/g, ''),
    ),
  ]);
  return [...new Set([...words, letters(labels.join(''))])].filter((word) => word.length > 1);
}
