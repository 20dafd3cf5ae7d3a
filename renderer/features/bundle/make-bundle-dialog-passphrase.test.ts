import { expect, test } from 'vitest';
import { missingCharacters, passphraseStrength } from './make-bundle-dialog.tsx';

test.each([
  ['', 'short'],
  ['elevenchars', 'short'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnopqrstuvwxyz', 'weak'],
  ['123456789012345678901234', 'weak'],
  ['abababababababababababababab', 'weak'],
  ['passwordpassword', 'weak'],
  ['kestrel otter brine lamp', 'fair'],
  ['Kestrel7otter', 'fair'],
  ['kestrel otter brine lantern quill', 'strong'],
  ['xK7-pq_2Wm!zR4vB', 'strong'],
])('the strength of passphrase %j is %s', (passphrase, strength) => {
  expect(passphraseStrength(passphrase)).toBe(strength);
});

test('the passphrase length counts characters as a person sees them', () => {
  expect(missingCharacters('🦊'.repeat(11))).toBe(1);
  expect(missingCharacters('🦊'.repeat(12))).toBe(0);
});
