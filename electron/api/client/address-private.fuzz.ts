import { isIP } from 'node:net';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { textForm } from '../../../shared/testing/input-forms.ts';
import { isPrivateAddress, isPrivateHost } from './address.ts';

/**
 * Networks that nothing from outside may lead into, by their first bytes; and places right beside them, which are none.
 */
const within: readonly (readonly number[])[] = [
  [0],
  [10],
  [100, 64],
  [100, 127],
  [127],
  [169, 254],
  [172, 16],
  [172, 31],
  [192, 0, 0],
  [192, 168],
  [198, 18],
  [198, 19],
  [224],
  [239],
  [240],
  [255],
];
const outside: readonly (readonly number[])[] = [
  [1],
  [9],
  [11],
  [100, 63],
  [100, 128],
  [126],
  [128],
  [169, 253],
  [172, 15],
  [172, 32],
  [192, 167],
  [198, 17],
  [198, 20],
  [223],
];

const octets = fc
  .tuple(
    fc.constantFrom(...within, ...outside),
    fc.array(fc.constantFrom(0, 1, 8, 127, 255), { minLength: 4, maxLength: 4 }),
  )
  .map(([first, rest]) => [...first, ...rest].slice(0, 4));
function isWithin([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if ([0, 10, 127].includes(a) || a >= 224) return true;
  const second: Record<number, boolean> = {
    100: b >= 64 && b < 128,
    169: b === 254,
    172: b >= 16 && b < 32,
    192: b === 168 || (b === 0 && c === 0),
    198: b === 18 || b === 19,
  };
  return second[a] === true;
}

/** The same address in the ways that a URL may have it. */
function* spellings([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Generator<string, void, void> {
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  yield* [
    `${a}.${b}.${c}.${d}`,
    `0x${a.toString(16)}.${b}.${c}.0${d.toString(8)}`,
    String(whole),
    `0x${whole.toString(16)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b}.${c}.${d}.`,
  ];
  yield* [
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${groups}]`,
    `[64:ff9b::${groups}]`,
    `[64:FF9B:0:0:0:0:${groups}]`,
  ];
}

export const target = fuzzTarget({
  name: 'private-address',
  reads: 'the host name of a redirect target',
  holds: 'every spelling of a private address is recognised, 6to4 and Teredo always; the next public address is not',
  form: textForm(['.', '127', '0x7f', '10', '[', ']', ':', 'ffff', '%', 'localhost', 'example']),
  seeds: ['127.0.0.1', '10.0.0.1', '8.8.8.8', '172.32.0.1'],
  made: octets.map((address) => address.join('.')),
  attack(text) {
    mustHold(
      isPrivateAddress(text) || isIP(text.split('%', 1)[0] ?? '') !== 0,
      'what is no address is taken for a public one',
    );
    const parts = text.split('.').map(Number);
    if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || parts.some((part) => part > 255)) return;
    for (const spelling of spellings(parts)) {
      const host = URL.parse(`http://${spelling}/`)?.hostname;
      if (host === undefined) continue;
      mustHold(
        isPrivateHost(host) === isWithin(parts),
        `${spelling} is taken for ${isWithin(parts) ? 'a public' : 'a private'} address`,
      );
    }
    const [a = 0, b = 0] = parts;
    mustHold(
      isPrivateHost(`[2002:${((a << 8) | b).toString(16)}::1]`) && isPrivateHost('[2001:0:1::1]'),
      'a tunnel is taken for a public address',
    );
  },
});
