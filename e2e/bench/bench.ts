import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stopPrograms } from '../program.ts';
import { endAll } from './child.ts';
import { documentOf, figuresIn, unmeasuredIn } from './document.ts';
import { figuresOf, jsonLine, tableHead, tableLine } from './report.ts';
import { missedBy, type Outcome, type Row } from './row.ts';
import { bulk10k, bulk1g, bulk5g } from './rows/bulk.ts';
import { bundle1g } from './rows/bundle.ts';
import { desktopMemory, desktopStart } from './rows/desktop.ts';
import { download2g, download5g } from './rows/download.ts';
import { export1g } from './rows/export.ts';
import { hashes100m } from './rows/hashes.ts';
import { labDownload2g } from './rows/lab-download.ts';
import { library1m } from './rows/library.ts';
import { libraryScroll } from './rows/library-scroll.ts';
import { loadBulk100k } from './rows/load-bulk.ts';
import { loadChecks24h } from './rows/load-checks.ts';
import { loadLab100 } from './rows/load-lab.ts';
import { hostileRecord, loadReplies } from './rows/load-replies.ts';
import { loadThread10k } from './rows/load-thread.ts';
import { longTasks } from './rows/long-tasks.ts';
import { lookupCli } from './rows/lookup-cli.ts';
import { loopDelay } from './rows/loop-delay.ts';
import { pageWeight } from './rows/page-weight.ts';
import { diff5k, gate5k } from './rows/rules.ts';
import {
  hunt10kNative,
  hunt10kWasm,
  scan200Native,
  scan200Wasm,
  scanMemoryNative,
  scanMemoryWasm,
} from './rows/scans.ts';
import { draft10k, open5k, stage10k } from './rows/stage.ts';
import { start } from './rows/start.ts';
import { teamGetfile, teamSearch1m, teamStart } from './rows/team-database.ts';
import { teamHunt10k } from './rows/team-hunt.ts';
import { team1g, teamMemory, teamUpload10k } from './rows/team-transfers.ts';
import { triage1k } from './rows/triage.ts';
import { triage100k } from './rows/triage-100k.ts';
import { upload2g, upload5g, upload5k } from './rows/upload.ts';
import { scan5Warm, scanCli5k, scanCli5kClosed, scanPoolMemory } from './rows/warm-scans.ts';
import { endTeamServers } from './team-place.ts';

/**
 * `npm run bench -- [--json] [--only NAME]… [--quick | --write]`: exits with 0 when every `must` holds and
 * docs/performance.md has these rows, 1 when not, 2 for wrong arguments.
 */
const rows: readonly Row[] = [
  download2g,
  download5g,
  labDownload2g,
  bulk1g,
  bulk5g,
  bulk10k,
  export1g,
  bundle1g,
  upload2g,
  upload5g,
  upload5k,
  stage10k,
  draft10k,
  open5k,
  gate5k,
  diff5k,
  scan200Native,
  scan200Wasm,
  scanCli5k,
  scanCli5kClosed,
  scan5Warm,
  scanPoolMemory,
  hunt10kNative,
  hunt10kWasm,
  scanMemoryNative,
  scanMemoryWasm,
  library1m,
  libraryScroll,
  longTasks,
  pageWeight,
  start,
  desktopStart,
  desktopMemory,
  lookupCli,
  triage1k,
  triage100k,
  hashes100m,
  loadBulk100k,
  loadChecks24h,
  loadLab100,
  loadThread10k,
  loadReplies,
  hostileRecord,
  loopDelay,
  teamUpload10k,
  team1g,
  teamMemory,
  teamHunt10k,
  teamGetfile,
  teamSearch1m,
  teamStart,
];
const scratch = fileURLToPath(new URL('../../.out/bench', import.meta.url));
const documentPath = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

interface Chosen {
  chosen: Row[];
  json: boolean;
  quick: boolean;
  write: boolean;
}

function chosenRows(): Chosen {
  const flag = { type: 'boolean', default: false } as const;
  const {
    values: { only, ...flags },
  } = parseArgs({ options: { json: flag, quick: flag, write: flag, only: { type: 'string', multiple: true } } });
  if (flags.quick && flags.write)
    throw new RangeError('The page has the figures of whole runs: --write goes without --quick.');
  const unknown = only?.find((name) => rows.every((row) => row.name !== name));
  if (unknown !== undefined)
    throw new RangeError(`There is no row "${unknown}". There are: ${rows.map((row) => row.name).join(', ')}.`);
  const chosen = rows.filter(({ name, onlyFull }) => only?.includes(name) ?? !(flags.quick && onlyFull));
  return { chosen, ...flags };
}

async function measured(row: Row, quick: boolean): Promise<Outcome> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, `${row.name}-`));
  try {
    return { row, ...(await row.measure({ quick, folder })) };
  } finally {
    await endChildren();
    await rm(folder, { recursive: true, force: true });
  }
}

const endChildren = (): Promise<unknown> => Promise.all([endAll(), stopPrograms()]);

async function main(): Promise<void> {
  const { chosen, json, quick, write } = chosenRows();
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (!json) print(tableHead);
  for (const row of chosen) {
    const missing = typeof row.missing === 'function' ? await row.missing() : (row.missing ?? null);
    if (missing !== null) {
      process.stderr.write(`${row.name} was not measured: ${missing}\n`);
      continue;
    }
    const outcome = await measured(row, quick);
    print(json ? jsonLine(outcome) : tableLine(outcome));
    for (const missed of missedBy(outcome)) complain(`${row.name}: ${missed}`);
    if (write) await writeIntoPage(outcome);
  }
  const page = await readFile(documentPath, 'utf8');
  if (page !== documentOf(rows, figuresIn(page)))
    complain('docs/performance.md is out of date: npm run bench -- --write');
  for (const name of unmeasuredIn(page))
    complain(`docs/performance.md has no figure of ${name}: npm run bench -- --write --only ${name}`);
}

/** Row by row: a run that is cut off has not measured for nothing. The figures of other rows stay. */
async function writeIntoPage(outcome: Outcome): Promise<void> {
  const figures = figuresIn(await readFile(documentPath, 'utf8'));
  await writeFile(documentPath, documentOf(rows, figures.set(outcome.row.name, figuresOf(outcome))));
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

/** Ctrl-C: the children and servers end, so the row under way fails and its files go. */
process.once('SIGINT', () => void Promise.all([endChildren(), endTeamServers()]));
try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof RangeError || (error instanceof TypeError && 'code' in error) ? 2 : 1;
} finally {
  await endTeamServers();
}
