// What pages are titled that keep robots out, ask for consent first, or report an error with a status of 200.
const TITLES =
  /^(?:just a moment|one moment|un momento|einen moment|nur einen moment|un instant|een moment|um momento|momento|chwileczkę|ett ögonblick|bitte warten|please wait|attention required|access denied|acc[eè]s (?:refus[eé]|interdit)|acceso denegado|zugriff verweigert|accesso negato|toegang geweigerd|access to this page has been denied|robot check|robot or human|bot or not|are you (?:a )?(?:human|robot)|pardon our interruption|human verification|verify (?:you are|you're|that you)|verifying|verification required|captcha|security (?:check|checkpoint|verification)|vercel security|client challenge|challenge validation|checking your browser|ddos-guard|request (?:unsuccessful|rejected|blocked)|blocked|you have been blocked|sorry, you have been blocked|unusual traffic|(?:http )?error (?:40\d|410|429|50[0-4])\b|(?:40\d|410|429|50[0-4])\s*(?:$|[-–|:!]|not|forbidden|page|error|bad|internal|service|unauth|gateway|too many|client)|forbidden|not found|page not found|(?:the )?page (?:cannot|can't|could not|you)|seite nicht gefunden|page (?:introuvable|non trouv[eé]e)|p[aá]gina n[aã]?o? ?encontrada|p[aá]gina no encontrada|pagina non trovata|pagina niet gevonden|sidan (?:hittades|finns) inte|siden (?:ble |blev )?ikke fundet|nie znaleziono|error\s*(?:$|page)|an error occurred|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|temporarily unavailable|site (?:is )?(?:under )?maintenance|maintenance mode|under maintenance|wartungs|sorry!? something went wrong|something went wrong|oops|uh.?oh|before you continue|bevor (?:sie|du) (?:fortf|weiter)|avant de continuer|antes de continuar|prima di continuare|voordat je verdergaat|cookie consent|your privacy choices|privacy gate|consent required|queue-?it|waiting room|you are (?:now )?in (?:line|the queue)|log ?in\b.{0,20}$|sign ?in\b.{0,20}$|enable javascript|javascript (?:is )?(?:required|disabled)|loading\W*$|redirecting)/i;

// Anywhere in a title, after the shop's name too.
const IN_TITLES =
  /(?:\b(?:access denied|robot check|captcha|page not found|404 not found|404 error|error 40[34]|403 forbidden|attention required|security check|seite nicht gefunden|page introuvable|p[aá]gina no encontrada|pagina non trovata|pagina niet gevonden|service unavailable|are you a (?:human|robot))\b|[|\-–:]\s*(?:404|403|not found|error)\s*$)/i;

// What such pages are made with; shops have some of it too, so it counts where hardly anything else stands.
const MARKS =
  /cdn-cgi\/challenge-platform|cf-chl|cf_chl|cf-error-details|_cf_chl_opt|challenges\.cloudflare|captcha-delivery\.com|datadome|px-captcha|_pxAppId|perimeterx|human security|_Incapsula_Resource|incapsula incident|sec-if-cpt|sec-cpt|akam\/|errors\.edgesuite\.net|reference #\d|validateCaptcha|opfcaptcha|csm-captcha|g-recaptcha|h-captcha|hcaptcha|KPSDK|awswaf|aws-waf|distil_|x-vercel-challenge|ddos-guard|sucuri_cloudproxy|queue-it\.net|consent\.(?:google|yahoo|youtube)|guce\./i;

const WORDS =
  /access denied|you (?:don't|do not) have permission|verify (?:that )?you(?:'re| are)(?: not)? (?:a )?(?:human|robot)|not a robot|unusual (?:traffic|activity)|automated access|enable javascript and cookies|type the characters you see|enter the characters you see|press (?:&|and) hold|are you a robot|pardon our interruption|checking (?:your browser|if the site connection)|performing security verification|been blocked|security service to protect|solve (?:this|the) (?:captcha|puzzle)|complete the (?:security check|captcha)|before you continue|zugriff (?:wurde )?verweigert|kein roboter|pas un robot|no eres un robot|no soy un robot|click the button below to continue shopping|temporarily (?:blocked|restricted|unavailable)|page (?:you (?:requested|are looking for)|was) .{0,30}(?:not|no longer|can't|cannot)|incident id|ray id|please turn javascript on|javascript is disabled|needs javascript|consent to (?:the use|cookies)|accept (?:all )?cookies to continue/i;

/** Whether a page only keeps robots out, asks for consent, or reports an error. */
export function isWall(title: string, heading: string, text: string, html: string, sells: boolean): boolean {
  if (sells) return false;
  if (TITLES.test(title.trim()) || IN_TITLES.test(title)) return true;
  const short = text.length < 2500;
  if (short && (TITLES.test(heading.trim()) || IN_TITLES.test(heading))) return true;
  if (short && WORDS.test(text)) return true;
  return text.length < 700 && MARKS.test(html);
}
