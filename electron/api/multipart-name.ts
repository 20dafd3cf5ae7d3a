const longestName = 1024;
const longestExtension = 32;

/**
 * A file's name as the content of a quoted-string in a part's header (RFC 7578, 4.2; RFC 822, 3.3): UTF-8, `"` and `\`
 * behind a backslash, a line break as `%0D` or `%0A`. A name that already holds such a triplet has its `%` written as
 * `%25`, so that the two stay apart. Any other control character becomes U+FFFD: some servers end the name, or the
 * header, at one.
 */
export function quotedName(name: string): string {
  return shortened(name)
    .toWellFormed()
    .replace(/%(?=0a|0d|22|25)/gi, '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/\p{Cc}/gu, '\uFFFD')
    .replace(/["\\]/g, '\\$&');
}

/** At most 1,024 UTF-16 code units, the extension among them. No pair of surrogates is cut in two. */
function shortened(name: string): string {
  if (name.length <= longestName) return name;
  const dot = name.lastIndexOf('.');
  const extension = name.length - dot <= longestExtension ? name.slice(dot) : '';
  return name.slice(0, longestName - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
