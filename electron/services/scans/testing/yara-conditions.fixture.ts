import fc from 'fast-check';
import {
  arithmetic,
  comparison,
  few,
  ofBytes,
  offset,
  ofModules,
  ofTexts,
  ofVariables,
} from './yara-expressions.fixture.ts';

/** What a condition may name. */
export interface Scope {
  /** Ids without the `$`. */
  patterns: readonly string[];
  /** Rules before it, in its namespace. */
  rules: readonly string[];
  /** Beginnings of such names, behind which no rule of the namespace that comes later takes one. */
  beginnings: readonly string[];
}

/** A condition as a scope lets it be written; null: it needs what the scope does not have. */
export type Condition = (scope: Scope) => string | null;

const nth = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
const place = fc.nat({ max: 11 });
const range = fc.tuple(offset, offset).map(([from, length]) => `(${from}..${from + length})`);
/** Of a loop. */
const quantifier = fc.constantFrom('any', 'all', '1', '2');
/** Of a set; YARA understands these behind a `for` in another way, or not at all. */
const quantifierOfSet = fc.oneof(quantifier, fc.constantFrom('none', '1%', '50%', '67%', '100%'));

const withPattern = (arbitrary: fc.Arbitrary<(id: string) => string>): fc.Arbitrary<Condition> =>
  fc.tuple(place, arbitrary).map(([index, write]) => ({ patterns }) => {
    const id = nth(patterns, index);
    return id === undefined ? null : write(id);
  });

const setOf = ({ patterns }: Scope, index: number): string | null => {
  const [first, second] = [nth(patterns, index), nth(patterns, index + 1)];
  if (first === undefined || second === undefined) return null;
  if (index % 3 === 0) return 'them';
  return index % 3 === 1
    ? `(${first === second ? `$${first}` : `$${first}, $${second}`})`
    : `($${first.slice(0, -1)}*)`;
};
const withSet = (arbitrary: fc.Arbitrary<(set: string) => string>): fc.Arbitrary<Condition> =>
  fc.tuple(place, arbitrary).map(([index, write]) => (scope) => {
    const set = setOf(scope, index);
    return set === null ? null : write(set);
  });

const ofPatterns = fc.oneof(
  withPattern(fc.constant((id) => `$${id}`)),
  withPattern(
    fc.tuple(comparison, few).map(
      ([sign, count]) =>
        (id) =>
          `#${id} ${sign} ${count}`,
    ),
  ),
  // From 0 alone: see the named differences.
  withPattern(
    fc.tuple(offset, comparison, few).map(
      ([to, sign, count]) =>
        (id) =>
          `#${id} in (0..${to}) ${sign} ${count}`,
    ),
  ),
  withPattern(
    fc.tuple(few, comparison, offset).map(
      ([index, sign, at]) =>
        (id) =>
          `@${id}[${index + 1}] ${sign} ${at}`,
    ),
  ),
  withPattern(
    fc.tuple(few, comparison, few).map(
      ([index, sign, length]) =>
        (id) =>
          `!${id}[${index + 1}] ${sign} ${length}`,
    ),
  ),
  withPattern(
    fc.tuple(comparison, offset).map(
      ([sign, at]) =>
        (id) =>
          `@${id} ${sign} ${at} or !${id} == 3`,
    ),
  ),
  withPattern(offset.map((at) => (id) => `$${id} at ${at}`)),
  withPattern(few.map((back) => (id) => `($${id} and $${id} at filesize - ${back} - !${id})`)),
  withPattern(range.map((where) => (id) => `$${id} in ${where}`)),
  withPattern(few.map((count) => (id) => `$${id} in (@${id} + ${count}..filesize)`)),
  withPattern(
    fc.tuple(quantifier, offset).map(
      ([many, at]) =>
        (id) =>
          `for ${many} i in (1..#${id}) : (@${id}[i] < ${at})`,
    ),
  ),
  withPattern(quantifier.map((many) => (id) => `for ${many} i in (1, 2, 3) : (#${id} == i and !${id}[i] > 1)`)),
  withPattern(fc.constant((id) => `for any i in (1..#${id}) : (for all j in (i..#${id}) : (@${id}[j] >= @${id}[i]))`)),
  withPattern(few.map((back) => (id) => `uint8(@${id} - ${back}) == 0x61 or uint16be(@${id}) > 0x6100`)),
  withPattern(fc.constant((id) => `defined @${id}[2] and not defined !${id}[3]`)),
  withSet(quantifierOfSet.map((many) => (set) => `${many} of ${set}`)),
  withSet(
    fc.tuple(fc.oneof(quantifier, fc.constant('none')), range).map(
      ([many, where]) =>
        (set) =>
          `${many} of ${set} in ${where}`,
    ),
  ),
  withSet(
    fc.tuple(quantifier, offset).map(
      ([many, at]) =>
        (set) =>
          `for ${many} of ${set} : ($ at ${at})`,
    ),
  ),
  withSet(
    fc.tuple(quantifier, comparison, few).map(
      ([many, sign, count]) =>
        (set) =>
          `for ${many} of ${set} : (# ${sign} ${count} and @ < 40)`,
    ),
  ),
  withSet(
    fc.tuple(quantifier, few).map(
      ([many, length]) =>
        (set) =>
          `for ${many} of ${set} : (! > ${length})`,
    ),
  ),
);

