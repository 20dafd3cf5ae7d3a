import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stopPrograms } from '../../program.ts';
import { actionNames } from './actions.ts';
import type { CellName } from './cell.ts';
import { documentOf, rowOf, rowOfWay, waysHeading } from './document.ts';
import { type RanWay, runWays } from '../ways/run-ways.ts';
import { type Way, ways } from '../ways/ways.ts';
import { faultNames } from './faults.ts';
import { everyCell, heldByAction, type RanCell, runMatrix } from './matrix.ts';
import { makeCertificates } from './throw-away-certificates.ts';

/**
 * `npm run faults -- [--only ACTION|FAULT|ACTION/FAULT|ways] [--write]`: 0 when every cell is as it should be,
 * 1 when not, 2 for wrong arguments.
 */
const scratch = fileURLToPath(new URL('../../../.out/faults', import.meta.url));
const documentPath = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));

let isInterrupted = false;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
};

function chosen(): { cells: readonly CellName[]; chosenWays: readonly Way[]; isWriting: boolean } {
  const {
    values: { only, write },
  } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
  if (only !== undefined && write)
    throw new RangeError('The document is written from all cells: --write goes without --only.');
  const cells = everyCell.filter(
    ({ action, fault }) => only === undefined || [action, fault, `${action}/${fault}`].includes(only),
  );
  const chosenWays = only === undefined || only === 'ways' ? ways : [];
  if (cells.length + chosenWays.length === 0)
    throw new RangeError(
      `There is no "${only}". Actions: ${actionNames.join(', ')}. Faults: ${faultNames.join(', ')}. Or: ways.`,
    );
  return { cells, chosenWays, isWriting: write };
}

async function main(): Promise<void> {
  const { cells, chosenWays, isWriting } = chosen();
  const began = performance.now();
  const { ran, left } =
    cells.length === 0
      ? { ran: [], left: [] }
      : await inScratch((folder) =>
          runMatrix(cells, folder, ({ action, fault, wrong }) => reportWrong(`${action}/${fault}`, wrong)),
        );
  const ranWays =
    isInterrupted || chosenWays.length === 0
      ? []
      : await inScratch(async (folder) =>
          runWays(chosenWays, folder, await makeCertificates(), ({ way, wrong }) => reportWrong(way.words, wrong)),
        );
  if (isInterrupted) return;
  for (const what of left) complain(`on the disk: ${what}`);
  if (!isWriting) await compare(ran, ranWays);
  else if (process.exitCode === 1) complain('docs/faults.md was not written');
  else await writeFile(documentPath, documentOf(ran, ranWays));
  print('| Action | as expected | of |\n|---|---:|---:|');
  for (const [action, { held, of }] of heldByAction(ran)) print(`| ${action} | ${held} | ${of} |`);
  if (ranWays.length > 0)
    print(`| ways | ${ranWays.filter(({ wrong }) => wrong.length === 0).length} | ${ranWays.length} |`);
  print(`\n${ran.length + ranWays.length} cells in ${Math.round((performance.now() - began) / 1000)} s`);
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

/** Each cell has its line below the heading of its action. */
async function compare(ran: readonly RanCell[], ranWays: readonly RanWay[]): Promise<void> {
  const written = await readFile(documentPath, 'utf8');
  const sections = new Map(
    written.split(/^## /m).map((section) => [section.split('\n', 1)[0] ?? '', section.split('\n')]),
  );
  for (const one of ran) {
    if (sections.get(one.action)?.includes(rowOf(one)) !== true)
      complain(`${one.action}/${one.fault}: docs/faults.md does not say\n  ${rowOf(one)}`);
  }
  for (const one of ranWays) {
    if (sections.get(waysHeading)?.includes(rowOfWay(one)) !== true)
      complain(`${one.way.words}: docs/faults.md does not say\n  ${rowOfWay(one)}`);
  }
  const isWhole = ran.length === everyCell.length && ranWays.length === ways.length;
  if (isWhole && process.exitCode !== 1 && written !== documentOf(ran, ranWays))
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
