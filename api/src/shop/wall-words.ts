import { patternsOf, type WordTable } from './word-table.ts';

type Meaning =
  // The beginning of a title or a heading.
  | 'title'
  // Anywhere in a title, even after the shop's name.
  | 'inTitle'
  // A complete title; a `shortTitle` may be followed by up to 20 characters, such as the name of the shop.
  | 'wholeTitle'
  | 'shortTitle'
  // A text on a short page.
  | 'text';

// Titles and texts of pages that keep robots out, ask for consent first, or report an error with status 200.
export const WALL_WORDS: WordTable<Meaning> = {
  en: {
    title:
      'just-a-moment one-moment please-wait access-to-this-page-has-been-denied robot-or-human bot-or-not ' +
      "are-you-human|robot pardon-our-interruption human-verification verify-you-are verify-you're verify-that-you " +
      'verifying verification-required captcha* security-checkpoint security-verification vercel-security ' +
      'client-challenge challenge-validation checking-your-browser ddos-guard request-unsuccessful|rejected|blocked ' +
      "blocked (sorry,-)you-have-been-blocked unusual-traffic forbidden not-found (the-)page-cannot (the-)page-can't " +
      '(the-)page-could-not (the-)page-you error-page an-error-occurred internal-server-error bad-gateway ' +
      'service-temporarily-unavailable gateway-time(-)out temporarily-unavailable site-(is-)(under-)maintenance ' +
      'maintenance-mode under-maintenance (sorry(!)-)something-went-wrong oops uh(-)oh before-you-continue ' +
      'cookie-consent your-privacy-choices privacy-gate consent-required queue(-)it waiting-room ' +
      'you-are-(now-)in-(the-)line|queue enable-javascript javascript-(is-)required|disabled redirecting',
    inTitle:
      'access-denied robot-check captcha page|404-not-found 404-error error-403|404 403-forbidden attention-required ' +
      'security-check service-unavailable are-you-a-human|robot',
    wholeTitle: 'error loading',
    shortTitle: 'log(-)in sign(-)in',
    text:
      "access-denied you-don't-have-permission you-do-not-have-permission verify-(that-)you-are-(not-)(a-)human|robot " +
      "verify-(that-)you're-(not-)(a-)human|robot not-a-robot unusual-traffic|activity automated-access " +
      'enable-javascript-and-cookies type|enter-the-characters-you-see press-&|and-hold are-you-a-robot pardon-our-interruption ' +
      'checking-your-browser checking-if-the-site-connection performing-security-verification been-blocked ' +
      'security-service-to-protect solve-this|the-captcha|puzzle complete-the-captcha complete-the-security-check ' +
      'before-you-continue click-the-button-below-to-continue-shopping temporarily-blocked|restricted|unavailable ' +
      "page-you-requested…not|can't|cannot page-you-requested…no-longer page-you-are-looking-for…not|can't|cannot " +
      "page-you-are-looking-for…no-longer page-was…not|can't|cannot page-was…no-longer incident-id ray-id " +
      'please-turn-javascript-on javascript-is-disabled needs-javascript consent-to-cookies consent-to-the-use ' +
      'accept-(all-)cookies-to-continue',
  },
  de: {
    title:
      '(nur-)einen-Moment bitte-warten Zugriff-verweigert Wartungs* bevor-sie|du-fortf* bevor-sie|du-weiter*',
    inTitle: 'Seite-nicht-gefunden',
    text: 'Zugriff-(wurde-)verweigert kein-Roboter',
  },
  fr: {
    title: 'un-instant accès-refusé|interdit page-non-trouvée avant-de-continuer',
    inTitle: 'page-introuvable',
    text: 'pas-un-robot',
  },
  es: {
    title: '(un-)momento acceso-denegado antes-de-continuar',
    inTitle: 'página-no-encontrada',
    text: 'no-eres|soy-un-robot',
  },
  pt: { title: '(um-)momento página-não-encontrada' },
  it: { title: 'un-momento accesso-negato prima-di-continuare', inTitle: 'pagina-non-trovata' },
  nl: { title: 'een-moment toegang-geweigerd voordat-je-verdergaat', inTitle: 'pagina-niet-gevonden' },
  sv: { title: 'ett-ögonblick sidan-hittades|finns-inte' },
  da: { title: 'siden-(blev-)ikke-fundet' },
  no: { title: 'siden-(ble-)ikke-funnet|fundet' },
  pl: { title: 'chwileczkę nie-znaleziono' },
};

/** Scripts, cookies and hosts of services that stop robots or ask for consent, as they appear in a page's source. */
export const GUARDS = {
  akamai: ['sec-if-cpt', 'sec-cpt', 'akam/', 'errors.edgesuite.net', 'reference #'],
  amazon: ['validateCaptcha', 'opfcaptcha', 'csm-captcha', 'awswaf', 'aws-waf'],
  captchas: ['g-recaptcha', 'h-captcha', 'hcaptcha'],
  cloudflare: ['cdn-cgi/challenge-platform', 'cf-chl', 'cf_chl', 'cf-error-details', 'challenges.cloudflare'],
  consent: ['consent.google', 'consent.yahoo', 'consent.youtube', 'guce.'],
  datadome: ['captcha-delivery.com', 'datadome'],
  'ddos-guard': ['ddos-guard'],
  human: ['px-captcha', '_pxAppId', 'perimeterx', 'human security'],
  imperva: ['_Incapsula_Resource', 'incapsula incident', 'distil_'],
  kasada: ['KPSDK'],
  'queue-it': ['queue-it.net'],
  sucuri: ['sucuri_cloudproxy'],
  vercel: ['x-vercel-challenge'],
};

const pattern = patternsOf(WALL_WORDS);

export const WALL_TITLE = pattern('^(?:<title>|<wholeTitle>[^\\p{L}\\p{N}]*$|<shortTitle>.{0,20}$)');
export const WALL_IN_TITLE = pattern('<inTitle>');
export const WALL_TEXT = pattern('<text>');
export const WALL_SOURCE = new RegExp(Object.values(GUARDS).flat().join('|').replaceAll('.', '\\.'), 'i');
