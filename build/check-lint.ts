import { join } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { seldomCollected } from './go-memory.ts';
import { packageBin } from './package-bin.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

const folders = ['shared', 'electron', 'renderer', 'e2e', 'build'];

export async function checkLint(tree: string = root, only: readonly string[] = folders): Promise<CheckOutcome> {
  // One line a finding: the default form draws with other characters and colours under CI than at a terminal.
  const args = [
    '--format',
    'unix',
    '-c',
    join(root, 'build', 'oxlint.json'),
    '--type-aware',
    '--deny-warnings',
    '--report-unused-disable-directives',
  ];
  // One processor: each further one checks again what its files share. The other has the types meanwhile.
  const env = { ...seldomCollected(), GOMAXPROCS: '1' };
  const { code, output } = await runNode(packageBin('oxlint'), [...args, ...only], { cwd: tree, env, capture: true });
  return { name: 'lint', passed: code === 0, report: code === 0 ? '' : output };
}
