import { resolve } from 'node:path';

/**
 * The data directory named by `--data DIR` or `--data=DIR`, or null. Read by hand: Electron and the system add
 * arguments of their own, so an unknown one is no mistake.
 */
export function namedDataDirectory(args: readonly string[]): string | null {
  const at = args.findIndex((text) => text === '--data' || text.startsWith('--data='));
  const found = args[at];
  if (found === undefined) return null;
  const named = found === '--data' ? args[at + 1] : found.slice('--data='.length);
  return named === undefined || named === '' || named.startsWith('--') ? null : resolve(named);
}
