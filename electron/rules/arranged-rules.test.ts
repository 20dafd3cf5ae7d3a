import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrangedRules } from './arranged-rules.ts';
import { generatedRules, writeRule } from './generated-rules.fixture.ts';

const arranged = (text: string): string => Buffer.from(arrangedRules(Buffer.from(text)).bytes).toString();
const namesIn = (text: string): string[] => [...arranged(text).matchAll(/\brule (\w+)/g)].map(([, name = '']) => name);
const rule = (name: string, condition = 'true'): string => `rule ${name} { condition: ${condition} }\n\n`;

test('an arranged file has the same bytes whatever order its rules came in', () => {
  const parts = [
    `/*\nthe second é\n*/\nrule b : one two\n{\n    condition:\n        a\n}\n\n`,
    rule('a'),
    `// of c\nprivate ${rule('c', 'filesize > 1')}`,
  ];
  const head = 'import "pe"\nimport "math"\n\n';
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ];
  const results = orders.map((order) => arranged(head + order.map((at) => parts[at]).join('')));
  expect(new Set(results).size).toBe(1);
  expect(results[0]).toBe(
    `import "pe"\nimport "math"\n\n` +
      `rule a { condition: true }\n\n` +
      `/*\nthe second é\n*/\nrule b : one two\n{\n    condition:\n        a\n}\n\n` +
      `// of c\nprivate rule c { condition: filesize > 1 }\n`,
  );
});

test('an arranged file has a rule below all that it uses, by name and by star', () => {
  expect(namesIn(rule('a', 'z and m') + rule('m', 'z') + rule('z'))).toEqual(['z', 'm', 'a']);
  expect(namesIn(rule('every', 'any of (help_*)') + rule('help_1') + rule('help_2'))).toEqual([
    'help_1',
    'help_2',
    'every',
  ]);
});

test('an arranged file has rules that use each other, or have one name, in an order of their own', () => {
  expect(namesIn(rule('b', 'a') + rule('a', 'b'))).toEqual(['b', 'a']);
  expect(arranged(rule('a', 'true') + rule('a', 'false'))).toBe(arranged(rule('a', 'false') + rule('a', 'true')));
});

test('an arranged file keeps text that is in no rule with the rule below it', () => {
  const text = `${rule('b')}/* a comment */ that ended */\n${rule('a')}// the end`;
  expect(arranged(text)).toBe(
    '/* a comment */ that ended */\nrule a { condition: true }\n\nrule b { condition: true }\n\n// the end\n',
  );
});

test.each([
  ['a rule does not end', 'rule b { condition: true }\nrule a { condition: (true\n'],
  ['a comment does not end', 'rule b { condition: true }\nrule a { condition: true }\n/* open'],
  ['it includes another', 'include "x.yar"\nrule b { condition: true }\nrule a { condition: true }\n'],
  ['it imports below a rule', 'rule b { condition: true }\nimport "pe"\nrule a { condition: true }\n'],
])('an arranged file is as it came where %s', (_, text) => {
  expect(arranged(text)).toBe(text);
});

test('an arranged file has all rules of any file, and arranging it again changes nothing', () => {
  fc.assert(
    fc.property(generatedRules, (rules) => {
      const texts = rules.map((one) => writeRule(one, ' '));
      const text = `import "pe"\n${texts.join('\n')}\n`;
      const once = arranged(text);
      expect(arrangedRules(Buffer.from(text)).rules).toBe(rules.length);
      for (const one of texts) expect(once).toContain(one);
      expect(once.replaceAll(/\s/g, '')).toHaveLength(text.replaceAll(/\s/g, '').length);
      expect(arranged(once)).toBe(once);
      expect(arranged(`import "pe"\n${texts.toReversed().join('\n\n\n')}`)).toBe(once);
    }),
  );
});

test('a chain of ten thousand rules is arranged', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => rule(`r${at}`, at === 9999 ? 'true' : `r${at + 1}`)).join('');
  expect(namesIn(text).slice(0, 2)).toEqual(['r9999', 'r9998']);
});
