import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { FailureError } from '../../shared/failure.ts';
import { textOfWords } from '../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../shared/testing/input-forms.ts';
import { generatedRules, layout, writeRule } from './generated-rules.fixture.ts';
import { type PackageLimits, packageLimits } from './package-files.ts';
import { parsePackage } from './parse-package.ts';
import type { ParsedRule } from './parsed-package.ts';
import { bindRules, textForEngine } from './rule-binding.ts';
import { type Span, splitRules } from './split-rules.ts';

const words = [
  'rule ',
  'rule',
  ' a',
  ' a1',
  ' {',
  '}',
  ' : ',
  'private ',
  'global ',
  'import ',
  'include ',
  '"pe"',
  '"b.yar"',
  '"../x"',
  '"../a.yar"',
  '"c/./a.yar"',
  '"a.yar"',
  '"file:x"',
  '"C:x"',
  '"/etc/passwd"',
  'meta:',
  'strings:',
  'condition:',
  ' true ',
  '$a = ',
  '"x"',
  '"\\"',
  '"\\x41\\',
  '"""',
  '/r/is',
  '/[/]/',
  '{ 01 ?? [2-4] ( A | B ) }',
  '{ 01',
  '{ 01 /* } */ 02 // }\n 03 }',
  '{ /',
  ' wide ',
  '//',
  '/*',
  '*/',
  '\n',
  '\r',
  '\r\n',
  ' = ',
  '-5',
  '0x10',
  '1.5',
  ' and ',
  ' x_a ',
  'for all i in (1..2) : ( ',
  ')',
  '\0',
  '\ufffd',
  '\ufeff',
  'r'.repeat(300),
];
const whole = fc
  .tuple(generatedRules, layout)
  .map(([rules, gap]) => rules.map((rule) => writeRule(rule, gap)).join(gap));
const limits: PackageLimits = { ...packageLimits, rules: 500, particulars: 2000 };
const sound =
  'import "pe"\nprivate rule a : t u { meta: x = "1" y = -2 strings: $a = "b\\x41" $b = { 01 ?? } $c = /r/ ' +
  'condition: $a and pe.x }\ninclude "b.yar"\nglobal rule b { condition: a }\n';

export const target = fuzzTarget({
  name: 'rules',
  reads: 'a file of YARA rules, and a package of three of them that include each other',
  holds:
    'rules and statements are in order and never overlap; every rule has a place, tags, meta, names and a ' +
    'fingerprint; its engine source keeps its lines; no more than the limits',
  form: bytesForm,
  seeds: [
    Buffer.from(sound),
    Buffer.from(sound.replaceAll('\n', '\r\n'), 'utf16le'),
    Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(sound), 0xff, 0xfe]),
  ],
  made: fc.oneof(textOfWords(words, 60), whole).map((text) => Buffer.from(text)),
  attack(bytes) {
    mustBeInOrder(new TextDecoder().decode(bytes));
    const parsed = readAll(bytes);
    if (parsed === null) return;
    mustHold(parsed.rules.length <= limits.rules, 'there are more rules than the limit');
    for (const [index, rule] of parsed.rules.entries()) {
      mustHold(rule.number === index && rule.line >= 1 && rule.endLine >= rule.line, 'a rule has no place');
      mustHold(
        printsOf(rule).every((print) => print === null || /^[0-9a-f]{64}$/.test(print)),
        'a rule has no print',
      );
      mustHold(
        rule.tags.every((tag) => tag !== '') && rule.meta.every(({ key }) => key !== ''),
        'what is said of a rule is empty',
      );
      mustHold(
        rule.names.mentions.every(
          ({ name, start, end }) =>
            name !== '' && start >= (rule.condition?.start ?? 0) && end <= (rule.condition?.end ?? 0),
        ),
        'a name lies outside of the condition',
      );
    }
    for (const instance of bindRules(parsed, () => false).instances) {
      const { text } = parsed.files.find(({ path }) => path === instance.rule.file) ?? { text: '' };
      const lines = textForEngine(instance, text, { isGuarded: true }).split('\n').length;
      mustHold(
        lines === text.slice(instance.rule.start, instance.rule.end).split('\n').length,
        'what an engine gets has other lines',
      );
    }
    for (const { includes } of parsed.files)
      for (const { target: path } of includes)
        mustHold(path === null || ['a.yar', 'b.yar', 'c/a.yar'].includes(path), 'an include leads out of the package');
  },
});

/** Asked for one by one: each is made only then. */
function printsOf({ prints: { text, modifiers, tags, meta, strings, condition } }: ParsedRule): (string | null)[] {
  return [text, modifiers, tags, meta, strings, condition];
}

function readAll(bytes: Uint8Array): ReturnType<typeof parsePackage> | null {
  const half = bytes.subarray(0, bytes.length >> 1);
  try {
    return parsePackage(
      [
        { path: 'a.yar', bytes },
        { path: 'b.yar', bytes: half },
        { path: 'c/a.yar', bytes },
      ],
      new Map(),
      limits,
    );
  } catch (error) {
    if (error instanceof FailureError && ['archive-limit', 'package-too-large'].includes(error.failure.kind))
      return null;
    throw error;
  }
}

function mustBeInOrder(source: string): void {
  const { rules, imports, includes } = splitRules(source);
  let end = 0;
  for (const item of [...rules, ...imports, ...includes].toSorted((one, other) => one.start - other.start)) {
    mustHold(item.start >= end && item.end > item.start && item.end <= source.length, 'two of them overlap');
    ({ end } = item);
  }
  for (const { start, end: last, tags, meta, strings, condition } of rules) {
    for (const part of [tags, meta, strings, condition])
      mustHold(part === null || liesIn(part, { start, end: last }), 'a part lies outside of its rule');
  }
}

const liesIn = (part: Span, rule: Span): boolean =>
  rule.start <= part.start && part.start <= part.end && part.end <= rule.end;
