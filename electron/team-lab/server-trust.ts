/** What is wrong, by the codes that OpenSSL and Node give a certificate that does not hold. */
const wrong: readonly (readonly [RegExp, string])[] = [
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'has a certificate for other host names'],
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired'],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not valid yet, by the clock of this computer'],
  [
    /ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY|UNTRUSTED|INVALID_CA|CERT_SIGNATURE/,
    'has a certificate of an authority that is not trusted here',
  ],
  [/^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/, 'does not answer by TLS'],
];

/**
 * Why a server is not trusted, as the end of a sentence whose subject it is. `authority` is where to name its
 * authority. Null where the error is none of TLS.
 */
export function distrustOf(error: unknown, authority: string): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [, words = null] = wrong.find(([codes]) => codes.test(code)) ?? [];
  if (words === null) return null;
  return words.includes('authority') ? `${words} (${code}): name it in ${authority}` : `${words} (${code})`;
}
