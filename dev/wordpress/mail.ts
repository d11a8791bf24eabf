// Reads an email as it was sent.
export interface Mail {
  to: string;
  subject: string;
  /** The plain-text part. */
  text: string;
  /** The HTML part, or an empty string. */
  html: string;
  raw: string;
}

/** Decodes a part that PHPMailer has encoded. */
function decoded(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

export function readMail(raw: string): Mail {
  const header = (name: string, text = raw) =>
    new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(text)?.[1]?.replace(/\r?\n[ \t]+/g, ' ') ??
    '';
  const subject = header('Subject').replace(/=\?utf-8\?([BQ])\?(.*?)\?= ?/gi, (_, kind, text) =>
    kind.toUpperCase() === 'B'
      ? decoded(text, 'base64')
      : decoded(text.replaceAll('_', ' '), 'quoted-printable'),
  );
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1];
  const parts = boundary ? raw.split(`--${boundary}`).slice(1, -1) : [raw];
  const [text, html = ''] = parts.map((part) => {
    const [head = '', ...rest] = part.trimStart().split(/\r?\n\r?\n/);
    return decoded(rest.join('\n\n'), header('Content-Transfer-Encoding', head).toLowerCase());
  });
  return { to: header('To'), subject, text: text ?? '', html, raw };
}

/** Returns path and query of the first address in an email that contains this text. */
export function linkIn({ text }: Mail, part: string): string {
  const found = new RegExp(`https?://\\S*${part}\\S*`).exec(text)?.[0];
  if (found === undefined) throw new Error(`no ${part} in: ${text}`);
  const { pathname, search } = new URL(found);
  return pathname + search;
}
