import { join } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { packageBin } from './package-bin.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** One project a room, so that each compiles with only its own globals: no DOM in the host, no Node in the page. */
export const projects = ['shared', 'electron', 'electron/tsconfig.preload.json', 'renderer', 'e2e', 'build'] as const;

export async function checkTypes(tree: string = root, only: readonly string[] = projects): Promise<CheckOutcome[]> {
  const compiler = packageBin('typescript', 'tsc');
  const outcomes: CheckOutcome[] = [];
  for (const project of only) {
    const { code, output } = await runNode(compiler, ['-p', join(tree, project), '--pretty', 'false'], { cwd: tree, capture: true });
    outcomes.push({ name: `types ${project}`, passed: code === 0, report: code === 0 ? '' : output });
  }
  return outcomes;
}
