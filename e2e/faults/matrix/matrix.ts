import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ActionName, actionNames } from './actions.ts';
import { type CellName, runCell, type SeenCell, tokenWords } from './cell.ts';
import { sampleWords } from './cell-sample.ts';
import { expected } from './expected/expected.ts';
import type { ExpectedCell } from './expected-cell.ts';
import { type FaultHost, openFaultHost } from './fault-host.ts';
import { type FaultName, faultNames } from './faults.ts';
import { makeCertificates } from './throw-away-certificates.ts';

/** One cell of the matrix: what was seen, or why there is nothing to see, and what is not as it must be. */
export interface RanCell extends CellName {
  seen: SeenCell | null;
  wrong: string[];
}

export const everyCell: readonly CellName[] = actionNames.flatMap((action) =>
  faultNames.map((fault) => ({ action, fault })),
);

const cellsAtOnce = 16;
/** They take a minute and more: begun first, they do not delay the end. */
const slowFirst: readonly FaultName[] = ['one-byte-a-second', 'stall'];

/** Runs cells side by side over one host. Rejects when there is no host; a cell that fails is reported as wrong. */
export async function runMatrix(
  cells: readonly CellName[],
  folder: string,
  report: (ran: RanCell) => void,
): Promise<{ ran: RanCell[]; left: string[] }> {
  const [vitrine, certificates] = await Promise.all([openFaultHost(folder), makeCertificates()]);
  const queue = cells.toSorted((one, other) => slowness(one) - slowness(other));
  const ran: RanCell[] = [];
  try {
    const work = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const one = await judged(name, runCell(vitrine, certificates, name));
        ran.push(one);
        report(one);
      }
    };
    await Promise.all(Array.from({ length: cellsAtOnce }, work));
  } finally {
    await vitrine.close();
  }
  return { ran, left: await leftBehind(vitrine) };
}

const slowness = ({ fault }: CellName): number => (slowFirst.includes(fault) ? 0 : 1);

async function judged(name: CellName, running: Promise<SeenCell>): Promise<RanCell> {
  try {
    const seen = await running;
    return { ...name, seen, wrong: differences(seen, expected[name.action][name.fault]) };
  } catch (error) {
    return { ...name, seen: null, wrong: [error instanceof Error ? error.message : String(error)] };
  }
}

function differences(seen: ExpectedCell, due: ExpectedCell): string[] {
  const columns = ['ends', 'failure', 'requests', 'kept'] as const;
  return columns
    .filter((column) => seen[column] !== due[column])
    .map((column) => `${column}: "${seen[column]}", expected "${due[column]}"`);
}

/** Samples and tokens that are on the disk as they are, and defects in the log. */
export async function leftBehind({ dataDirectory }: FaultHost, token = tokenWords): Promise<string[]> {
  const paths = (await readdir(dataDirectory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path);
      const words = [sampleWords, token, '"level":"defect"'].filter((one) => bytes.includes(one));
      return words.map((one) => `${path.slice(dataDirectory.length + 1)} holds ${one}`);
    }),
  );
  return found.flat();
}

/** How many cells of each action are as they should be. */
export function heldByAction(ran: readonly RanCell[]): Map<ActionName, { held: number; of: number }> {
  const actions = actionNames.filter((action) => ran.some((one) => one.action === action));
  return new Map(
    actions.map((action) => {
      const own = ran.filter((one) => one.action === action);
      return [action, { held: own.filter(({ wrong }) => wrong.length === 0).length, of: own.length }];
    }),
  );
}
