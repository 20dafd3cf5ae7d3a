import { join } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { packageBin } from './package-bin.ts';
import { out, root } from './paths.ts';
import { runNode } from './run-command.ts';

/**
 * What is unchanged since the last run is not read again: formatting everything takes a minute, asking again a second.
 */
const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(out, 'prettier-cache')];

/** Whether every file is formatted as `npm run format` would leave it. */
export async function checkFormat(tree: string = root): Promise<CheckOutcome> {
  const args = ['--check', '--log-level', 'warn', ...cache, '.'];
  const { code, output } = await runNode(packageBin('prettier'), args, { cwd: tree, capture: true });
  return { name: 'format', passed: code === 0, report: code === 0 ? '' : `${output}"npm run format" formats them.` };
}

/** `npm run format`: formats every file in place. */
if (import.meta.main) {
  const { code } = await runNode(packageBin('prettier'), ['--write', '--log-level', 'warn', ...cache, '.'], {
    cwd: root,
  });
  process.exitCode = code;
}
