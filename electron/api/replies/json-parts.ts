import type { Json } from '../../../shared/domain/sample.ts';

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
/** `[`, `{`, `,` and `:`. */
const parting = Uint8Array.from({ length: 256 }, (_, byte) => ('[{,:'.includes(String.fromCharCode(byte)) ? 1 : 0));

export interface JsonParts {
  /** The characters that part values. */
  parts: number;
  /** Those of them that stand behind the name of a member. */
  names: number;
}

/** Counts in the bytes of JSON, outside of its strings; in bytes that are none, up to where they are. */
export function jsonParts(body: Uint8Array): JsonParts {
  const counted = { parts: 0, names: 0 };
  let isInString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else {
      counted.parts += parting[byte] ?? 0;
      if (byte === colon) counted.names += 1;
    }
  }
  return counted;
}

/** The members of all objects in it, however deep. Of those that had one name in the text, JSON.parse left one. */
export function membersIn(value: Json): number {
  let members = 0;
  const open: Json[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const inside = Array.isArray(part) ? part : Object.values(part);
    if (inside !== part) members += inside.length;
    for (const one of inside) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return members;
}
