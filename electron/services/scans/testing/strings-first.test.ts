import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { longAfter } from '../../../../shared/testing/long-after.ts';
import { loadNative, nativeEngine } from '../../../rules/engine/native-yara.ts';
import {
  type CompiledRules,
  type EngineHit,
  RefusedRulesError,
  type ScanEngine,
} from '../../../rules/engine/scan-engine.ts';
import { StringsFirst } from '../../../rules/engine/strings-first.ts';
import { packageOf, type Texts } from '../../../rules/library/package.fixture.ts';
import { usablePieces } from '../../../rules/library/usable-rules.ts';
import { programOf, type RuleProgram, withStringsFirst } from '../../../rules/scanning/rule-program.ts';
import { openScanSession } from '../../../rules/scanning/scan-session.ts';
import type { ScanVerdict } from '../../../rules/scanning/scan-verdict.ts';
import { scanWorkerProcess } from '../native-engine.ts';
import type { ScanSource } from '../read-scan-source.ts';
import { valuesOf } from './against-yara.fixture.ts';
import { ordersFor, processes } from './scan-session.ts';
import { ruleCase, type RuleCase } from './yara-cases.fixture.ts';

const engine = ((): ScanEngine | null => {
  try {
    loadNative();
    return nativeEngine();
  } catch {
    return null;
  }
})();
const unwatched = { compiles: async () => undefined, compiled: async () => undefined };
const variables = (['filename', 'extension', 'filepath'] as const).map((name) => ({
  name,
  type: 'text' as const,
  value: '',
}));

/** What engines compile of files of rules, without global ones. */
function sourceOf(texts: Texts): string {
  const { imports, rules } = usablePieces(packageOf(texts), 0);
  return [
    ...imports.map((name) => `import "${name}"`),
    ...rules.filter(({ isGlobal }) => !isGlobal).map(({ text }) => text),
  ].join('\n');
}

const byRule = (hits: readonly EngineHit[]): object =>
  Object.fromEntries(
    hits.map(({ rule, matches }) => [
      rule,
      matches.map(({ identifier, offset, length }) => [identifier, offset, length]),
    ]),
  );

interface Seen {
  hits: number;
  /** Programs that were compiled because a string was found. */
  demanded: number;
}

/** So that it reports strings whatever its conditions require. */
const searching = 'private rule searching { strings: $a = { 01 ab cd ef 45 67 89 10 } condition: $a }';

/** null: something is missing without global rules. */
function compiled(native: ScanEngine, source: string): CompiledRules | null {
  try {
    return native.compile(source, variables);
  } catch (error) {
    if (error instanceof RefusedRulesError) return null;
    throw error;
  }
}

/** @throws where the two do not say the same of a file */
async function compare(native: ScanEngine, one: RuleCase): Promise<Seen> {
  const source = sourceOf(one.texts(null));
  const seen: Seen = { hits: 0, demanded: 0 };
  const whole = compiled(native, `${source}\n${searching}`);
  if (whole === null) return seen;
  let isOpen = false;
  const compile = (part: string): CompiledRules => {
    if (isOpen) seen.demanded += 1;
    return native.compile(part, variables);
  };
  const first = new StringsFirst(source, { compile, collect: () => undefined }, { mostDemanded: 100, leastProbed: 0 });
  isOpen = true;
  for (const { name, bytes } of one.scanned) {
    const values = valuesOf(`/somewhere/${name}`);
    const texts = whole.takes(values) ? values : {};
    const expected = byRule(whole.scan(bytes, texts));
    expect(byRule(await first.scan(bytes, texts, unwatched))).toEqual(expected);
    seen.hits += Object.keys(expected).length;
  }
  return seen;
}

const random = (): number => Math.floor(Math.random() * 0x7fffffff);
const seeds = [
  { seed: 11, cases: 25 },
  { seed: 12, cases: 15 },
  ...Array.from({ length: 6 }, () => ({ seed: random(), cases: 500 })),
];

for (const { tags, cases } of longAfter(2, seeds)) {
  test.runIf(engine !== null).each(cases)(
    'generated rules hit the same with strings first as without, seed $seed',
    { tags, timeout: 180_000 },
    async ({ seed, cases: numRuns }) => {
      const all: Seen = { hits: 0, demanded: 0 };
      await fc.assert(
        fc.asyncProperty(ruleCase({ namespaces: true, variables: true, asks: true }), async (one) => {
          const { hits, demanded } = engine === null ? { hits: 0, demanded: 0 } : await compare(engine, one);
          all.hits += hits;
          all.demanded += demanded;
          engine?.collect();
          await setImmediate();
        }),
        { seed, numRuns, interruptAfterTimeLimit: 120_000 },
      );
      expect(all.hits).toBeGreaterThan(numRuns / 10);
      expect(all.demanded).toBeGreaterThan(numRuns / 10);
    },
  );
}

