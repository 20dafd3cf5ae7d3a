import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stopPrograms } from '../../program.ts';
import { actionNames } from './actions.ts';
import type { CellName } from './cell.ts';
import { documentOf, lineOfRow, type RanRows, rowOf, rowOfWay, waysHeading } from './document.ts';
import type { FaultRow, RanRow } from '../rows/fault-row.ts';
import { nameOf, type RowSection, rowSections } from '../rows/sections.ts';
import { type RanWay, runWays } from '../ways/run-ways.ts';
import { type Way, ways } from '../ways/ways.ts';
import { faultNames } from './faults.ts';
import { everyCell, heldByAction, type RanCell, runMatrix } from './matrix.ts';
import { makeCertificates } from './throw-away-certificates.ts';

/**
 * `npm run faults -- [--only ACTION|FAULT|ACTION/FAULT|SECTION|SECTION/ACTION|ways] [--write]`: 0 when every cell is as
 * it should be, 1 when not, 2 for wrong arguments. Sections are `resumes` and `releases`.
 */
const scratch = fileURLToPath(new URL('../../../.out/faults', import.meta.url));
const documentPath = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));

let isInterrupted = false;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
};

interface Chosen {
  cells: readonly CellName[];
  rows: (section: RowSection) => (row: FaultRow) => boolean;
  chosenWays: readonly Way[];
  isWriting: boolean;
}

function chosen(): Chosen {
  const {
    values: { only, write },
  } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
  if (only !== undefined && write)
    throw new RangeError('The document is written from all cells: --write goes without --only.');
  const cells = everyCell.filter(
    ({ action, fault }) => only === undefined || [action, fault, `${action}/${fault}`].includes(only),
  );
  const rows: Chosen['rows'] =
    ({ name }) =>
    ({ action }) =>
      only === undefined || [name, `${name}/${action}`].includes(only);
  const rowCount = rowSections.reduce((sum, section) => sum + section.rows.filter(rows(section)).length, 0);
  const chosenWays = only === undefined || only === 'ways' ? ways : [];
  if (cells.length + rowCount + chosenWays.length === 0)
    throw new RangeError(
      `There is no "${only}". Actions: ${actionNames.join(', ')}. Faults: ${faultNames.join(', ')}. ` +
        `Sections: ${rowSections.map(({ name }) => name).join(', ')}. Or: ways.`,
    );
  return { cells, rows, chosenWays, isWriting: write };
}

async function main(): Promise<void> {
  const { cells, rows, chosenWays, isWriting } = chosen();
  const began = performance.now();
  const { ran, left } =
    cells.length === 0
      ? { ran: [], left: [] }
      : await inScratch((folder) =>
          runMatrix(cells, folder, ({ action, fault, wrong }) => reportWrong(`${action}/${fault}`, wrong)),
        );
  const ranRows = new Map<string, RanRow[]>();
  for (const section of rowSections) {
    if (isInterrupted || !section.rows.some(rows(section))) continue;
    const { ran: own, left: leftOfRows } = await inScratch((folder) =>
      section.run(rows(section), folder, ({ row, wrong }) => reportWrong(nameOf(section, row), wrong)),
    );
    ranRows.set(section.name, own);
    left.push(...leftOfRows);
  }
  const ranWays =
    isInterrupted || chosenWays.length === 0
      ? []
      : await inScratch(async (folder) =>
          runWays(chosenWays, folder, await makeCertificates(), ({ way, wrong }) => reportWrong(way.words, wrong)),
        );
  if (isInterrupted) return;
  for (const what of left) complain(`on the disk: ${what}`);
  if (!isWriting) await compare(ran, ranRows, ranWays);
  else if (process.exitCode === 1) complain('docs/faults.md was not written');
  else await writeFile(documentPath, documentOf(ran, ranRows, ranWays));
  print('| Action | as expected | of |\n|---|---:|---:|');
  for (const [action, { held, of }] of heldByAction(ran)) print(`| ${action} | ${held} | ${of} |`);
  for (const [name, own] of ranRows)
    print(`| ${name} | ${own.filter(({ wrong }) => wrong.length === 0).length} | ${own.length} |`);
  if (ranWays.length > 0)
    print(`| ways | ${ranWays.filter(({ wrong }) => wrong.length === 0).length} | ${ranWays.length} |`);
  const rowCount = [...ranRows.values()].flat().length;
  print(`\n${ran.length + rowCount + ranWays.length} cells in ${Math.round((performance.now() - began) / 1000)} s`);
}

async function inScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, 'run-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportWrong(name: string, wrong: readonly string[]): void {
  if (isInterrupted) return;
  for (const what of wrong) complain(`${name}: ${what}`);
}

/** Each cell has its line below the heading of its action or section. */
async function compare(ran: readonly RanCell[], ranRows: RanRows, ranWays: readonly RanWay[]): Promise<void> {
  const written = await readFile(documentPath, 'utf8');
  const sections = new Map(
    written.split(/^## /m).map((section) => [section.split('\n', 1)[0] ?? '', section.split('\n')]),
  );
  for (const one of ran) {
    if (sections.get(one.action)?.includes(rowOf(one)) !== true)
      complain(`${one.action}/${one.fault}: docs/faults.md does not say\n  ${rowOf(one)}`);
  }
  for (const section of rowSections) {
    for (const one of ranRows.get(section.name) ?? []) {
      if (sections.get(section.heading)?.includes(lineOfRow(one)) !== true)
        complain(`${nameOf(section, one.row)}: docs/faults.md does not say\n  ${lineOfRow(one)}`);
    }
  }
  for (const one of ranWays) {
    if (sections.get(waysHeading)?.includes(rowOfWay(one)) !== true)
      complain(`${one.way.words}: docs/faults.md does not say\n  ${rowOfWay(one)}`);
  }
  const isWhole =
    ran.length === everyCell.length &&
    rowSections.every(({ name, rows }) => ranRows.get(name)?.length === rows.length) &&
    ranWays.length === ways.length;
  if (isWhole && process.exitCode !== 1 && written !== documentOf(ran, ranRows, ranWays))
    complain('docs/faults.md says more, or other things: npm run faults -- --write');
}

/** Ctrl-C: the host ends, so the cells under way fail unheard, and their files go. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    process.exitCode = 130;
    void stopPrograms();
  });
}
await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof RangeError || (error instanceof TypeError && 'code' in error) ? 2 : 1;
});
