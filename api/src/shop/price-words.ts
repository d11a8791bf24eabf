import { patternsOf, type WordTable } from './word-table.ts';

type Meaning =
  // Before a former price: "was 59.90"; the second also behind one: "59.90 RRP".
  | 'former'
  | 'formerBehind'
  // Words before the lowest price of recent days, which the law requires.
  | 'lowest'
  // Before a price that may be the current one: "regular price".
  | 'regular'
  // Next to a price of something else: a saving, a delivery, an instalment.
  | 'other'
  | 'otherBefore'
  | 'otherBehind'
  // After a price without tax.
  | 'untaxed'
  // Between a price and a unit: "per 100 g".
  | 'per'
  | 'unit'
  // One end of a range: "from 5", "5 to 9", "5 and up".
  | 'from'
  | 'to'
  | 'orMore'
  // Next to any price.
  | 'tax'
  | 'included'
  | 'delivery';

export const PRICE_WORDS: WordTable<Meaning> = {
  en: {
    former: 'was before previously old original(ly) list retail compare(d) instead-of typical usual(ly)',
    formerBehind: 'RRP MSRP SRP list-price',
    lowest: 'lowest 30-day(s)',
    regular: 'regular normal',
    other: 'off save(d) discount credit gift(-)card voucher cashback',
    otherBefore:
      'saving order(s)-of over above minimum spend coupon deposit earn points get trade(-)in plan warranty insurance ' +
      'member(s) prime club with-code|coupon|subscription subscribe per payment(s)-of instal(l)ment(s) pay x unit-price ' +
      'plus exc(l) excluding ex(.)-vat|tax|gst|btw',
    otherBehind: 'cheaper more back in-points',
    untaxed: 'ex exc excl*',
    per: '/ per p.',
    unit:
      'g gr mg kg(s) l ml cl dl lit* lb(s) oz ounce* fl m m² m2 m³ cm mm ft sq count* ct sheet* tablet* dose* wash* ' +
      'unit* use* person* day* night* week* mo month* yr year*',
    from: 'from starting(-at) starts-at low-as between up-to',
    to: 'to',
    orMore: 'and-up or-more',
    tax: 'tax(es) VAT GST',
    included: 'inc(l) including inclusive included plus',
    delivery: 'shipping delivery postage',
  },
  de: {
    former: 'unverb bisher vorher früher ursprünglich Bestpreis',
    formerBehind: 'UVP statt',
    lowest: 'niedrigst* tiefst* 30-Tag(e)',
    regular: 'Normalpreis',
    other: 'sparen Rabatt Gutschein',
    otherBefore:
      'Ersparnis über unter bestell* Pfand Garantie Abo Rate(n) Grundpreis exkl netto ohne-MwSt zzgl',
    otherBehind: 'gespart mtl monatlich*',
    untaxed: 'exkl* ohne netto',
    per: 'pro je',
    unit: 'Tag* Nacht Woche* Monat* Jahr*',
    from: 'ab zwischen bis(-zu)',
    to: 'bis',
    tax: 'MwSt USt',
    included: 'inkl enthalten zzgl gesetzl*',
    delivery: 'Versand* Porto*',
  },
  fr: {
    former: "au-lieu-de ancien prix-conseillé prix-d'origine avant",
    lowest: 'plus-bas 30-jours',
    regular: 'prix-habituel|normal',
    otherBefore: 'remise économie économise* achat garantie mensualité(s) prix-au hors-taxe(s) HT sans-TVA',
    otherBehind: 'de-remise',
    untaxed: 'hors HT H.T sans-TVA',
    per: 'par le',
    unit: 'unité* jour* nuit* semaine* mois an(s)',
    from: "à-partir-de dès des jusqu'à",
    to: 'à',
    tax: 'TVA TTC',
    included: 'comprise',
    delivery: 'livraison*',
  },
  es: {
    former: 'antes precio-anterior|original|recomendado PVP PVPR',
    lowest: 'más-bajo 30-días',
    regular: 'precio-habitual|normal',
    otherBefore: 'ahorr ahorra(s) ahorro compra(s) cuota(s) plazos sin-intereses de sin-IVA',
    otherBehind: 'descuento',
    untaxed: 'sin-IVA IVA-no',
    per: 'por al a',
    unit: 'mes mese* año*',
    from: 'desde hasta',
    to: 'a',
    tax: 'IVA',
    delivery: 'envío',
  },
  pt: { former: 'de', from: 'a-partir-de até', unit: 'mês* ano*' },
  it: {
    former: 'invece-di prima prezzo-precedente|consigliato listino',
    lowest: 'più-basso 30-giorni',
    otherBefore: 'risparmi* rate-da',
    delivery: 'spedizione',
    unit: 'anno* rata',
    from: 'da',
  },
  nl: {
    former: 'van adviesprijs normaal',
    lowest: 'laagste 30-dagen',
    other: 'korting',
    otherBefore: 'bespaar(t)',
    delivery: 'verzend* bezorg*',
    unit: 'maand* mnd jaar*',
    from: 'vanaf tot',
    tax: 'btw',
  },
  sv: {
    former: 'tidigare ord ordinarie före',
    lowest: 'lägsta 30-dagar',
    otherBefore: 'spara',
    delivery: 'frakt porto',
    unit: 'mån*',
    from: 'från',
    tax: 'moms',
  },
  da: { former: 'førpris før', otherBefore: 'spar', delivery: 'porto', from: 'fra' },
  no: { former: 'førpris før veil', otherBefore: 'spar', delivery: 'frakt', from: 'fra' },
  fi: { from: 'alkaen' },
  pl: { lowest: 'najniższ* 30-dni', from: 'od' },
  ru: { from: 'от' },
};

const pattern = patternsOf(PRICE_WORDS);

// At the end of the text before an amount.
export const BEFORE_FORMER = pattern('<former formerBehind>\\D{0,28}$');
export const BEFORE_LOWEST = pattern('<lowest>[^€$£]{0,40}$');
export const BEFORE_REGULAR = pattern('<regular>\\D{0,10}$');
export const BEFORE_OTHER = pattern('<other otherBefore delivery>[^\\d\\n]{0,16}$');
export const BEFORE_START = pattern('<from>\\s*:?\\s*$');

// At the start of the text after an amount.
export const BEHIND_FORMER = pattern('^\\s*<formerBehind>');
export const BEHIND_OTHER = pattern('^\\s*<other otherBehind delivery>');
export const BEHIND_UNTAXED = pattern('^\\s*\\)?\\s*\\(?\\s*(?:<untaxed>|(?:plus|zzgl\\.?|\\+) ?<tax>)');
export const BEHIND_PER_UNIT = pattern('^\\s*\\(?\\s*<per>\\s*\\d*[.,]?\\d*\\s*<unit>');
// "43.90 – 20 %" isn't a range but a discount. U+E000 marks the boundary between two elements: `EDGE`.
export const BEHIND_START = pattern(
  '^[\\s\\ue000]*(?:[-–—](?!\\s*\\d+[.,]?\\d*\\s*%)|<to>)[\\s\\ue000]*(?:[^\\s\\d]{0,4}[\\s\\ue000]?)\\d',
);
export const BEHIND_OR_MORE = pattern('^\\s*(?:<orMore>|\\+(?!\\s*<tax delivery>))');

export const BETWEEN_ENDS = pattern('^[\\s\\ue000]*(?:[-–—]|<to>)[\\s\\ue000]*$');
export const BESIDE_ANY = pattern('<tax included delivery>', 'giu');
