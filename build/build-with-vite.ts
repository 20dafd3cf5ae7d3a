import { type Built, fingerprint, isStale, markFresh } from './freshness.ts';
import { packageBin } from './package-bin.ts';
import { runNode } from './run-command.ts';

/** Builds with each of the configs in turn when the result is stale. False when one failed; what vite said is shown then. */
export async function buildWithVite(built: Built, ...configs: readonly string[]): Promise<boolean> {
  if (!isStale(built)) return true;
  const print = fingerprint(built);
  process.stdout.write(`Building the ${built.name}.\n`);
  for (const config of configs) {
    const { code, output } = await runNode(packageBin('vite'), ['build', '--config', config], { capture: true });
    if (code !== 0) {
      process.stderr.write(`${output}\n✗ the ${built.name} did not build\n`);
      return false;
    }
  }
  markFresh(built, print);
  return true;
}
