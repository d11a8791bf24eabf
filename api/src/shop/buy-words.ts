import { patternsOf, type WordTable } from './word-table.ts';

/** Starts of the labels of buy buttons; word-table.ts explains the notation. `*` and `( )` after `a|b` apply to both. */
export const BUY_WORDS: WordTable<'buy'> = {
  en: {
    buy: 'add-(item-)to-(my-)(your-)(the-)(shopping-)cart|bag|basket|trolley|order buy(-it)-now pre(-)order',
  },
  de: { buy: 'in-den-Warenkorb|Einkaufswagen in-die-Einkaufstasche|Tasche (jetzt-)kaufen' },
  fr: { buy: 'ajouter-au|à-(mon-)panier acheter' },
  es: { buy: 'añadir|agregar-al|a-(la-)carrito|cesta|bolsa comprar(-ahora)' },
  pt: { buy: 'comprar-agora|já adicionar-ao|à-carrinho|sacola' },
  it: { buy: 'aggiungi-al-carrello acquista' },
  nl: { buy: 'in-(de-)(mijn-)winkelwagen|winkelmand(je) in-winkelwagentje bestellen' },
  sv: { buy: 'lägg-i-varukorg|kundvagn* köp' },
  da: { buy: 'læg-i-kurv|handlekurv* køb' },
  no: { buy: 'legg-i-handlekurv|handlevogn* kjøp' },
  fi: { buy: 'lisää-ostoskoriin' },
  pl: { buy: '(dodaj-)do-koszyka' },
  cs: { buy: '(přidat-)do-košíku' },
  hu: { buy: 'kosárba' },
  ro: { buy: 'adaugă-în-coș*' },
  tr: { buy: 'sepete-ekle' },
  ru: { buy: '(добавить-)в-корзину (быстро-)купить' },
  ja: { buy: '*カートに入れる*' },
  zh: { buy: '*加入购物车* *加入購物車*' },
  ko: { buy: '*장바구니*' },
};

export const BUY_LABEL = patternsOf(BUY_WORDS)('^[^\\p{L}\\p{N}]*<buy>');
