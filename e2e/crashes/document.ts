import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CrashedChange } from './crash-change.ts';

const path = fileURLToPath(new URL('../../docs/crashes.md', import.meta.url));
const [begins, ends] = ['<!-- written by npm run crashes -- --write -->', '<!-- end -->'];

const head = ['| Change | Killed after |', '|---|---|'];

/** Puts what was found into the document, in place of its table's rows for these changes. */
export async function writeDocument(crashed: readonly CrashedChange[], all: readonly string[]): Promise<void> {
  const { before, rows, after } = parts(await readFile(path, 'utf8'));
  const found = rowsOf(crashed);
  const kept = rows.filter((row) => !isOf(row, crashed));
  const sorted = all.flatMap((name) => [...kept, ...found].filter((row) => row.startsWith(`| ${name} |`)));
  await writeFile(path, `${before}${[begins, ...head, ...sorted, ends].join('\n')}${after}`);
}

/** @returns how the document's rows for these changes differ from what was found; null when they are the same */
export async function compareDocument(crashed: readonly CrashedChange[]): Promise<string | null> {
  const reported = parts(await readFile(path, 'utf8')).rows.filter((row) => isOf(row, crashed));
  const found = rowsOf(crashed);
  const differing = [
    ...reported.filter((row) => !found.includes(row)).map((row) => `- ${row}`),
    ...found.filter((row) => !reported.includes(row)).map((row) => `+ ${row}`),
  ];
  return differing.length === 0
    ? null
    : `docs/crashes.md is out of date; "npm run crashes -- --write" updates it:\n${differing.join('\n')}`;
}

function parts(text: string): { before: string; rows: string[]; after: string } {
  const [from, to] = [text.indexOf(begins), text.indexOf(ends)];
  if (from === -1 || to === -1) throw new Error('docs/crashes.md has no markers around its table');
  const rows = text
    .slice(from + begins.length, to)
    .split('\n')
    .filter((line) => line !== '' && !head.includes(line));
  return { before: text.slice(0, from), rows, after: text.slice(to + ends.length) };
}

const isOf = (row: string, crashed: readonly CrashedChange[]): boolean =>
  crashed.some(({ name }) => row.startsWith(`| ${name} |`));

const rowsOf = (crashed: readonly CrashedChange[]): string[] =>
  crashed.flatMap(({ name, calls }) => calls.toSorted().map((call) => `| ${name} | \`${call}\` |`));
