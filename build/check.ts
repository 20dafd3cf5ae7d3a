import { checkAlgorithms } from './check-algorithms.ts';
import { checkLint } from './check-lint.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { checkLayers } from './check-layers.ts';
import { checkTypes } from './check-types.ts';
import { checkWords } from './check-words.ts';
import { checkFormat } from './format.ts';
import { checkShape } from './measure.ts';

/** `npm run check`: types, lint, format, layers, shape, words, algorithms. Prints problems; exits with 1 for any. */
export async function check(): Promise<CheckOutcome[]> {
  const [types, lint] = await Promise.all([checkTypes(), checkLint()]);
  const outcomes = [...types, lint, await checkFormat(), checkLayers(), checkShape(), checkWords(), checkAlgorithms()];
  for (const { name, passed, report } of outcomes)
    process.stdout.write(passed ? `✓ ${name}\n` : `✗ ${name}\n${report}\n`);
  return outcomes;
}

if (import.meta.main) process.exitCode = (await check()).every(({ passed }) => passed) ? 0 : 1;
