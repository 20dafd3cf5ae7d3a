import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { ruleHit } from '../../../shared/domain/scan.ts';
import { anyText, forAny, whenBusy } from '../../base/property.fixture.ts';
import { readScanReply, type ScanReading } from './scan-reply.ts';

const clean: ScanReading = { kind: 'matches', hits: [], version: null, rules: null, isCut: false };
const notUnderstood: ScanReading = { kind: 'not-understood' };

describe('a scan reply without a match', () => {
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

describe('a reply of a failed scan', () => {
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

describe('a scan reply that counts neither as no hits nor as a hit', () => {
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

  it('has no list under a name that other formats share', () => {
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

  it('is nested too deeply', () => {
    const deep: Json = JSON.parse(`{"matches":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as Json;
    expect(readScanReply(deep)).toEqual(notUnderstood);
  });
});

describe('a reply with omissions by the service', () => {
  it('counts the match offsets and marks them as incomplete', () => {
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
  ])('is incomplete when it left out rules: %j', (reply) =>
    expect(readScanReply(reply)).toMatchObject({ kind: 'matches', isCut: true, hits: [{ rule: 'A' }] }),
  );

  it.each<[Json]>([
    [{ matches: [], left_out: [] }],
    [{ matches: [], left_out: null }],
    [{ matches: {}, left_out: {} }],
  ])('has no hits when it left out nothing: %j', (reply) => expect(readScanReply(reply)).toEqual(clean));

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
  ])('%j is neither no hits nor understood', (reply) => expect(readScanReply(reply)).toEqual(notUnderstood));

  it('never means no hits, whatever else it contains', () => {
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

it('secrets are hidden in every text of a scan reply, and none is cut in two', () => {
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

describe('any scan reply', () => {
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
    'is read as hits of the contract, as a failure, or as not understood',
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

  it('with an unexpected value beside its matches never means no hits', () => {
    forAny(
      [fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean(), fc.constant({ a: 1 }), fc.constant([1]))],
      (strange) => {
        expect(readScanReply({ matches: [], strange: strange as Json })).toEqual(notUnderstood);
        expect(readScanReply({ matches: [strange as Json, { strange: true }] })).toEqual(notUnderstood);
      },
    );
  });
});
