/** A hit that a scripted rule editor reports. `at`: where in the file each string is, with the bytes there as text. */
export interface ReportedHit {
  rule: string;
  at: readonly { id: string; offset: number; text: string }[];
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const lower = ({ at }: ReportedHit) =>
  at.map(({ id, offset, text }) => ({ id, offset, length: Buffer.byteLength(text), data: hexOf(text) }));
const triples = ({ at }: ReportedHit) => at.map(({ id, offset, text }) => [offset, id, hexOf(text).toUpperCase()]);

/** The same hit in every shape that a rule editor may answer with (docs/services.md, "scanfile"). */
export const hitShapes: Readonly<Record<string, (hit: ReportedHit) => unknown>> = {
  'a list': (hit) => [{ rule: hit.rule, strings: lower(hit) }],
  matches: (hit) => ({ matches: [{ rule: hit.rule, strings: lower(hit) }] }),
  results: (hit) => ({ results: [{ name: hit.rule, strings: lower(hit) }] }),
  'valid, matches, has_matches': (hit) => ({
    valid: true,
    matches: [{ rule: hit.rule, strings: triples(hit) }],
    has_matches: true,
  }),
  'a map of rules to strings': (hit) => ({ [hit.rule]: triples(hit) }),
  'names in other letters': (hit) => ({
    Matches: [{ Identifier: hit.rule, Strings: lower(hit) }],
    'Has-Matches': true,
  }),
  'numbers as texts': (hit) => ({
    matches: [
      {
        rule: hit.rule,
        strings: lower(hit).map((string) => ({
          ...string,
          offset: String(string.offset),
          length: String(string.length),
        })),
      },
    ],
  }),
  'data as text': (hit) => [
    {
      rule: hit.rule,
      strings: hit.at.map(({ id, offset, text }) => ({ id, offset, length: Buffer.byteLength(text), data: text })),
    },
  ],
  'tags and meta of each kind': (hit) => [
    {
      identifier: hit.rule,
      namespace: 'default',
      tags: 'one,two',
      metas: [{ key: 'author', value: 'ana' }],
      strings: triples(hit),
    },
  ],
};

/** No rule matched. */
export const cleanShapes: Readonly<Record<string, unknown>> = {
  'an empty list': [],
  'an empty object': {},
  null: null,
  'no matches': { matches: [] },
  'no results': { results: [] },
  'valid without matches': { valid: true, matches: [], has_matches: false },
};

/** The service reports that it could not. */
export const failedShapes: Readonly<Record<string, unknown>> = {
  'not valid': { valid: false },
  'not valid, with a text': { valid: false, error: 'The rules do not compile' },
  'an error as text': { error: 'The scanner is not there' },
  'an error with a message': { error: { code: 'scan-failed', message: 'The scanner ended' } },
};

/** JSON without any statement about matches: neither a hit nor no hits. */
export const strangeShapes: Readonly<Record<string, unknown>> = {
  'a number': 42,
  'a text': 'done',
  true: true,
  numbers: [1, 2, 3],
  'another object': { status: 'queued', job: 17 },
  'matches that are no list': { matches: 'all of them' },
  'a match without a name': [{ strings: [] }],
  'a hit beside something else': [{ rule: 'known', strings: [] }, 7],
  'has_matches against matches': { valid: true, matches: [], has_matches: true },
};
