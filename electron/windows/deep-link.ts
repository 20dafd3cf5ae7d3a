/**
 * Reads `vitrine:<MD5>`: exactly 32 hexadecimal characters and nothing else, so that a link on any web page can fill
 * the look-up field and do nothing more. `vitrine://<MD5>` and a closing slash are what browsers make of it.
 */
export function readDeepLink(text: string): string | null {
  const [, md5] = /^vitrine:(?:\/\/)?([0-9a-f]{32})\/?$/i.exec(text) ?? [];
  return md5?.toLowerCase() ?? null;
}

/** The link among the arguments of a start: Windows and Linux hand it over there. */
export function deepLinkAmong(args: readonly string[]): string | null {
  for (const text of args) {
    const md5 = readDeepLink(text);
    if (md5 !== null) return md5;
  }
  return null;
}
