import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { engineVersions } from './scan-engine.ts';

test('the engine versions are those of the installed packages', () => {
  const packages = z.record(z.string(), z.string());
  const read = z
    .object({
      dependencies: packages.default({}),
      devDependencies: packages.default({}),
      optionalDependencies: packages.default({}),
    })
    .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
  const pinned = { ...read.dependencies, ...read.devDependencies, ...read.optionalDependencies };
  for (const name of ['@litko/yara-x', '@virustotal/yara-x'])
    expect(Object.values(engineVersions)).toContain(`${name} ${pinned[name]}`);
});
