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
/** A skip on the desktop of every system, or of those alone that it names. */
const skip =
  /test\.skip\(testInfo\.project\.name === 'desktop'(?: && process\.platform (!==|===) '(\w+)')?, '([^']+)'\)/;
const systems: Record<string, string> = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' };

const head = `# Tests of the web host only

The browser tests are the same for both hosts. This page lists those that do not run on the desktop, with the reason.
The unit test \`e2e/web-only.test.ts\` compares this list with the tests; run vitest with \`-u\` to update it.

| Spec | Test | Why not on the desktop |
|---|---|---|
`;

/** What a skip that is not of all systems adds to its reason. */
const ofSystem = (comparison: string | undefined, system: string): string =>
  comparison === undefined
    ? ''
    : `on ${comparison === '===' ? '' : 'systems other than '}${systems[system] ?? system}: `;

/** Puts the title of a test and the arguments of a skip on one line, which a formatter may have broken. */
const joinedCalls = (source: string): string =>
  source
    .replace(/\b(test(?:\.\w+)*|with[A-Z]\w*)\(\s+/g, '$1(')
    .replace(/(test\.skip\([^()]*?),\s+('[^']*'),?\s*\)/g, '$1, $2)');

function webOnlyIn(path: string): WebOnly[] {
  const found: WebOnly[] = [];
  let title: string | null = null;
  for (const line of joinedCalls(readFileSync(path, 'utf8')).split('\n')) {
    const begun = /^\s*(?:with[A-Z]\w*|test(\.describe|\.beforeEach)?)\(\s*(?:['`](.*?)['`],)?/.exec(line);
    // A condition of a group or a file before its tests holds for all of them.
    if (begun !== null && (begun[1] !== '.beforeEach' || !line.startsWith(' '))) title = begun[2] ?? null;
    // What else asks for the project runs in part, or is of the desktop alone.
    if (!/\.(?:skip|fixme)\(.*=== 'desktop'/.test(line)) continue;
    const said = skip.exec(line);
    if (said === null)
      throw new Error(`${basename(path)} asks for the desktop in a way that cannot be listed: ${line.trim()}`);
    const [, comparison, system = '', reason = ''] = said;
    found.push({ spec: basename(path, '.spec.ts'), title, reason: `${ofSystem(comparison, system)}${reason}` });
  }
  return found;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

test('docs/web-only.md lists the tests of the web host only', async () => {
  const rows = globSync('*.spec.ts', { cwd: specs })
    .toSorted()
    .flatMap((name) => webOnlyIn(join(specs, name)));
  const lines = rows.map(
    ({ spec, title, reason }) => `| \`${spec}\` | ${title === null ? 'all' : cell(title)} | ${cell(reason)} |\n`,
  );
  expect(rows.length).toBeGreaterThan(10);
  await expect(`${head}${lines.join('')}`).toMatchFileSnapshot('../docs/web-only.md');
});
