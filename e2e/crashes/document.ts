import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CrashedChange } from './crash-change.ts';

const path = fileURLToPath(new URL('../../docs/crashes.md', import.meta.url));
const [begins, ends] = ['<!-- written by npm run crashes -- --write -->', '<!-- end -->'];

/** Puts what was found into the document, in the place of its table. */
export async function writeDocument(crashed: readonly CrashedChange[]): Promise<void> {
  const { before, after } = parts(await readFile(path, 'utf8'));
  await writeFile(path, `${before}${begins}\n${tableOf(crashed)}${ends}${after}`);
}

/** @returns what the document tells otherwise than was found; null when it tells the same */
export async function compareDocument(crashed: readonly CrashedChange[]): Promise<string | null> {
  const { table } = parts(await readFile(path, 'utf8'));
  const [told, found] = [table.split('\n'), tableOf(crashed).split('\n')];
  const differing = [...told.filter((line) => !found.includes(line)).map((line) => `- ${line}`), ...found.filter((line) => !told.includes(line)).map((line) => `+ ${line}`)];
  return differing.length === 0 ? null : `docs/crashes.md tells another table; "npm run crashes -- --write" writes it:\n${differing.join('\n')}`;
}

function parts(text: string): { before: string; table: string; after: string } {
  const [from, to] = [text.indexOf(begins), text.indexOf(ends)];
  if (from === -1 || to === -1) throw new Error('docs/crashes.md has lost the marks of its table');
  return { before: text.slice(0, from), table: text.slice(from + begins.length + 1, to), after: text.slice(to + ends.length) };
}

function tableOf(crashed: readonly CrashedChange[]): string {
  const rows = crashed.flatMap(({ name, calls }) => calls.toSorted().map((call) => `| ${name} | \`${call}\` |`));
  return `| Change | Killed after |\n|---|---|\n${rows.join('\n')}\n`;
}
