import { isUtf8 } from 'node:buffer';

export interface DecodedText {
  /** Without a byte order mark; a replacement character for what is not UTF-8. */
  text: string;
  /** Where the first such character is in a stretch of it; null where there is none. To be asked in ascending order. */
  damageIn(start: number, end: number): number | null;
}

/** Leaves a byte order mark out. */
const utf8 = new TextDecoder();
const replacement = '\ufffd';
const encoded = Buffer.from(replacement);
/** Another character of as many bytes and as many UTF-16 units. */
const standIn = Buffer.from('\ufffc');

/** Reads any bytes. A replacement character that is in the bytes themselves is no damage. */
export function decodeRules(bytes: Uint8Array): DecodedText {
  const text = utf8.decode(bytes);
  if (isUtf8(bytes)) return { text, damageIn: () => null };
  const marked = utf8.decode(withoutReplacements(bytes));
  let found = marked.indexOf(replacement);
  return {
    text,
    damageIn(start, end) {
      if (found >= 0 && found < start) found = marked.indexOf(replacement, start);
      return found >= start && found < end ? found : null;
    },
  };
}

/** The first byte of one never continues another character: what looks like one is one, whatever is around it. */
function withoutReplacements(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(encoded); at >= 0; at = copy.indexOf(encoded, at)) standIn.copy(copy, at);
  return copy;
}
