import { type Built, fingerprint, isStale, markFresh } from './freshness.ts';
import { packageBin } from './package-bin.ts';
import { type CommandResult, runNode } from './run-command.ts';

/**
 * Builds with each of the configs in turn when the result is stale. False when one failed; what vite said is shown
 * then.
 */
export async function buildWithVite(built: Built, ...configs: readonly string[]): Promise<boolean> {
  if (!isStale(built)) return true;
  const print = fingerprint(built);
  process.stdout.write(`Building the ${built.name}.\n`);
  for (const config of configs) {
    const { code, output } = await runVite(config);
    if (code !== 0) {
      process.stderr.write(`${output}\n✗ the ${built.name} did not build\n`);
      return false;
    }
  }
  markFresh(built, print);
  return true;
}

/**
 * Always builds for production, whatever the caller's environment sets: React's development build is slow and names the
 * folder of its sources.
 */
export function runVite(config: string, ...args: readonly string[]): Promise<CommandResult> {
  return runNode(packageBin('vite'), ['build', '--config', config, ...args], {
    capture: true,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
