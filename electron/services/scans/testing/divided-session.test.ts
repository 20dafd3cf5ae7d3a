import { describe, expect, onTestFinished, test } from 'vitest';
import { loadNative } from '../../../rules/engine/native-yara.ts';
import { packageOf } from '../../../rules/library/package.fixture.ts';
import { usablePieces } from '../../../rules/library/usable-pieces.ts';
import type { RulePieces } from '../../../rules/rule-pieces.ts';
import { dividedProgram, openDividedSession } from '../../../rules/scanning/divided-session.ts';
import { programOf, type RuleProgram } from '../../../rules/scanning/rule-program.ts';
import type { ScanVerdict } from '../../../rules/scanning/scan-verdict.ts';
import { processLane } from '../process-lane.ts';
import type { ScanSource } from '../read-scan-source.ts';
import { ordersFor, processes } from './scan-session.ts';

const engine = hasNative() ? 'native' : 'wasm';

function hasNative(): boolean {
  try {
    return loadNative() !== null;
  } catch {
    return false;
  }
}

function piecesOf(rules: string): RulePieces {
  const { imports, rules: all } = usablePieces(packageOf({ 'a.yar': rules }), 0);
  return { imports, rules: all };
}

const count = 1200;
/** Every third uses a helper, every hundredth another rule far away. */
const many = [
  'private rule helper { strings: $a = "mark" condition: $a }\n',
  ...Array.from({ length: count }, (_, index) => `rule r${index} { strings: $a = "t${index}." condition: $a${index % 3 === 0 ? ' and helper' : ''}${index % 100 === 99 ? ' and not r1' : ''} }\n`),
].join('');

describe('a divided program', () => {
  test('has each rule in one part, with what it uses', () => {
    const program = programOf(piecesOf(many), null);
    const parts = dividedProgram(program, 2);
    expect(parts).toHaveLength(2);
    expect(parts.flatMap(({ reported }) => reported).toSorted()).toEqual(program.reported.toSorted());
    for (const { pieces, reported } of parts) {
      const names = new Set(pieces.rules.map(({ name }) => name));
      expect(pieces.rules.every(({ uses }) => uses.every((used) => names.has(used)))).toBe(true);
      expect(reported.length).toBeGreaterThan(count / 4);
    }
  });

  test('is in one part where a global rule decides over all, where rules are few, and for one lane', () => {
    for (const [rules, lanes] of [[`global rule g { condition: true }\n${many}`, 2], ['rule a { condition: true }', 2], [many, 1]] as const) {
      const program = programOf(piecesOf(rules), null);
      expect(dividedProgram(program, lanes)).toEqual([program]);
    }
  });
});

async function scanned(parts: readonly RuleProgram[], leftOut: string[] = []): Promise<ScanVerdict[]> {
  const session = await openDividedSession<ScanSource>(parts, {
    engine, lanes: 2, startLane: () => processLane(processes), signal: new AbortController().signal, limits: { fileSeconds: 1 },
    leftOut: (rule, reason) => leftOut.push(`${rule} ${reason}`),
  });
  onTestFinished(() => session.close());
  const texts = [
    't0. mark', 't0.', 't3. t1199. t600. mark', 't1. t99. t199.', 't99.', '',
    // More matches than are kept of a file, in rules of both parts.
    [0, 300, 600, 900, 1191].map((rule) => `t${rule}. `.repeat(2000)).join('mark'),
  ];
  return Promise.all(ordersFor(Object.fromEntries(texts.map((text, index) => [`f${index}`, text]))).map((order) => session.scan(order)));
}

const withoutTime = (verdicts: readonly ScanVerdict[]): object[] => verdicts.map((verdict) => (verdict.kind === 'scanned' ? { ...verdict, elapsedMs: 0 } : verdict));

test('what a divided program finds is what the whole one finds, to the last match', async () => {
  const program = programOf(piecesOf(many), null);
  const [divided, whole] = [await scanned(dividedProgram(program, 2)), await scanned([program])];
  expect(withoutTime(divided)).toEqual(withoutTime(whole));
  expect(divided.map((verdict) => (verdict.kind === 'scanned' ? [verdict.found.map(({ rule }) => rule).join(' '), verdict.isCut] : verdict.kind))).toEqual([
    ['r0', false], ['', false], ['r1199 r3 r600', false], ['r1', false], ['', false], ['', false], ['r0 r1191 r300 r600 r900', true],
  ]);
});

test('a helper that is left out is left out of both parts, and all else is found', { tags: ['long'] }, async () => {
  const endless = many.replace('private rule helper { strings: $a = "mark" condition: $a }', 'private rule helper { strings: $a = "mark" condition: $a and for all i in (0..9223372036854775806) : (i >= 0) }');
  const leftOut: string[] = [];
  const verdicts = await scanned(dividedProgram(programOf(piecesOf(endless), null), 2), leftOut);
  expect(verdicts.map((verdict) => (verdict.kind === 'scanned' ? verdict.found.map(({ rule }) => rule).join(' ') : verdict.kind))).toEqual(['', '', 'r1199', 'r1', '', '', '']);
  expect(leftOut.filter((one) => one === 'helper endless')).toHaveLength(2);
  expect(new Set(leftOut).has('r0 endless')).toBe(true);
});
