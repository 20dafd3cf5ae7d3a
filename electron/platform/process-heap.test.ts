import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const mebibyte = 1024 * 1024;

/** What the space for new objects took after much was made and half of it kept for a while, in a process of its own. */
function nurseryBytes(start: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { limitYoungGeneration } from ${JSON.stringify(new URL('process.ts', import.meta.url).href)};
    ${start}
    const kept = [];
    for (let made = 0; made < 2_000_000; made += 1) kept[made % 200_000] = { made };
    const [nursery] = getHeapSpaceStatistics().filter(({ space_name: name }) => name === 'new_space');
    process.stdout.write(String(nursery.space_size));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  return Number(stdout);
}

test('limitYoungGeneration keeps the space for new objects at its first size, where it would grow', () => {
  expect(nurseryBytes('limitYoungGeneration();')).toBeLessThan(4 * mebibyte);
  expect(nurseryBytes('void limitYoungGeneration;')).toBeGreaterThan(8 * mebibyte);
});
