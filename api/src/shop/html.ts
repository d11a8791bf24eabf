import { Parser } from 'htmlparser2';
import { Page } from './page.ts';

// Characters parsed at once; after each piece, a page that nests too deeply is given up.
const PIECE = 16_384;

export function parsePage(html: string): Page {
  const page = new Page();
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (text) => page.text(text),
    onclosetag: (name) => page.close(name),
  });
  for (let at = 0; at < html.length && !page.tooDeep; at += PIECE) parser.write(html.slice(at, at + PIECE));
  parser.end();
  return page;
}
