import { ruleHit } from '../../../shared/domain/scan.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { facts, mustBeWithoutSecret, readOrFailed, replyInputs, replyOf } from './reply-inputs.fixture.ts';
import { hitBounds, readScanBytes } from './scan-reply.ts';

const names = [
  'matches',
  'results',
  'hits',
  'rules',
  'rule',
  'rule_name',
  'name',
  'identifier',
  'namespace',
  'tags',
  'meta',
  'metadata',
  'strings',
  'matched_strings',
  'patterns',
  'offset',
  'length',
  'data',
  'hex',
  'text',
  'string',
  'id',
  'instances',
  'count',
  'total',
  '$a',
  '$b1',
  'valid',
  'has_matches',
  'matched',
  'hit',
  'error',
  'message',
  'status',
  'publication',
  'package',
  'version',
  'left_out',
  'leftout',
  'files',
  'file',
  'infos',
  'RuleA',
  'space:rule',
];
const values = [
  'RuleA',
  'space:rule',
  '$a',
  '$a1',
  '4D5A9000',
  '0x10',
  'MZ\u0090',
  'TVqQAAMAAAA=',
  'clean',
  'no match',
  [0, '$a', '4d5a'],
  ['$a', [0, 16]],
  { rule: 'A' },
  2 ** 53 - 1,
  true,
];
const hit = ruleHit.omit({ place: true, family: true });
const sound = [
  {
    matches: [
      {
        rule: 'A',
        namespace: 'n',
        tags: ['t'],
        meta: { author: 'x', score: 3 },
        strings: [
          [0, '$a', '4d5a'],
          [16, '$b', 'MZ'],
        ],
      },
    ],
  },
  {
    valid: true,
    publication: { version: '1.4', rules: 3 },
    results: [
      {
        rule_name: 'A',
        matched_strings: [{ identifier: '$a', instances: [{ offset: 0, matched_length: 2, matched_data: 'MZ' }] }],
      },
    ],
  },
  { A: { $a: [0, 16] }, B: [] },
  ['A', 'space:B'],
  { matches: [], left_out: ['C'] },
  { error: 'no package' },
  [],
];

function hasNoHits(text: string): boolean {
  const read = readOrFailed(
    () => readScanBytes(replyOf(text), facts),
    ['empty-reply', 'html-reply', 'text-around-json', 'unreadable-reply', 'service-failed'],
  );
  return read?.reading.kind === 'matches' && read.reading.hits.length === 0;
}

export const target = fuzzTarget({
  name: 'scan-reply',
  reads: 'the reply to `scanfile`, in every known form',
  holds: 'valid hits, bounded, each rule once, without the token; unknown content is never read as no hits',
  ...replyInputs(names, values, sound),
  attack(text) {
    const read = readOrFailed(
      () => readScanBytes(replyOf(text), facts),
      ['empty-reply', 'html-reply', 'text-around-json', 'unreadable-reply', 'service-failed'],
    );
    if (read === undefined) return;
    mustBeWithoutSecret(read);
    if (read.reading.kind !== 'matches') return;
    const { hits } = read.reading;
    if (hits.length === 0 && text.startsWith('{'))
      mustHold(!hasNoHits(text.replace('{', '{"matches":["Another"],')), 'it is clean beside a match');
    for (const each of hits) mustHold(hit.safeParse(each).success, 'the contract does not take a hit');
    mustHold(
      new Set(hits.map(({ rule }) => rule)).size === hits.length && hits.length <= hitBounds.rules,
      'a rule comes twice, or too many come',
    );
    const matches = hits.flatMap(({ strings }) => strings.flatMap((string) => string.matches));
    mustHold(matches.length <= hitBounds.matches, 'there are more matches than are kept');
  },
});
