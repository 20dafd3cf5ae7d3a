import { expect, test } from 'vitest';
import { byChance, guessed, ranked, rankOf, rankOfRead, ranks, readWords } from './ranking.ts';

const titles = [
  'Library',
  'Look up',
  'Bulk download',
  'Upload',
  'Publications',
  'Publications: Rules',
  'Settings: Downloads',
  'Dark theme',
  'Check for new rules',
];
const found = (typed: string): string[] =>
  ranked(
    typed,
    titles.map((title) => ({ title })),
  ).map(({ thing }) => thing.title);

test.each([
  ['look up', ['Look up']],
  ['pub', ['Publications', 'Publications: Rules']],
  ['down', ['Bulk download', 'Settings: Downloads']],
  ['rules check', ['Check for new rules']],
  ['PUBLICATIONS', ['Publications', 'Publications: Rules']],
  ['pr', ['Publications: Rules']],
  ['bd', ['Bulk download']],
  ['cfn', ['Check for new rules']],
  ['lbr', ['Library']],
  ['xyz', []],
  ['', []],
  [' : ', []],
])('the search “%s” finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names);
});

test('a whole title comes before one with that beginning, then words inside, initials and letters', () => {
  const things = ['Stockcabin', 'Sun canopy', 'Re-scan', 'Scanner', 'Scan'].map((title) => ({ title }));
  expect(ranked('scan', things).map(({ thing }) => thing.title)).toEqual([
    'Scan',
    'Scanner',
    'Re-scan',
    'Sun canopy',
    'Stockcabin',
  ]);
});

test('keywords match too, after title matches', () => {
  const things = [{ title: 'Dark theme', keywords: 'appearance night' }, { title: 'Settings: Appearance' }];
  expect(ranked('appear', things).map(({ thing }) => thing.title)).toEqual(['Settings: Appearance', 'Dark theme']);
});

test('adjacent letters inside a word are a guess, and one letter or two are no match', () => {
  expect(rankOf('scri', { title: 'dropper_javascript' })).toBe(ranks.inside);
  expect(rankOf('scri drop', { title: 'dropper_javascript' })).toBe(ranks.inside);
  expect(rankOf('rip', { title: 'Stripper of scripts' })).toBe(ranks.inside);
  expect(rankOf('ri', { title: 'Stripper of scripts' })).toBeNull();
  expect(guessed).toBeLessThanOrEqual(ranks.inside);
});

test.each([
  ['bulkdwn', 'Bulk download'],
  ['lbrary', 'Library'],
  ['jurnal', 'Journal'],
  ['tokns', 'Settings: Tokens'],
  ['chknew', 'Check for new rules'],
])('“%s” is “%s” with letters left out, which is no match by chance', (typed, title) => {
  expect(rankOf(typed, { title })).toBe(ranks.shortened);
  expect(ranks.shortened).toBeLessThan(byChance);
});

test.each(['downloader', 'stealer', 'emotet', 'loader', 'packer', 'miner', 'rat'])(
  'the name of a kind of malware, “%s”, is no setting and no view that is written a little differently',
  (typed) => {
    const places = [...titles, 'Settings: Storage', 'Settings: Tokens', 'Settings: Appearance', 'Verify journal'];
    const best = ranked(
      typed,
      places.map((title) => ({ title, keywords: 'go open options preferences settings package' })),
    );
    expect(best.filter(({ rank }) => rank < byChance)).toEqual([]);
  },
);

test('separate letters match a title only from three on, and when the first begins it', () => {
  expect(rankOf('lb', { title: 'Library' })).toBeNull();
  expect(rankOf('lby', { title: 'Library' })).toBe(ranks.letters);
  expect(rankOf('bry', { title: 'Library' })).toBeNull();
});

test('a rule of many equal words is compared with few reads of each word', () => {
  const [typed, name] = [`${'a'.repeat(59)}b`, readWords('aaaa_'.repeat(400))];
  let reads = 0;
  const words = new Proxy(name.words, {
    get: (all, key): unknown => {
      reads += 1;
      return Reflect.get(all, key);
    },
  });
  expect(rankOfRead(readWords(typed), { ...name, words })).toBeNull();
  expect(reads).toBeLessThan(6 * name.words.length);
});

test.each([
  ['lirbary', 'Library'],
  ['pubilcations', 'Publications'],
  ['settnigs', 'Settings: Downloads'],
  ['donwload', 'Bulk download'],
  ['uplaod', 'Upload'],
  ['publicatoin', 'Publications'],
])('the mistyped “%s” finds %s, after everything that is typed so', (typed, title) => {
  expect(rankOf(typed, { title })).toBe(ranks.typo);
});

test('a mistyped word is compared with the other words of a title, too', () => {
  expect(rankOf('rollbakc', { title: 'Publications: Updates', keywords: 'rollback' })).toBe(ranks.typo);
  expect(rankOf('rolbakc', { title: 'Publications: Updates', keywords: 'rollback' })).toBeNull();
  expect(rankOf('publicatoisn', { title: 'Publications: Updates' })).toBe(ranks.typos);
});

test('a short word, and one that differs in more than a letter or two, is no typo', () => {
  expect(rankOf('dra', { title: 'Dark theme' })).toBeNull();
  expect(rankOf('liberty', { title: 'Library' })).toBeNull();
  expect(rankOf('journey', { title: 'Journal' })).toBeNull();
});
