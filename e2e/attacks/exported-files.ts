import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { caseFormat, isFinalJob, type Job, type JobKind } from '../../shared/domain/job.ts';
import { everyResult } from '../../shared/domain/scan.ts';
import type { HostCalls } from '../bench/host-calls.ts';
import { openBundle } from './opened-bundle.ts';

const protection = { encryption: 'aes-256' as const, password: 'infected' };
const passphrase = 'a passphrase of attacks';
const everyRow = { operations: [], workspaceId: null, find: '', from: null, before: null };

interface Origin {
  workspaceId: string;
  /** Of the sample that leaves. */
  sha256: string;
}

/**
 * Exports everything that can be exported, in each format, into the export folder: of one sample, of the last list and
 * the last scan, the rule package and the journal.
 */
export async function exportEverything(call: HostCalls, { workspaceId, sha256 }: Origin): Promise<void> {
  const [list, scan, to] = [await latestJob(call, 'bulk-download'), await latestJob(call, 'scan'), 'folder' as const];
  const { active } = await call('publications.state', { workspaceId });
  for (const format of ['csv', 'jsonl'] as const) await call('journal.export', { filter: everyRow, format, to });
  for (const format of ['csv', 'json'] as const) {
    await call('jobs.exportItems', { id: list, filter: { states: [], find: '' }, format, to });
    await call('scans.export', { jobId: scan, filter: everyResult, format, to });
  }
  await call('publications.export', { workspaceId, sha256: active ?? '', ...protection, to });
  await call('samples.exportZip', { sha256, ...protection, to });
  const selection = { kind: 'named' as const, hashes: [sha256] };
  const options = {
    title: 'Attack',
    author: '',
    tlp: null,
    vouched: true,
    include: { notes: true, comments: true, hits: true },
    samples: null,
  };
  for (const format of caseFormat.options) await call('cases.start', { selection, options: { ...options, format } });
  await call('exports.start', {
    selection: { kind: 'samples', sha256s: [sha256] },
    as: { form: 'one-zip', ...protection },
  });
  await call('bundles.start', {
    selection,
    parts: { samples: true, notes: true, threads: true, rules: false },
    title: 'Attack',
    author: 'Attack',
    passphrase,
    workspaceId,
  });
}

const latestJob = async (call: HostCalls, kind: JobKind): Promise<number> =>
  (await call('jobs.list', {})).jobs.find(({ task }) => task.kind === kind)?.id ?? 0;

/** Those that are not over. */
export const jobsUnderWay = async (call: HostCalls): Promise<Job[]> =>
  (await call('jobs.list', {})).jobs.filter((job) => !isFinalJob(job));

/**
 * What is in each file of a folder, by its name: members of password ZIPs behind one another, and what a bundle seals.
 */
export async function openExports(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Buffer]> => [name, await openExport(join(folder, name))]),
    ),
  );
}

async function openExport(path: string): Promise<Buffer> {
  if (path.endsWith('.zip'))
    return (await promisify(execFile)('7z', ['e', '-so', `-p${protection.password}`, path], { encoding: 'buffer' }))
      .stdout;
  const bytes = await readFile(path);
  return path.endsWith('.vitrine-bundle') ? openBundle(bytes, passphrase) : bytes;
}
