import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { ruleHit } from '../../../shared/domain/scan.ts';
import { anyText, forAny, whenBusy } from '../property.fixture.ts';
import { hitBounds } from './bounded-hits.ts';
import { readScanReply, type ScanReading, type ServiceHit } from './read-scan-reply.ts';

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

describe('a file without a match', () => {
  it.each<[Json]>([
    [null],
    [[]],
    [{}],
    [{ matches: [] }],
    [{ matches: {} }],
    [{ matches: null }],
    [{ Results: [] }],
    [{ valid: true, matches: [], has_matches: false }],
    [{ VALID: '1', Matches: [], 'has-matches': '0' }],
    [{ status: 'ok', result: [], md5: 'a', file_name: 'x', elapsed: 0.2, message: 'No matches found' }],
    [{ error: null, errors: [], matches: [] }],
    [{ data: { matches: [] } }],
    [{ matches: [], count: 0, total: '0' }],
    [{ matches: 0, results: [] }],
    [{ has_matches: false }],
    [{ results: [{ filename: 'a.exe', matches: [] }] }],
    [{ matches: [{ rule: 'A', matched: false }] }],
    ...['matches', 'match', 'hits', 'detections', 'matched_rules', 'Matching-Rules'].flatMap((name) =>
      [null, '', false, 0, [], {}, { A: false }].map((none): [Json] => [{ success: true, [name]: none }]),
    ),
    [{ matches: [], result: null, data: '' }],
    [{ result: [] }],
    [{ data: {} }],
    [{ scan: { matches: 0 } }],
  ])('%j', (reply) => expect(readScanReply(reply)).toEqual(clean));
});

describe('a scan that failed', () => {
  it.each<[Json, string]>([
    [{ valid: false }, ''],
    [{ valid: 0, message: 'no engine' }, 'no engine'],
    [{ error: 'no engine', matches: [] }, 'no engine'],
    [{ error: { code: 'x', message: 'no engine' } }, 'no engine'],
    [{ error: true, message: 'no engine' }, 'no engine'],
    [{ errors: ['one', 'two'] }, 'one'],
    [{ status: 'error', reason: 'no engine', matches: [] }, 'no engine'],
    [{ success: 'false', matches: [{ rule: 'A' }] }, ''],
    [{ data: { error: 'inside' } }, 'inside'],
    [{ unknown: { a: 1 }, error: 'after all' }, 'after all'],
  ])('%j', (reply, text) => expect(readScanReply(reply)).toEqual({ kind: 'failed', text }));
});

