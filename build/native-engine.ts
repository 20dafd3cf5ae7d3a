import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const packageName = '@litko/yara-x';
const manifest = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

/**
 * The native engine's code for this machine: npm installs of its packages the one that fits. Null where there is none.
 */
export function nativeEnginePath(): string | null {
  const { resolve } = createRequire(import.meta.url);
  const own = resolvedOrNull(resolve, `${packageName}/package.json`);
  if (own === null) return null;
  const { optionalDependencies } = manifest.parse(JSON.parse(readFileSync(own, 'utf8')));
  const found = Object.keys(optionalDependencies).map((name) => resolvedOrNull(createRequire(own).resolve, name));
  return found.find((path) => path !== null) ?? null;
}

function resolvedOrNull(resolve: (name: string) => string, name: string): string | null {
  try {
    return resolve(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
