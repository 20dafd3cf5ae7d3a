import { shortestBundlePassphrase } from '../../../shared/domain/bundle.ts';

export type PassphraseStrength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * Bits a character that a person chose is worth, by how many kinds there are: small letters, capitals, digits, anything
 * else.
 */
const bitsByKinds = [0, 2.5, 3.5, 4.5, 4.5];
const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}\s]/u];
const leastFair = 45;
const leastStrong = 65;

export const missingCharacters = (passphrase: string): number =>
  Math.max(0, shortestBundlePassphrase - [...passphrase].length);

/** A rough reckoning, told to a person: a character that repeats or continues the one before it counts for nothing. */
export function passphraseStrength(passphrase: string): PassphraseStrength {
  if (missingCharacters(passphrase) > 0) return 'short';
  const codes = [...passphrase].map((character) => character.codePointAt(0) ?? 0);
  const fresh = codes.filter((code, at) => at === 0 || Math.abs(code - (codes[at - 1] ?? 0)) > 1).length;
  const varied = Math.min(fresh, new Set(codes).size * 2);
  const bits = varied * (bitsByKinds[kinds.filter((kind) => kind.test(passphrase)).length] ?? 0);
  if (bits < leastFair) return 'weak';
  return bits < leastStrong ? 'fair' : 'strong';
}
