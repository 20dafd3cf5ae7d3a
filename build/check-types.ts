import { join } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { seldomCollected } from './go-memory.ts';
import { packageBin } from './package-bin.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** One project per layer, so that each compiles with only its own globals: no DOM in the host, no Node in the page. */
export const projects = ['shared', 'electron', 'electron/tsconfig.preload.json', 'renderer', 'e2e', 'build'] as const;

export async function checkTypes(tree: string = root, only: readonly string[] = projects): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const project of only) outcomes.push(await checkProject(tree, project));
  return outcomes;
}

/** One checker: several would each check the shared files again, which took twice the processor time. */
async function checkProject(tree: string, project: string): Promise<CheckOutcome> {
  const args = ['-p', join(tree, project), '--pretty', 'false', '--checkers', '1'];
  const { code, output } = await runNode(packageBin('typescript', 'tsc'), args, {
    cwd: tree,
    env: seldomCollected(),
    capture: true,
  });
  return { name: `types ${project}`, passed: code === 0, report: code === 0 ? '' : output };
}
