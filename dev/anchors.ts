/** Returns the anchors that GitHub gives the headings of a Markdown text, or only those of one level. */
export function anchorsOf(text: string, level?: number): string[] {
  const headings = text.replace(/^ *```.*?^ *```/gms, '').matchAll(/^(#+) (.+)$/gm);
  return [...headings]
    .filter(([, marks]) => level === undefined || marks!.length === level)
    .map(([, , heading]) =>
      heading!
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    );
}
