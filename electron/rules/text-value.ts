const backslash = 0x5c;
const hexEscape = 0x78;
/** By the byte behind the backslash. */
const escapes: ReadonlyMap<number, number> = new Map([
  [0x74, 0x09],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x66, 0x0c],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);
const tripled = '"""';

/**
 * The value of a YARA text: without its quotes, its escapes resolved; one that YARA does not know stays as it is. A
 * text is bytes, here read as UTF-8.
 */
export function textValue(token: string): string {
  const quotes = token.length >= 2 * tripled.length && token.startsWith(tripled) ? tripled.length : 1;
  const inner = token.slice(quotes, -quotes);
  if (!inner.includes('\\')) return inner;
  const bytes = Buffer.from(inner);
  return bytes.toString('utf8', 0, resolveEscapes(bytes));
}

/**
 * In place: the value of an escape is shorter.
 *
 * @returns how many bytes are left
 */
function resolveEscapes(bytes: Buffer): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let value = bytes[at] ?? 0;
    if (value === backslash) {
      const escaped = bytes[at + 1] === hexEscape ? byteOfDigits(bytes, at + 2) : escapes.get(bytes[at + 1] ?? 0);
      if (escaped !== undefined) {
        value = escaped;
        at += bytes[at + 1] === hexEscape ? 3 : 1;
      }
    }
    bytes[length] = value;
    length += 1;
  }
  return length;
}

function byteOfDigits(bytes: Buffer, at: number): number | undefined {
  const digits = bytes.toString('latin1', at, at + 2);
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
