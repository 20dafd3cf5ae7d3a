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

const head = `# Tests of the web host alone

The browser tests are the same for both hosts. These say themselves that they are none of the desktop, and why. The unit test \`e2e/web-only.test.ts\` holds this
list against them; with \`-u\`, vitest writes it.

| spec | test | why not on the desktop |
|---|---|---|
`;

/** What a skip that is not of all systems adds to its reason. */
const ofSystem = (comparison: string | undefined, system: string): string =>
  comparison === undefined
    ? ''
    : `on ${comparison === '===' ? '' : 'other systems than '}${systems[system] ?? system}: `;

function webOnlyIn(path: string): WebOnly[] {
  const found: WebOnly[] = [];
  let title: string | null = null;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const begun = /^\s*(?:with[A-Z]\w*|test(\.describe|\.beforeEach)?)\(\s*(?:['`](.*?)['`],)?/.exec(line);
    // What a group or a file says before its tests holds for all of them.
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

test('what is of the web host alone is listed', async () => {
  const rows = globSync('*.spec.ts', { cwd: specs })
    .toSorted()
    .flatMap((name) => webOnlyIn(join(specs, name)));
  const lines = rows.map(
    ({ spec, title, reason }) => `| ${spec} | ${title === null ? 'all' : cell(title)} | ${cell(reason)} |\n`,
  );
  expect(rows.length).toBeGreaterThan(10);
  await expect(`${head}${lines.join('')}`).toMatchFileSnapshot('../docs/web-only.md');
});
