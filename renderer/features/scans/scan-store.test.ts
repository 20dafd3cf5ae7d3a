import { expect, test } from 'vitest';
import { mostFiles, mostSamples, NextScans } from './scan-store.tsx';

const fileAt = (number: number) => ({
  id: number.toString(16).padStart(32, '0'),
  name: `${number}.bin`,
  sizeBytes: number,
});
const hashAt = (number: number): string => number.toString(16).padStart(64, '0');

test('the engine is local at first, and each workspace has its own choice', () => {
  const next = new NextScans();
  expect(next.at('lab').engines).toBe('local');
  next.note('lab', { engines: 'both' });
  expect([next.at('lab').engines, next.at('team').engines]).toEqual(['both', 'local']);
});

test('an unchanged part stays the same object, and listeners are notified of a change', () => {
  const next = new NextScans();
  const before = next.at('lab');
  expect(next.at('lab')).toBe(before);
  let reported = 0;
  const stop = next.subscribe(() => (reported += 1));
  next.note('lab', { find: 'x' });
  stop();
  next.note('lab', { find: 'y' });
  expect(reported).toBe(1);
});

test('files are accepted up to the limit of one scan, and the others are counted', () => {
  const next = new NextScans();
  expect(
    next.addFiles(
      'lab',
      Array.from({ length: mostFiles - 1 }, (_, at) => fileAt(at)),
    ),
  ).toBe(0);
  expect(next.addFiles('lab', [fileAt(1000), fileAt(1001), fileAt(1002)])).toBe(2);
  expect(next.at('lab').files).toHaveLength(mostFiles);
  next.removeFile('lab', fileAt(1000).id);
  expect(next.addFiles('lab', [fileAt(1001)])).toBe(0);
  expect(next.at('lab').files.at(-1)).toEqual(fileAt(1001));
});

test('samples are ticked up to the limit of one scan; ticking one again uses no space', () => {
  const next = new NextScans();
  expect(
    next.tick(
      'lab',
      Array.from({ length: mostSamples }, (_, at) => hashAt(at)),
      true,
    ),
  ).toBe(0);
  expect(next.tick('lab', [hashAt(0), hashAt(mostSamples)], true)).toBe(1);
  next.tick('lab', [hashAt(0)], false);
  expect(next.tick('lab', [hashAt(mostSamples)], true)).toBe(0);
  expect(next.at('lab').samples.size).toBe(mostSamples);
});

test('sent entries are removed; those added, ticked or marked since then stay', () => {
  const next = new NextScans();
  next.addFiles('lab', [fileAt(1), fileAt(2)]);
  next.tick('lab', [hashAt(1)], true);
  const sent = next.at('lab');
  next.addFiles('lab', [fileAt(3)]);
  next.tick('lab', [hashAt(2)], true);
  next.note('lab', { tlp: 'red' });
  next.takeOut('lab', sent);
  expect(next.at('lab')).toMatchObject({ files: [fileAt(3)], samples: new Set([hashAt(2)]), tlp: 'red' });
});

test.each([
  ['goes with the last of its files', 'red', null],
  ['stays where it is another one than was sent: it is meant for files that are still on their way', 'amber', 'amber'],
] as const)('the TLP %s', (_, tlp, left) => {
  const next = new NextScans();
  next.addFiles('lab', [fileAt(1)]);
  next.note('lab', { tlp: 'red' });
  const sent = next.at('lab');
  next.note('lab', { tlp });
  next.takeOut('lab', sent);
  expect(next.at('lab')).toMatchObject({ files: [], tlp: left });
});