describe('a reply nobody understands is neither clean nor a hit', () => {
  it.each<[Json]>([
    [true],
    [false],
    [0],
    ['clean'],
    [''],
    [[null]],
    [[[]]],
    [[{}]],
    [['No matches found']],
    [[5]],
    [{ message: 'ok' }],
    [{ valid: true }],
    [{ verdict: 'clean' }],
    [{ alerts: [] }],
    [{ matches: [], verdict: 'bad' }],
    [{ matches: [], other: { a: 1 } }],
    [{ matches: [], alerts: [{ a: 1 }] }],
    [{ matches: [], Matches: [{ rule: 'A' }] }],
    [{ matches: [], results: [{ rule: 'A' }] }],
    [{ matches: [], has_matches: true }],
    [{ matches: [], count: 3 }],
    [{ matches: [{ rule: 'A' }], has_matches: false }],
    [{ has_matches: true }],
    [{ matches: 3 }],
    [{ matches: 'none' }],
    [{ matches: [{ rule: 'A' }, 5] }],
    [{ matches: [{ rule: 'A' }, { no: 'name' }] }],
    [{ matches: [{ rule: 'A', strings: [{ what: 1 }] }] }],
    [{ matches: [{ rule: '' }] }],
    [{ matches: [{ rule: 5 }] }],
    [{ matches: [{ rule: 'A', strings: [[-1, '$a', '']] }] }],
    [{ matches: [{ rule: 'A', strings: [[1.5, '$a', '']] }] }],
    [{ matches: [{ rule: 'A', strings: [[2 ** 60, '$a', '']] }] }],
    [{ matches: [{ rule: 'A', strings: [[1, '$a', {}]] }] }],
    [{ matches: [{ rule: 'A', meta: 'x' }] }],
    [{ matches: [{ rule: 'A', tags: [{}] }] }],
    [{ matches: [{ rule: 'A', more: { a: 1 } }] }],
    [{ matches: [{ rule: 'A', matched: false, strings: [[0, '$a', 'x']] }] }],
    [{ matches: [], publication: { version: '1', rules: [1] } }],
    [{ results: [{ name: 'sample', matches: [] }] }],
    [{ ok: true }],
    [{ 'not a rule': [[0, '$a', 'x']] }],
    [{ RuleA: 'yes' }],
    [{ RuleA: 5 }],
    [{ RuleA: true }],
    [{ result: false }],
    [{ success: true, result: false }],
    [{ success: true, result: 0 }],
    [{ scan: false }],
    [{ files: 0 }],
    [{ files: [] }],
    [{ files: {} }],
    [{ files: [], matches: [] }],
    [{ rules: false }],
    [{ scan_id: 'a', result: null }],
    [{ request_id: 'r', results: null, finished: null }],
    [{ data: '' }],
    [{ data: { results: null } }],
    [
      {
        files: [
          { filename: 'a', matches: [] },
          { filename: 'b', result: null },
        ],
      },
    ],
    [{ matches: [], rules: 0 }],
    [{ rules_loaded: 0, matches: [] }],
    [{ publication: { rules: 0 }, matches: [] }],
    [{ matches: [], ruleset: { version: '1', rule_count: '0' } }],
    [{ data: { matches: [], rules: 0 } }],
    [{ publication: { rules: 0 }, rules_scanned: 5, matches: [] }],
    [
      {
        files: [
          { matches: [], rules: 0 },
          { matches: [], rules: 5 },
        ],
      },
    ],
    [{ scan: { finished: false } }],
    [{ result: { started: true, finished: null } }],
    [{ matches: [], scan: false }],
  ])('%j', (reply) => expect(readScanReply(reply)).toEqual(notUnderstood));

  it('because a name that others have as well holds no list', () => {
    const names = [
      'result',
      'results',
      'data',
      'scan',
      'files',
      'rules',
      'response',
      'yara',
      'scan_result',
      'Scan-Results',
    ];
    const facts = fc.dictionary(
      fc.constantFrom('success', 'status', 'id', 'finished', 'rule_count', 'message'),
      fc.constantFrom<Json>(true, 1, 'ok', null, ''),
    );
    forAny(
      [fc.constantFrom(...names), fc.constantFrom<Json>(null, '', false, true, 0, 1, '0', 'false'), facts],
      (name, value, beside) => {
        expect(readScanReply({ ...beside, [name]: value })).toEqual(notUnderstood);
        expect(readScanReply({ ...beside, data: { [name]: value } })).toEqual(notUnderstood);
      },
    );
  });

  it('because it is nested too deeply', () => {
    const deep: Json = JSON.parse(`{"matches":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as Json;
    expect(readScanReply(deep)).toEqual(notUnderstood);
  });
});

describe('the rules', () => {
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
  ])('in %j', (reply) => expect(hitsOf(reply)).toEqual([a]));

  it('come by name, each once', () => {
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

  it('are of the version and the number that the service says', () => {
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

describe('the strings of a rule', () => {
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
  ])('in %j', (strings) => expect(stringsAre(strings)).toEqual(two));

  it('may be told one a match', () => {
    expect(
      matchesIn([
        { rule: 'A', id: '$a', offset: 0, data: 'MZ' },
        { rule: 'A', string: '$b', offset: 16, data: 'pi' },
      ]),
    ).toEqual(two);
  });

  it('are known without their places, or by their places alone', () => {
    expect(only([{ rule: 'A', strings: ['$a', '$a', { id: '$b', count: 7 }] }]).strings).toEqual([
      { id: '$a', matches: [], total: 1, isAtLeast: true },
      { id: '$b', matches: [], total: 7, isAtLeast: false },
    ]);
    expect(stringsAre({ $a: [3, '5'] })).toEqual(['$a@3=null', '$a@5=null']);
    expect(only({ rule: 'A', strings: [{ id: '$a', offset: 3, length: 9 }] }).strings[0]?.matches).toEqual([
      { offset: 3, length: 9, data: null },
    ]);
  });

  it('that matched nowhere are left out', () => {
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

describe('of too much', () => {
  const many = (count: number, id: string): Json[] =>
    Array.from({ length: count }, (_, index) => ({ id, offset: count - index, length: 2, data: '4d5a' }));

  it('the first matches of each string are kept, all of them are counted, and no rule is lost', () => {
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

  it('matches, strings, rules, tags, meta and texts are bounded', () => {
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

describe('of what the service left out itself', () => {
  it('places are counted, and it is said that they are not all here', () => {
    expect(
      readScanReply([
        {
          rule: 'A',
          strings: [
            { id: '$a', offset: 3, length: 2 },
            { id: '$a', total: 70_000 },
          ],
        },
      ]),
    ).toMatchObject({
      kind: 'matches',
      isCut: true,
      hits: [{ strings: [{ id: '$a', matches: [{ offset: 3 }], total: 70_000, isAtLeast: false }] }],
    });
    expect(
      readScanReply([
        {
          rule: 'A',
          strings: [
            { id: '$a', offset: 3 },
            { id: '$a', total: 1 },
          ],
        },
      ]),
    ).toMatchObject({ kind: 'matches', isCut: false });
  });

  it.each<[Json]>([
    [{ matches: ['A'], left_out: ['B', 'C'] }],
    [{ data: { matches: ['A'], leftOut: { 1: 'B' } } }],
    [{ matches: ['A'], 'left-out': ['space:B'] }],
  ])('rules are: %j is not all there is', (reply) =>
    expect(readScanReply(reply)).toMatchObject({ kind: 'matches', isCut: true, hits: [{ rule: 'A' }] }),
  );

  it.each<[Json]>([
    [{ matches: [], left_out: [] }],
    [{ matches: [], left_out: null }],
    [{ matches: {}, left_out: {} }],
  ])('nothing is: %j is clean', (reply) => expect(readScanReply(reply)).toEqual(clean));

  it.each<[Json]>([
    [{ matches: [], left_out: ['B'] }],
    [{ data: { matches: [] }, left_out: ['B'] }],
    [{ files: [{ filename: 'a', matches: [], left_out: ['B'] }] }],
    [{ left_out: ['B'] }],
    [{ left_out: [] }],
    [{ matches: ['A'], left_out: 'B' }],
    [{ matches: ['A'], left_out: 3 }],
    [{ matches: ['A'], left_out: [{ rule: 'B' }] }],
    [{ matches: ['A'], left_out: ['not a rule'] }],
  ])('%j is neither clean nor understood', (reply) => expect(readScanReply(reply)).toEqual(notUnderstood));

  it('is never clean, whatever else is said', () => {
    forAny(
      [
        fc.dictionary(
          fc.constantFrom('matches', 'results', 'has_matches', 'count', 'valid', 'status', 'publication'),
          fc.constantFrom<Json>([], {}, null, false, 0, true, 'ok'),
        ),
      ],
      (beside) => {
        expect(readScanReply({ ...beside, left_out: ['B'] })).not.toMatchObject({ kind: 'matches', hits: [] });
      },
    );
  });
});

it('secrets are hidden in every text, and none is cut in two', () => {
  const hide = (text: string): string => text.replaceAll(/secret|736563726574/gi, '-');
  const edge = (length: number): string => `${'x'.repeat(length - 3)}secret`;
  const match = {
    rule: edge(900),
    namespace: edge(200),
    tags: [edge(200)],
    meta: { [edge(200)]: edge(500) },
    strings: [
      [0, edge(200), edge(64)],
      [1, '$b', 'secret'],
    ],
  };
  const read = JSON.stringify(readScanReply({ version: edge(200), matches: [match] }, hide));
  expect(read).toContain('x');
  expect(read).not.toMatch(/xs|sec|736/);
  expect(readScanReply({ error: 'my secret' }, hide)).toEqual({ kind: 'failed', text: 'my -' });
  expect(
    JSON.stringify(
      readScanReply(
        [{ rule: 'A', strings: [{ id: '$a', offset: 0, hex: Buffer.from('my secret').toString('hex') }] }],
        hide,
      ),
    ),
  ).toContain('"data":null');
});

describe('any reply', () => {
  const names = [
    'matches',
    'results',
    'rule',
    'name',
    'identifier',
    'strings',
    'meta',
    'tags',
    'namespace',
    'offset',
    'length',
    'data',
    'id',
    '$a',
    'valid',
    'has_matches',
    'error',
    'count',
    'publication',
    'version',
    'left_out',
    'RuleA',
    '0',
    '__proto__',
    'constructor',
    '',
  ];
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>(null, true, false, '', '$a', 'RuleA', '4D5A', 0, 16, '16'),
      anyText,
      fc.double(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  const hit = ruleHit.omit({ place: true, family: true });

  it(
    'is read as hits that the contract takes, as a failure, or as nothing that is understood',
    () => {
      forAny(
        [
          fc.oneof(
            json,
            json.map((matches): Json => ({ matches })),
            json.map((strings): Json => [{ rule: 'A', strings }]),
          ),
        ],
        (reply) => {
          const read = readScanReply(reply);
          if (read.kind === 'matches') for (const each of read.hits) expect(hit.safeParse(each).error).toBeUndefined();
          else expect(['failed', 'not-understood']).toContain(read.kind);
        },
        1000,
      );
    },
    whenBusy,
  );

  it('with something strange beside its matches is never clean', () => {
    forAny(
      [fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean(), fc.constant({ a: 1 }), fc.constant([1]))],
      (strange) => {
        expect(readScanReply({ matches: [], strange: strange as Json })).toEqual(notUnderstood);
        expect(readScanReply({ matches: [strange as Json, { strange: true }] })).toEqual(notUnderstood);
      },
    );
  });
});
