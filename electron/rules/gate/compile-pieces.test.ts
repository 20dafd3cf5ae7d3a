import { beforeAll, expect, test } from 'vitest';
import { loadEngine } from '../engine/yara-compiler.ts';
import { yaraXModule } from '../engine/yara-x.ts';
import { PieceCompiler } from './compile-pieces.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

test('errors and warnings have the same lines when pieces are compiled together and alone', () => {
  const pieces = [
    'import "pe"',
    'rule a {\n  strings:\n    $a = { 00 00 00 }\n  condition: $a }',
    'rule bad {\n  condition:\n    nothing }',
    'rule b {\n  condition:\n    true or pe.is_pe }',
  ];
  const [together, alone] = (['together', 'alone'] as const).map((how) =>
    new PieceCompiler([], () => undefined).compile({ pieces, how }),
  );
  expect(together).toMatchObject({
    findings: [{ piece: 2, line: 3, code: 'E009' }],
    warnings: [
      { piece: 1, line: 3, code: 'slow_pattern' },
      { piece: 3, line: 3, code: 'invariant_expr' },
    ],
  });
  expect(alone).toEqual(together);
});
