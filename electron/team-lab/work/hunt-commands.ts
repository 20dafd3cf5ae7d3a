import { setTimeout as delay } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { WrongArguments } from '../../lab/command-line.ts';
import type { Terminal } from '../../lab/commands.ts';
import { OperatorError } from '../../lab/errors.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { StoredPublication } from '../../lab/stores/metadata-store.ts';
import type { HuntTask } from '../command-line.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgAudit } from '../postgres/pg-audit.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { openPgMetadata } from '../postgres/pg-metadata-store.ts';
import { type Hunt, Hunts, type RecordHunt } from './hunts.ts';
import { ScanQueue } from './scan-queue.ts';

/** How often a hunt that is followed is looked at. */
const followEveryMs = 1_000;

/** What a person does with hunts. What changes something is on record. */
export async function commandHunts(
  task: HuntTask,
  address: string,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const database = new PgDatabase(readDatabaseAddress(address));
  try {
    const metadata = await openPgMetadata(database);
    const queue = await ScanQueue.open(address, { lab: database, supervises: false, report: terminal.report });
    try {
      const hunts = new Hunts(database, queue);
      if (task.kind !== 'hunt') return await obeyAbout(task, hunts, terminal);
      const publication = publicationToScanWith(await metadata.publications(), task.version);
      const number = await hunts.begin(publication.id, (run, queries) =>
        new PgAudit(queries).recordCommand('hunt', [publication.version, String(run)]),
      );
      if (task.isDetached) return terminal.result(String(number));
      return await follow(number, hunts, terminal, signal);
    } finally {
      await queue.close();
    }
  } finally {
    await database.close();
  }
}

async function obeyAbout(
  task: Exclude<HuntTask, { kind: 'hunt' }>,
  hunts: Hunts,
  { result, remark }: Terminal,
): Promise<void> {
  switch (task.kind) {
    case 'hunt-list': {
      const all = await hunts.list();
      if (all.length === 0) remark('No hunts.');
      for (const { number, version, state, done, total, hits, failed, created, failure } of all) {
        const facts = [number, visibleLine(version), state, `${done}/${total}`, hits, failed, created];
        result([...facts, ...(failure === null ? [] : [visibleLine(failure)])].join('\t'));
      }
      return undefined;
    }
    case 'hunt-cancel':
      await requireHunt(hunts, task.number);
      if (!(await hunts.cancel(task.number, recordCancel)))
        throw new OperatorError(`Hunt ${task.number} is not running.`);
      return undefined;
    case 'hunt-failed': {
      const { failure, leftOut } = await requireHunt(hunts, task.number);
      for (const { sha256, reason } of await hunts.failures(task.number)) result(`${sha256}\t${visibleLine(reason)}`);
      if (failure !== null) remark(failedWith(failure));
      if (leftOut.length > 0) remark(withoutRules(leftOut));
      return undefined;
    }
    default:
      return assertNever(task);
  }
}

const recordCancel: RecordHunt = (number, queries) =>
  new PgAudit(queries).recordCommand('hunt-cancel', [String(number)]);

const failedWith = (failure: string): string => `The hunt failed: ${visibleLine(failure)}`;

const withoutRules = (rules: readonly string[]): string =>
  `Left out for some of the samples, because they did not end or do not compile: ${rules.map(visibleLine).join(', ')}.`;

async function requireHunt(hunts: Hunts, number: number): Promise<Hunt> {
  const hunt = await hunts.hunt(number);
  if (hunt === null) throw new WrongArguments(`No hunt ${number}; see "hunt list".`);
  return hunt;
}

/** The newest of a version; without one the current, as the lab has it: the newest Release, else the newest of all. */
function publicationToScanWith(all: readonly StoredPublication[], version: string | null): StoredPublication {
  const found =
    version === null
      ? (all.find(({ group }) => group === 'Release') ?? all[0])
      : all.find((publication) => publication.version === version);
  if (found === undefined)
    throw new OperatorError(
      version === null ? 'No publication to hunt with.' : `No publication has version ${version}.`,
    );
  return found;
}

/** A line whenever something has changed, until it is over or the signal. */
async function follow(number: number, hunts: Hunts, { result, remark }: Terminal, signal: AbortSignal): Promise<void> {
  remark(`Hunt ${number}. Ctrl-C leaves it running; "hunt cancel ${number}" ends it.`);
  let last = '';
  let tracks: number | null = null;
  while (!signal.aborted) {
    const hunt = await hunts.hunt(number).catch(ignoreAway);
    if (hunt !== null) {
      const line = progressLine(hunt);
      if (line !== last) result(line);
      last = line;
      if (hunt.state !== 'running') {
        if (hunt.failure !== null) remark(failedWith(hunt.failure));
        if (hunt.failed > 0) remark(`${hunt.failed} could not be scanned with all rules: "hunt failed ${number}".`);
        if (hunt.leftOut.length > 0) remark(withoutRules(hunt.leftOut));
        return;
      }
      const alive = await hunts.tracks().catch(ignoreAway);
      if (alive === 0 && tracks !== 0) remark('No worker is running: start one with "work".');
      tracks = alive ?? tracks;
    }
    // It ends early at the signal.
    await delay(followEveryMs, undefined, { signal }).catch(() => {});
  }
}

/** A server that is away comes back. */
function ignoreAway(error: unknown): null {
  if (error instanceof StoreUnavailable) return null;
  throw error;
}

const progressLine = ({ number, version, state, done, total, hits, failed }: Hunt): string =>
  `Hunt ${number} of ${visibleLine(version)}: ${state}, ${done} of ${total} samples, ${hits} hits, ${failed} failed`;
