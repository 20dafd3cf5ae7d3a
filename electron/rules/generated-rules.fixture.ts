import fc from 'fast-check';

export interface GeneratedRule {
  name: string;
  isGlobal: boolean;
  isPrivate: boolean;
  tags: string[];
  meta: { key: string; value: string; written: string }[];
  /** As they are written, without layout. */
  strings: string[];
  condition: string[];
}

const name = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,5}$/).map((text) => `x_${text}`);
const plain = fc.constantFrom(
  { written: '"a // b"', value: 'a // b' },
  { written: '"rule b { } \\""', value: 'rule b { } "' },
  { written: '""', value: '' },
  { written: '"\\x41\\t\\\\"', value: 'A\t\\' },
  { written: '"汉😀\\xc3\\xa9"', value: '汉😀é' },
  { written: '"""two\nlines"""', value: 'two\nlines' },
);
const metaValue = fc.oneof(
  plain,
  fc.constantFrom('0', '-5', 'true', 'false', '0x1F', '1.5').map((written) => ({ written, value: written })),
);
const entry = fc.record({ key: name, of: metaValue }).map(({ key, of }) => ({ key, ...of }));
const string = fc.constantFrom(
  '$a="}rule c {" wide ascii',
  '$b={01 02 [2-4] (A? | ~B0)}',
  '$c={ 01 /* } rule d { */ 02 // }\n 03 }',
  '$d=/[a"}]\\/{2}rule e \\{/is nocase',
  '$="//" private',
  '$f={??}',
  '$g=/"/',
);
const condition = fc.constantFrom(
  'any of them',
  'for all i in (1..#a):(@a[i]<1MB)',
  'pe.sections[0].name=="}{"',
  'uint16(0)==0x5A4D',
  'x_a',
  'not x_b',
  'filename matches /\\/*"{/i',
  '$a at 0',
  'with k=2:(k==4\\2)',
);

const rule: fc.Arbitrary<GeneratedRule> = fc.record({
  name,
  isGlobal: fc.boolean(),
  isPrivate: fc.boolean(),
  tags: fc.array(name, { maxLength: 3 }),
  meta: fc.array(entry, { maxLength: 3 }),
  strings: fc.array(string, { maxLength: 3 }),
  condition: fc.array(condition, { minLength: 1, maxLength: 2 }),
});
export const generatedRules = fc.uniqueArray(rule, { maxLength: 8, selector: (generated) => generated.name });

/** Something that is allowed between any two tokens, and something that is required. */
export const layout = fc.constantFrom(' ', '\n', '\r\n  ', '\t', ' /* rule x { " */ ', ' // } rule y { "\n', '\n\n');

/** A rule as its text, with the layout between the parts. */
export function writeRule(generated: GeneratedRule, gap: string): string {
  const { isGlobal, isPrivate, tags, meta, strings } = generated;
  const parts = [
    ...(isPrivate ? ['private'] : []),
    ...(isGlobal ? ['global'] : []),
    'rule',
    generated.name,
    ...(tags.length > 0 ? [':', ...tags] : []),
    '{',
    ...(meta.length > 0 ? ['meta', ':', ...meta.map(({ key, written }) => `${key}${gap}=${gap}${written}`)] : []),
    ...(strings.length > 0 ? ['strings', ':', ...strings] : []),
    'condition',
    ':',
    generated.condition.join(`${gap}and${gap}`),
    '}',
  ];
  return parts.join(gap);
}
