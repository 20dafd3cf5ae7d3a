/**
 * PHP's `urldecode`: a plus is a space, `%xx` a byte, and a `%` that is neither stays. Bytes that are no UTF-8 are
 * lost.
 */
export function phpUrldecode(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', ' ')).toString('latin1');
  return Buffer.from(
    bytes.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}