const count = 1200;
/** Every third uses a helper, every hundredth another rule far away; some hit where no string of theirs is. */
const many = [
  'private rule helper { strings: $a = "mark" condition: $a }\n',
  ...Array.from(
    { length: count },
    (_, index) =>
      `rule r${index} { strings: $a = "t${index}." condition: $a${index % 3 === 0 ? ' and helper' : ''}` +
      `${index % 100 === 99 ? ' and not r1' : ''} }\n`,
  ),
  'rule small { strings: $a = "nowhere" condition: $a or filesize == 3 }\n',
  'rule unmarked { strings: $a = "mark" condition: not $a and filesize < 6 }\n',
  'rule hidden { strings: $a = "mark" private condition: #a > 1 }\n',
].join('');
const texts = [
  't0. mark',
  't0.',
  't3. t1199. t600. mark',
  't1. t99. t199.',
  't99.',
  'abc',
  // More matches than are kept of a file.
  [0, 300, 600, 900, 1191].map((rule) => `t${rule}. `.repeat(2000)).join('mark'),
];

describe.runIf(engine !== null)('a scan with strings first', () => {
  const programFor = (rules: string): RuleProgram => {
    const { imports, rules: all } = usablePieces(packageOf({ 'a.yar': rules }), 0);
    return programOf({ imports, rules: all }, null);
  };

  async function scanned(program: RuleProgram, leftOut: string[] = []): Promise<ScanVerdict[]> {
    const session = await openScanSession<ScanSource>({
      program,
      engine: 'native',
      workers: 2,
      startScanWorker: () => scanWorkerProcess(processes),
      signal: new AbortController().signal,
      limits: { fileSeconds: 1 },
      leftOut: (rule, reason) => leftOut.push(`${rule} ${reason}`),
    });
    onTestFinished(() => session.close());
    return Promise.all(
      ordersFor(Object.fromEntries(texts.map((text, index) => [`f${index}`, text]))).map((order) =>
        session.scan(order),
      ),
    );
  }

  const withoutTime = (verdicts: readonly ScanVerdict[]): object[] =>
    verdicts.map((verdict) => (verdict.kind === 'scanned' ? { ...verdict, elapsedMs: 0 } : verdict));
  const rulesIn = (verdicts: readonly ScanVerdict[]): string[] =>
    verdicts.map((verdict) =>
      verdict.kind === 'scanned' ? verdict.found.map(({ rule }) => rule).join(' ') : verdict.kind,
    );

  test('finds the same as one that compiles all rules, to the last match', async () => {
    const program = programFor(many);
    const first = await scanned(withStringsFirst(program));
    expect(withoutTime(first)).toEqual(withoutTime(await scanned(program)));
    expect(rulesIn(first)).toEqual([
      'r0',
      'small unmarked',
      'r1199 r3 r600',
      'r1',
      'unmarked',
      'small unmarked',
      'hidden r0 r1191 r300 r600 r900',
    ]);
  });

  test(
    'leaves out an endless rule like one that compiles all rules, and finds all else',
    { tags: ['long'] },
    async () => {
      const endless = many.replace(
        'private rule helper { strings: $a = "mark" condition: $a }',
        'private rule helper { strings: $a = "mark" condition: $a and for all i in (0..9223372036854775806) : ' +
          '(i >= 0) }',
      );
      const leftOut: string[] = [];
      expect(rulesIn(await scanned(withStringsFirst(programFor(endless)), leftOut))).toEqual([
        '',
        'unmarked',
        'r1199',
        'r1',
        'unmarked',
        'small unmarked',
        'hidden',
      ]);
      expect(leftOut).toContain('helper endless');
      expect(leftOut).toContain('r0 endless');
    },
  );

  test('is not made when a global rule decides over all, nor when rules are few', () => {
    for (const rules of [`global rule g { condition: true }\n${many}`, 'rule a { condition: true }'])
      expect(withStringsFirst(programFor(rules)).stringsFirst).toBeUndefined();
    expect(withStringsFirst(programFor(many)).stringsFirst).toBe(true);
  });
});
