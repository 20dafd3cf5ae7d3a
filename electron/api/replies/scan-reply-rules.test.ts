import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { hitBounds, readScanReply, type ScanReading, type ServiceHit } from './scan-reply.ts';

const clean: ScanReading = { kind: 'matches', hits: [], version: null, rules: null, isCut: false };
const notUnderstood: ScanReading = { kind: 'not-understood' };

function hitsOf(reply: Json): ServiceHit[] {
  const read = readScanReply(reply);
  if (read.kind !== 'matches') throw new Error(`${JSON.stringify(reply)} is ${read.kind}`);
  return read.hits;
}
const only = (reply: Json): ServiceHit => {
  const [hit, ...others] = hitsOf(reply);
  if (!hit || others.length > 0) throw new Error('not one hit');
  return hit;
};
/** Each match as `id@offset=data`. */
const matchesIn = (reply: Json): string[] =>
  only(reply).strings.flatMap(({ id, matches }) => matches.map(({ offset, data }) => `${id}@${offset}=${data}`));
const stringsAre = (strings: Json): string[] => matchesIn([{ rule: 'A', strings }]);

describe('the rules of a scan reply', () => {
  const a: ServiceHit = { rule: 'A', namespace: null, tags: [], meta: [], strings: [] };
  it.each<[Json]>([
    [['A']],
    [[{ rule: 'A' }]],
    [[{ name: 'A' }]],
    [[{ identifier: 'A' }]],
    [{ rule: 'A' }],
    [{ matches: [{ RULE_NAME: 'A' }] }],
    [{ results: ['A'] }],
    [{ matches: { 0: { rule: 'A' } } }],
    [{ A: [] }],
    [{ matches: { A: true, B: false } }],
    [{ data: { result: [{ rule: 'A' }] } }],
    [{ files: [{ filename: 'x.exe', md5: 'x', matches: [{ rule: 'A' }] }] }],
    [{ main: [{ rule: 'A', matches: true }] }],
    [
      [
        { rule: 'A', matches: true },
        { rule: 'B', matches: false },
      ],
    ],
    [[{ rule: { name: 'A' } }]],
    [{ matches: [{ rule: 'A' }, { rule: 'A' }], count: 2 }],
    [{ matches: 1, rules: ['A'] }],
  ])('are read from %j', (reply) => expect(hitsOf(reply)).toEqual([a]));

  it('are listed by name, each once', () => {
    expect(
      hitsOf([{ rule: 'b', strings: [[1, '$x', 'y']] }, 'a', { rule: 'b', strings: [[0, '$x', 'y']], tags: 't' }]).map(
        ({ rule, tags, strings }) => [rule, tags, strings.map(({ total }) => total)],
      ),
    ).toEqual([
      ['a', [], []],
      ['b', ['t'], [2]],
    ]);
  });

  it('have a namespace, tags and meta in any form', () => {
    const hit = {
      rule: 'A',
      namespace: 'n',
      tags: ['one', 'two'],
      meta: [
        { key: 'family', value: 'F' },
        { key: 'score', value: '5' },
      ],
      strings: [],
    };
    for (const meta of [
      { family: 'F', score: 5 },
      [
        ['family', 'F'],
        ['score', 5],
      ],
      [
        { key: 'family', value: 'F' },
        { name: 'score', value: 5 },
      ],
      [{ family: 'F' }, { score: '5' }],
      ['family=F', 'score = 5'],
    ]) {
      expect(only([{ rule: 'A', namespace: 'n', tags: 'one, two', metas: meta }])).toEqual(hit);
    }
    expect(only({ matches: [{ identifier: 'n:A', Tags: { 0: 'one', 1: 'two' }, family: 'F', score: 5 }] })).toEqual(
      hit,
    );
  });

  it('have the version and the number that the service sends', () => {
    expect(
      readScanReply({
        version: '9',
        publication: { id: 'p', version: 1.4, group: 'Release' },
        matches: [],
        rules: '12',
      }),
    ).toEqual(notUnderstood);
    expect(
      readScanReply({ version: '9', publication: { id: 'p', version: 1.4, group: 'Release' }, matches: [], rules: 12 }),
    ).toEqual({ ...clean, version: '1.4', rules: 12 });
    expect(readScanReply({ rules: 0, matches: ['A'] })).toMatchObject({
      kind: 'matches',
      isCut: false,
      rules: 0,
      hits: [{ rule: 'A' }],
    });
    expect(readScanReply({ version: '9', matches: [], total_rules: '12' })).toEqual({
      ...clean,
      version: '9',
      rules: 12,
    });
  });
});

