import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './paths.ts';

const manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/**
 * The script behind a package's command. Run with our own Node instead of `node_modules/.bin/<name>`,
 * because that is a `.cmd` on Windows, which cannot be spawned without a shell.
 */
export function packageBin(packageName: string, command = packageName): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const script = typeof bin === 'string' ? bin : bin[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, script);
}
