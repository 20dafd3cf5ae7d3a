import { join } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { longLines } from './long-lines.ts';
import { packageBin } from './package-bin.ts';
import { out, root } from './paths.ts';
import { runNode } from './run-command.ts';

/** Formatting everything takes a minute. With the cache, Prettier reads only what changed since the last run. */
const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(out, 'prettier-cache')];

/** Checks that `npm run format` would change no file, and that no line is too long. */
export async function checkFormat(tree: string = root): Promise<CheckOutcome> {
  const args = ['--check', '--log-level', 'warn', ...cache, '.'];
  const { code, output } = await runNode(packageBin('prettier'), args, { cwd: tree, capture: true });
  const unformatted = code === 0 ? '' : `${output}"npm run format" formats them.\n`;
  const report = `${unformatted}${await longLines(tree)}`.trimEnd();
  return { name: 'format', passed: report === '', report };
}

/** `npm run format`: formats every file in place, and lists the lines that are still too long. */
if (import.meta.main) {
  const { code } = await runNode(packageBin('prettier'), ['--write', '--log-level', 'warn', ...cache, '.'], {
    cwd: root,
  });
  const tooLong = await longLines();
  process.stderr.write(tooLong);
  process.exitCode = tooLong === '' ? code : 1;
}