describe('the strings of a matched rule', () => {
  const two = ['$a@0=4d5a', '$b@16=7069'];
  it.each<[Json]>([
    [
      [
        [0, '$a', 'MZ'],
        [16, '$b', 'pi'],
      ],
    ],
    [
      [
        ['0', '$a', 'MZ'],
        ['0x10', '$b', 'pi'],
      ],
    ],
    [
      [
        ['$b', 16, 'pi'],
        ['$a', 0, 'MZ'],
      ],
    ],
    [{ $a: [[0, 'MZ']], $b: [[16, 'pi']] }],
    [{ $a: { offset: 0, data: 'MZ' }, $b: [{ offset: 16, data: 'pi' }] }],
    [
      [
        { id: '$a', offset: 0, data: 'MZ' },
        { identifier: '$b', position: '16', matched_data: 'pi' },
      ],
    ],
    [
      [
        { name: '$a', instances: [{ offset: 0, matched_length: 2, matched_data: 'MZ', xor_key: 0 }] },
        { string: '$b', offset: 16, text: 'pi' },
      ],
    ],
    [
      [
        { id: '$a', offset: 0, length: 2, data: '4D5A' },
        { id: '$b', offset: 16, length: 2, data: '7069' },
      ],
    ],
    [
      [
        { id: '$a', offset: 0, hex: '4d5a' },
        { id: '$b', offset: 16, string: 'pi' },
      ],
    ],
    [{ 0: [0, '$a', '4D5A'], 2: [16, '$b', '7069'] }],
    [
      [
        ['$a', [[0, 'MZ']]],
        ['$b', [[16, 'pi']]],
      ],
    ],
  ])('are read from %j', (strings) => expect(stringsAre(strings)).toEqual(two));

  it('may come as one entry per match', () => {
    expect(
      matchesIn([
        { rule: 'A', id: '$a', offset: 0, data: 'MZ' },
        { rule: 'A', string: '$b', offset: 16, data: 'pi' },
      ]),
    ).toEqual(two);
  });

  it('are read without their offsets, or from their offsets alone', () => {
    expect(only([{ rule: 'A', strings: ['$a', '$a', { id: '$b', count: 7 }] }]).strings).toEqual([
      { id: '$a', matches: [], total: 1, isAtLeast: true },
      { id: '$b', matches: [], total: 7, isAtLeast: false },
    ]);
    expect(stringsAre({ $a: [3, '5'] })).toEqual(['$a@3=null', '$a@5=null']);
    expect(only({ rule: 'A', strings: [{ id: '$a', offset: 3, length: 9 }] }).strings[0]?.matches).toEqual([
      { offset: 3, length: 9, data: null },
    ]);
  });

  it('are left out when they matched nowhere', () => {
    expect(
      only([
        {
          identifier: 'A',
          patterns: [
            { identifier: '$a', matches: [] },
            { identifier: '$b', matches: [{ offset: 1, length: 2 }] },
          ],
        },
      ]).strings.map(({ id }) => id),
    ).toEqual(['$b']);
  });

  it.each<[string, Json, string[]]>([
    [
      'hexadecimal when every one could be',
      [
        [0, '$a', '4D5A'],
        [1, '$b', '1234'],
      ],
      ['$a@0=4d5a', '$b@1=1234'],
    ],
    [
      'text when one of them is',
      [
        [0, '$a', 'cafe'],
        [1, '$b', 'xx'],
      ],
      ['$a@0=63616665', '$b@1=7878'],
    ],
    ['text when it is a number and nothing says otherwise', [[0, '$a', '1234']], ['$a@0=31323334']],
    ['hexadecimal when its digits read as characters', [[0, '$a', '74686973']], ['$a@0=74686973']],
    ['text when it has both cases', [[0, '$a', 'aB']], ['$a@0=6142']],
    ['text when it is as long as the match', [{ id: '$a', offset: 0, length: 4, data: 'cafe' }], ['$a@0=63616665']],
    ['hexadecimal when it is twice as long', [{ id: '$a', offset: 0, length: 2, data: '1234' }], ['$a@0=1234']],
    ['text of several bytes a character', [[0, '$a', 'ü']], ['$a@0=c3bc']],
    [
      'nothing',
      [
        [0, '$a', ''],
        [1, '$a', null],
      ],
      ['$a@0=', '$a@1=null'],
    ],
  ])('have data that is %s', (_, strings, matches) => expect(stringsAre(strings)).toEqual(matches));
});

describe('an oversized scan reply', () => {
  const many = (count: number, id: string): Json[] =>
    Array.from({ length: count }, (_, index) => ({ id, offset: count - index, length: 2, data: '4d5a' }));

  it('keeps the first matches of each string, counts them all, and loses no rule', () => {
    const read = readScanReply({
      matches: [
        { rule: 'Big', strings: [...many(30_000, '$a'), ...many(3, '$b')] },
        { rule: 'Small', strings: many(1, '$a') },
      ],
    });
    if (read.kind !== 'matches') throw new Error(read.kind);
    expect(read.isCut).toBe(true);
    expect(
      read.hits.map(({ strings }) =>
        strings.map(({ matches, total, isAtLeast }) => [matches.length, matches[0]?.offset, total, isAtLeast]),
      ),
    ).toEqual([
      [
        [hitBounds.matchesAString, 1, 30_000, false],
        [3, 1, 3, false],
      ],
      [[1, 1, 1, false]],
    ]);
  });

  it('has bounded matches, strings, rules, tags, meta and texts', () => {
    const long = 'x'.repeat(5000);
    const said = {
      tags: [long, ...Array.from({ length: 100 }, (_, index) => `t${index}`)],
      meta: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}${index}`, long])),
    };
    const rules = Array.from({ length: 2100 }, (_, index): Json => ({
      rule: `r${index}`,
      ...(index < 5 ? said : {}),
      strings: many(5, `$${long}`),
    }));
    const read = readScanReply(rules);
    if (read.kind !== 'matches') throw new Error(read.kind);
    expect(read.isCut).toBe(true);
    expect(read.hits.length).toBe(hitBounds.rules);
    expect(read.hits.flatMap(({ strings }) => strings).reduce((sum, { matches }) => sum + matches.length, 0)).toBe(
      hitBounds.matches,
    );
    expect(Math.max(...read.hits.map(({ tags }) => tags.length))).toBe(hitBounds.tags);
    expect(Math.max(...read.hits.flatMap(({ meta }) => meta.map(({ value }) => value.length)))).toBe(
      hitBounds.metaCharacters,
    );
    expect(
      Math.max(
        ...read.hits.flatMap(({ strings, tags }) =>
          [...strings.map(({ id }) => id), ...tags].map(({ length }) => length),
        ),
      ),
    ).toBe(hitBounds.nameCharacters);
  });
});
