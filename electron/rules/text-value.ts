const escapes: ReadonlyMap<string, string> = new Map([['t', '\t'], ['n', '\n'], ['r', '\r'], ['f', '\f'], ['"', '"'], ['\\', '\\']]);
const tripled = '"""';
/** One escape, or a run of bytes that may be UTF-8 together. Neither can match in two ways. */
const escape = /\\(?:x[0-9A-Fa-f]{2}(?:\\x[0-9A-Fa-f]{2}){0,7}|[^x])/g;

/** What a text of YARA stands for: without its quotes, its escapes resolved; one that YARA does not know stays as it is. */
export function textValue(token: string): string {
  const quotes = token.length >= 2 * tripled.length && token.startsWith(tripled) ? tripled.length : 1;
  const inner = token.slice(quotes, -quotes);
  return inner.includes('\\') ? inner.replace(escape, resolve) : inner;
}

function resolve(found: string): string {
  if (found.startsWith('\\x')) return Buffer.from(found.replaceAll('\\x', ''), 'hex').toString();
  return escapes.get(found.slice(1)) ?? found;
}
