import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { textForm } from '../../shared/testing/input-forms.ts';

const kept: Buffer[] = [];

/** Readers with a fault each, by name: what must be found. */
const faults: ReadonlyMap<string, (text: string) => void> = new Map<string, (text: string) => void>([
  ['throws', (text) => mustHold(!text.includes('"'), 'a quote\u2028')],
  [
    'hangs',
    (text) => {
      while (text.includes('"'));
    },
  ],
  ['ends', (text) => (text.includes('"') ? process.exit(7) : undefined)],
  ['takes-memory', (text) => void (text.includes('"') && kept.push(Buffer.alloc(200 * 2 ** 20, 1)))],
  ['holds', () => {}],
]);

export function plantedTarget(name: string) {
  const read = faults.get(name);
  if (!read) throw new RangeError(name);
  const letters = fc.constantFrom('a', 'b', '\n', 'c', 'd', 'e', '"');
  return fuzzTarget({
    name,
    reads: 'a text',
    holds: 'nothing',
    form: textForm(['x']),
    seeds: ['sound'],
    made: fc.string({ unit: letters, maxLength: 20 }),
    attack: read,
  });
}
