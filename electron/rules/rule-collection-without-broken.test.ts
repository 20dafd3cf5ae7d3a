import { expect, test } from 'vitest';
import { withoutBroken } from './rule-collection.ts';

test('broken rules and statements become blanks, and all other lines stay', () => {
  const text =
    'import "gone"\nimport "pe" rule a { condition: true }\nrule b {\n condition: $x\n}\n' +
    'private rule b { condition: true }\n';
  const broken = [
    { rule: null, file: 'a.yar', line: 1, kind: 'engine', text: '' },
    { rule: 'b', file: 'a.yar', line: 4, kind: 'engine', text: '' },
    { rule: 'a', file: 'other.yar', line: 2, kind: 'engine', text: '' },
  ] as const;
  const files = [
    { path: 'a.yar', bytes: Buffer.from(text) },
    { path: 'c.yar', bytes: Buffer.from('rule a { condition: true }') },
  ];
  const [left, same] = withoutBroken(files, broken);
  expect(left?.bytes.toString()).toBe(
    '             \nimport "pe" rule a { condition: true }\n        \n              \n \n' +
      'private rule b { condition: true }\n',
  );
  expect(same).toBe(files[1]);
});
