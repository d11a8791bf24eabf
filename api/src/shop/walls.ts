import { WALL_IN_TITLE, WALL_SOURCE, WALL_TEXT, WALL_TITLE } from './wall-words.ts';

const STATUS = '(?:40\\d|410|429|50[0-4])';
const STATUS_TITLE = new RegExp(
  `^(?:(?:http )?error ${STATUS}\\b|${STATUS}\\s*(?:$|[–|:!]|-\\s|-?(?:not\\b|forbidden|error|bad\\b|` +
    'internal|service|unauth|gateway|too many|client|page\\s*(?:$|[–|:!]|-\\s|(?:not|can(?:not)?)\\b))))',
  'i',
);
const STATUS_AT_END = /[|\-–:]\s*(?:404|403|not found|error)\s*$/i;

/** Reports whether a page only keeps robots out, asks for consent, or reports an error. */
export function isWall(title: string, heading: string, text: string, html: string, sells: boolean): boolean {
  if (sells) return false;
  if (isTitleOfWall(title)) return true;
  const short = text.length < 2500;
  if (short && (isTitleOfWall(heading) || WALL_TEXT.test(text))) return true;
  // Shops use the same protection services, so their scripts count only on a page with hardly anything else.
  return text.length < 700 && WALL_SOURCE.test(html);
}

function isTitleOfWall(title: string): boolean {
  const start = title.trim();
  return (
    WALL_TITLE.test(start) ||
    STATUS_TITLE.test(start) ||
    WALL_IN_TITLE.test(title) ||
    STATUS_AT_END.test(title)
  );
}