const ofRules: fc.Arbitrary<Condition> = fc
  .tuple(place, place, fc.oneof(quantifier, fc.constant('none')))
  .map(([index, form, many]) => ({ rules, beginnings }) => {
    const [rule, second, beginning] = [nth(rules, index), nth(rules, index + 1), nth(beginnings, index)];
    if (rule === undefined || second === undefined) return null;
    // No number: for YARA a name that another namespace has, too, counts twice. See the named differences.
    if (form % 4 === 0 && beginning !== undefined) return `${/\d/.test(many) ? 'any' : many} of (${beginning}*)`;
    if (form % 4 === 1) return `${many} of (${rule === second ? rule : `${rule}, ${second}`})`;
    return form % 4 === 2 ? rule : `not ${rule}`;
  });

const plain = fc
  .oneof(
    { weight: 2, arbitrary: ofBytes },
    arithmetic,
    ofTexts,
    fc.constantFrom(
      'true',
      'false',
      'for any i in (1..3) : (filesize == i * 20 or filesize > 50)',
      'for all i in (0..filesize) : (uint8(i) != 0x5b)',
      'for 2 i in (0, 9, 30) : (uint8(i) == 0x61)',
    ),
  )
  .map(
    (written): Condition =>
      () =>
        written,
  );
const modules = ofModules.map(
  (written): Condition =>
    () =>
      written,
);

/** null where neither can be written. */
const joined =
  (first: Condition, sign: string, second: Condition): Condition =>
  (scope) => {
    const [one, other] = [first(scope), second(scope)];
    return one === null || other === null ? (one ?? other) : `${one} ${sign} ${other}`;
  };
const inParentheses =
  (front: string, inner: Condition): Condition =>
  (scope) => {
    const written = inner(scope);
    return written === null ? null : `${front}(${written})`;
  };

const { condition } = fc.letrec<{ condition: Condition; leaf: Condition }>((tie) => ({
  leaf: fc.oneof(
    { weight: 5, arbitrary: ofPatterns },
    { weight: 2, arbitrary: plain },
    { weight: 2, arbitrary: ofRules },
    modules,
  ),
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: tie('leaf') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('condition'), fc.constantFrom('and', 'or', 'or'), tie('condition'))
        .map(([first, sign, second]) => joined(first, sign, second)),
    },
    fc.tuple(fc.constantFrom('', 'not '), tie('condition')).map(([front, inner]) => inParentheses(front, inner)),
  ),
}));

/** Asks for nothing but the bytes and other rules. */
export const conditionOfBytes = condition;
/** Asks for a variable, too. */
export const conditionOfNames: fc.Arbitrary<Condition> = fc
  .tuple(ofVariables, fc.constantFrom('and', 'or', 'and not'), fc.option(condition, { nil: null, freq: 1 }))
  .map(([asked, sign, other]) => (other === null ? () => asked : joined(() => asked, sign, inParentheses('', other))));
