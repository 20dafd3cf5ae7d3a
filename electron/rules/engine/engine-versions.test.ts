import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { engineVersions } from './engine-versions.ts';

test('the versions of the engines are those of the packages that are installed', () => {
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
