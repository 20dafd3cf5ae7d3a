import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isFinalJob, type Job, type JobKind } from '../../shared/domain/job.ts';
import type { JournalOperation } from '../../shared/domain/journal.ts';
import type { Download } from '../../shared/domain/sample.ts';
import type { Result } from '../../shared/failure.ts';
import { type HostCalls, type HostSession, openHostSession } from '../bench/host-calls.ts';
import { type Program, startProgram } from '../program.ts';

/** A Vitrine host, called as its page would call it, and every folder that it may write to. */
export interface Vitrine extends HostSession {
  folder: string;
  call: HostCalls;
  program: Program;
}

/** Where each thing is in the folder of a program. */
export const dataOf = (folder: string): string => join(folder, 'data');
export const exportsOf = (folder: string): string => join(folder, 'exports');
export const backupsOf = (folder: string): string => join(folder, 'backups');
const watchedOf = (folder: string): string => join(folder, 'watched');
const tempOf = (folder: string): string => join(folder, 'temp');

export async function makeFolders(folder: string): Promise<void> {
  for (const place of [dataOf, exportsOf, backupsOf, watchedOf, tempOf])
    await mkdir(place(folder), { recursive: true });
}

/** What the web host is started with. */
export function startOf(
  folder: string,
  order?: StartOrder,
): { entry: string; args: string[]; environment: NodeJS.ProcessEnv } {
  const folders = [
    '--data',
    dataOf(folder),
    '--exports',
    exportsOf(folder),
    '--backups',
    backupsOf(folder),
    '--watch',
    watchedOf(folder),
  ];
  return {
    entry: 'electron/web.ts',
    args: ['--port', '0', '--no-open', ...folders, ...(order?.arguments(folder) ?? [])],
    environment: { TMPDIR: tempOf(folder) },
  };
}

/** What a start is to do, once, before Vitrine opens. */
export interface StartOrder {
  arguments: (folder: string) => readonly string[];
  /** The message of a start that would do it over its own result. */
  refusal: RegExp;
}

/**
 * With an order, as a person would start it who does not know how far the last start came with that: the same order
 * again and, where it is done, without it.
 */
export async function startVitrine(folder: string, order?: StartOrder): Promise<Vitrine> {
  const { entry, args, environment } = startOf(folder, order);
  const program = startProgram(entry, args, environment);
  if (order === undefined) return openVitrine(folder, program);
  return openVitrine(folder, program).catch((error: unknown) =>
    order.refusal.test(program.output()) ? startVitrine(folder) : Promise.reject(error),
  );
}

/** Waits until the host of a program serves. Rejects when it ends before. */
export async function openVitrine(folder: string, program: Program): Promise<Vitrine> {
  const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  const session = await openHostSession(link);
  return { ...session, folder, program, call: async (name, input) => valueOf(name, await session.ask(name, input)) };
}

function valueOf<T>(name: string, reply: Result<T>): T {
  if (reply.ok) return reply.value;
  throw new Error(`${name}: ${JSON.stringify(reply.failure)}`);
}

const askedEveryMs = 25;

/** Repeats a query until it has a result. Rejects when the host is gone. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await pause(askedEveryMs);
  }
}

/** Resolves when the job is over, or has come to a halt. */
export const endedJob = async ({ call }: Vitrine, id: number): Promise<Job> =>
  until(
    async () =>
      (await call('jobs.list', {})).jobs.find((job) => job.id === id && (isFinalJob(job) || job.state === 'paused')) ??
      null,
  );

const endings: ReadonlySet<string> = new Set(['done', 'already-here', 'failed', 'cancelled']);

export async function downloaded({ call }: Vitrine, workspaceId: string, md5: string): Promise<Download> {
  const { id } = await call('downloads.start', { workspaceId, md5 });
  return until(
    async () =>
      (await call('downloads.list', {})).downloads.find(
        (download) => download.id === id && endings.has(download.state),
      ) ?? null,
  );
}

/** The same for a job that a crash may have halted: resumes it as a person would. */
export async function finishedJob(vitrine: Vitrine, id: number): Promise<Job> {
  const job = await endedJob(vitrine, id);
  if (isFinalJob(job)) return job;
  await vitrine.call('jobs.resume', { id });
  return endedJob(vitrine, id);
}

/** The latest of a kind, whatever became of it; null: there is none. */
export const latestJob = async ({ call }: Vitrine, kind: JobKind): Promise<Job | null> =>
  (await call('jobs.list', {})).jobs.find(({ task }) => task.kind === kind) ?? null;

/** How often the journal contains this outcome. */
export async function reportedInJournal(
  { call }: Vitrine,
  operation: JournalOperation,
  outcome: string,
): Promise<number> {
  const filter = { operations: [operation], workspaceId: null, find: '', from: null, before: null };
  const { lines } = await call('journal.list', { filter, offset: 0, limit: 1000 });
  return lines.filter(({ row }) => row?.outcome === outcome).length;
}
