import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

interface WebOnly {
  spec: string;
  /** null: all of its tests. */
  title: string | null;
  reason: string;
}

const specs = join(import.meta.dirname, 'specs');
const skip = /test\.skip\(testInfo\.project\.name === 'desktop', '([^']+)'\)/;

const head = `# Tests of the web host alone

The browser tests are the same for both hosts. These say themselves that they are none of the desktop, and why. The unit test \`e2e/web-only.test.ts\` holds this
list against them; with \`-u\`, vitest writes it.

| spec | test | why not on the desktop |
|---|---|---|
`;

function webOnlyIn(path: string): WebOnly[] {
  const found: WebOnly[] = [];
  let title: string | null = null;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const begun = /^\s*test(\.describe|\.beforeEach)?\(\s*(?:['`](.*?)['`],)?/.exec(line);
    // What a group or a file says before its tests holds for all of them.
    if (begun !== null && (begun[1] !== '.beforeEach' || !line.startsWith(' '))) title = begun[2] ?? null;
    const reason = skip.exec(line)?.[1];
    if (reason !== undefined) found.push({ spec: basename(path, '.spec.ts'), title, reason });
  }
  return found;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

test('what is of the web host alone is listed', async () => {
  const rows = globSync('*.spec.ts', { cwd: specs }).toSorted().flatMap((name) => webOnlyIn(join(specs, name)));
  const lines = rows.map(({ spec, title, reason }) => `| ${spec} | ${title === null ? 'all' : cell(title)} | ${cell(reason)} |\n`);
  expect(rows.length).toBeGreaterThan(10);
  await expect(`${head}${lines.join('')}`).toMatchFileSnapshot('../docs/web-only.md');
});
