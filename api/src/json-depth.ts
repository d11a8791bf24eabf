/** More levels than any JSON that is taken: code that recurses into it could exhaust the stack. */
export const MOST_LEVELS = 100;

/** Whether JSON is nested deeper than that. */
export function isTooDeep(json: string): boolean {
  let level = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      if (++level > MOST_LEVELS) return true;
    } else if (character === ']' || character === '}') level--;
  }
  return false;
}
