/** Decodes a page by the charset that its byte order mark, its header or the page itself declares. */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  return decoderOf(bytes, contentType).decode(bytes);
}

function decoderOf(bytes: Uint8Array, contentType: string | null): TextDecoder {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  const declared = /charset\s*=\s*["']?\s*([\w.:-]+)/i;
  const sent = known(declared.exec(contentType ?? '')?.[1]);
  if (sent) return sent;
  // A declaration is looked for as ASCII, so a page in which one is found isn't UTF-16, whatever it declares.
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const tag =
    start.match(/<meta[^>]*>/gi)?.find((meta) => /.charset\s*=/is.test(meta.slice('<meta'.length))) ??
    /^<\?xml[^>]+encoding\s*=[^>]*>/i.exec(start)?.[0].replace('encoding', 'charset');
  const within = known(declared.exec(tag ?? '')?.[1]);
  if (within) return within.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : within;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return new TextDecoder('utf-8');
  } catch {
    return new TextDecoder('windows-1252');
  }
}

function known(label: string | undefined): TextDecoder | null {
  try {
    return label ? new TextDecoder(label) : null;
  } catch {
    return null;
  }
}
