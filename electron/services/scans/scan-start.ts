import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import type { OperationRequest } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { ScanPackage } from '../../../shared/domain/scan.ts';
import { type Failure, fail } from '../../../shared/failure.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { ScanFileRow, ScanStore } from '../../storage/scan-store.ts';
import type { HashedFile, StagedFacts, UnreadFile } from '../../vault/staged-facts/staged-facts.ts';
import type { Staging } from '../../vault/staging.ts';

export interface ScanStartOptions {
  store: ScanStore;
  library: LibraryStore;
  staging: Staging;
  facts: StagedFacts;
  jobs: Pick<JobRunner, 'create' | 'add' | 'note' | 'begin' | 'forget'>;
  signal: AbortSignal;
}

type ScanRequest = OperationRequest<'scans.start'>;
type Handed = Pick<ScanFileRow, 'name' | 'hashes' | 'sizeBytes' | 'stagedId' | 'place'>;

/** Rows written before the thread is free again. */
const rowsATurn = 100;

/**
 * Makes a job of what is to be scanned. A file that was handed over more than once is scanned once; what was copied of it is thrown away.
 * One that can be read no more is named by the job, and the others are scanned.
 * @throws FailureError `nothing-selected`, `not-in-vault`, and why a staged file cannot be read where there is nothing else; nothing is left of the job then
 */
export async function startScan(options: ScanStartOptions, request: ScanRequest, used: ScanPackage | null): Promise<Job> {
  const { jobs, staging } = options;
  const { files, unread } = await handedOver(options, request);
  const samples = await samplesOf(options, request, files);
  const all = [...files, ...samples];
  if (all.length === 0) fail(unread[0]?.failure ?? { kind: 'nothing-selected' });
  const name = all.length === 1 ? (all[0]?.name ?? null) : null;
  const id = jobs.create({ kind: 'scan', engines: request.engines, local: null, package: used, name }, request.workspaceId);
  try {
    await addAll(options, id, { all, tlp: request.tlp });
    if (unread.length > 0) jobs.note(id, unread.map(({ failure }) => failure));
    for (const { stagedId } of unread) await staging.discard(stagedId);
    return jobs.begin(id);
  } catch (error) {
    jobs.forget(id);
    for (const { stagedId } of files) if (stagedId !== null) await staging.discard(stagedId);
    throw error;
  }
}

interface Unread {
  stagedId: string;
  failure: Failure;
}

/** Each content once, in the order in which they were handed over. */
async function handedOver({ staging, facts, signal }: ScanStartOptions, { files }: ScanRequest): Promise<{ files: Handed[]; unread: Unread[] }> {
  const hashed = new Map<string, HashedFile>();
  await facts.hash(files, signal, (results) => {
    for (const result of results) hashed.set(result.id, result);
  });
  const bySha256 = new Map<string, Handed>();
  const copies: string[] = [];
  const unread: Unread[] = [];
  for (const { id } of files) {
    const { name } = staging.fileOf(id);
    const found = hashed.get(id) ?? fail({ kind: 'staged-file-missing', id });
    if ('reason' in found) {
      unread.push({ stagedId: id, failure: unreadFailure(found, name) });
      continue;
    }
    const { hashes, sizeBytes } = found;
    if (bySha256.has(hashes.sha256)) copies.push(id);
    else bySha256.set(hashes.sha256, { name, hashes, sizeBytes, stagedId: id, place: staging.placeOf(id) });
  }
  for (const id of new Set(copies)) if (![...bySha256.values()].some(({ stagedId }) => stagedId === id)) await staging.discard(id);
  return { files: [...bySha256.values()], unread };
}

function unreadFailure(found: UnreadFile, name: string): Failure {
  switch (found.reason) {
    case 'changed': return { kind: 'file-changed', name };
    case 'gone': return { kind: 'file-gone', name };
    case 'unreadable': return { kind: 'file-unreadable', name, code: found.code };
    default: return assertNever(found.reason);
  }
}

type Sample = Omit<Handed, 'hashes'> & { hashes: null; sha256: string; md5: string | null };

async function samplesOf({ library }: ScanStartOptions, { samples }: ScanRequest, files: readonly Handed[]): Promise<Sample[]> {
  const there = new Set(files.map(({ hashes }) => hashes.sha256));
  const wanted = [...new Set(samples)].filter((sha256) => !there.has(sha256));
  const found: Sample[] = [];
  for (const [index, sha256] of wanted.entries()) {
    if (index % rowsATurn === rowsATurn - 1) await nextTurn();
    const known = library.find(sha256);
    if (known?.inVault !== true) fail({ kind: 'not-in-vault', sha256 });
    found.push({ name: library.nameOf(sha256), sha256, md5: known.md5, hashes: null, sizeBytes: known.sizeBytes ?? 0, stagedId: null, place: null });
  }
  return found;
}

async function addAll({ jobs, store }: ScanStartOptions, id: number, { all, tlp }: { all: readonly (Handed | Sample)[]; tlp: ScanRequest['tlp'] }): Promise<void> {
  for (let at = 0; at < all.length; at += rowsATurn) {
    const some = all.slice(at, at + rowsATurn);
    store.together(() => {
      jobs.add(id, some.map((one) => ({ ...hashOf(one), name: one.name, sizeBytes: one.sizeBytes })));
      store.addFiles(id, some.flatMap((one, index) => (one.hashes === null ? [] : [{ ...one, position: at + index + 1, tlp }])));
    });
    await nextTurn();
  }
}

function hashOf(one: Handed | Sample): { hash: string; md5: string | null; sha256: string } {
  const { sha256, md5 } = one.hashes ?? one;
  return { hash: sha256, sha256, md5 };
}
