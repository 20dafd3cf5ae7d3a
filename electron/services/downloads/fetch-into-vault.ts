import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { fail, type Failure, FailureError, failureKindOf } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { systemTiming, type Timing } from '../../api/limits.ts';
import { createRepositoryApi, type RepositoryApi } from '../../api/repository-api.ts';
import { asksForPause, isHalting } from '../../jobs/job-work.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { readZipStream } from '../../archive/reading/zip-stream.ts';
import type { Expected } from '../../vault/intake.ts';
import type { ArrivedSample } from '../../vault/receiver.ts';
import type { Vault } from '../../vault/vault.ts';
import { SampleTransfer } from './sample-transfer.ts';

export interface FetchRequest {
  connect: Connect;
  vault: Vault;
  library: LibraryStore;
  workspaceId: string;
  md5: string;
  signal: AbortSignal;
  /**
   * Called for every piece that arrived: bytes so far, fewer where the transfer began again, and the total the service
   * announced.
   */
  progress(receivedBytes: number, totalBytes: number | null): void;
  /**
   * Called when the signal has ended the transfer, before what arrived of it is removed: nothing can come of it any
   * more.
   */
  stopped?(): void;
  timing?: Timing;
}

/** What the bytes are held against. */
type Recorded = Pick<SampleRecord, 'sha256'>;

interface Fetched {
  sha1: string;
  sha256: string;
  sizeBytes: number;
  wasHere: boolean;
  /** Other samples held here under the same MD5: the two are kept apart. */
  namesakes: string[];
}

/**
 * One sample from the repository into the vault: asked for once, hashed as it arrives, checked against the MD5 and
 * the record's SHA-256, journalled whatever becomes of it. Wrong bytes are kept nowhere.
 */
export async function fetchIntoVault(request: FetchRequest): Promise<Fetched> {
  const fetched = await fetchJournalled(request);
  if (fetched.namesakes.length === 0) return fetched;
  return fail({ kind: 'two-samples-one-md5', md5: request.md5, sha256s: [...fetched.namesakes, fetched.sha256] });
}

async function fetchJournalled(request: FetchRequest): Promise<Fetched> {
  const { library, workspaceId, md5 } = request;
  try {
    return await foundOrReceived(request);
  } catch (error) {
    const outcome = request.signal.aborted ? 'cancelled' : failureKindOf(error);
    library.recordDownload({ workspaceId, md5, hashes: null, sizeBytes: null, outcome });
    throw error;
  }
}

async function foundOrReceived(request: FetchRequest): Promise<Fetched> {
  const api = createRepositoryApi(await request.connect(request.workspaceId, 'repository'), {
    timing: request.timing ?? systemTiming,
  });
  const stored = request.library.recorded(request.workspaceId, request.md5);
  const record = stored ?? (await recordIfAny(api, request));
  const here = await alreadyHere(request, record);
  return here ?? (stored ? receiveByStored(api, request, stored) : receive(api, request, record));
}

/**
 * A record read some time ago may be out of date: bytes are called contradicting only by the service's current record.
 */
async function receiveByStored(api: RepositoryApi, request: FetchRequest, stored: Recorded): Promise<Fetched> {
  try {
    return await receive(api, request, stored);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'sha256-contradicts') throw error;
    const fresh = await recordIfAny(api, request);
    if (fresh === null || fresh.sha256 === stored.sha256) throw error;
    request.library.recordLookup({
      workspaceId: request.workspaceId,
      md5: request.md5,
      record: fresh,
      outcome: 'found',
    });
    await listComments(request.library, { workspaceId: request.workspaceId, md5: request.md5, record: fresh });
    return receive(api, request, fresh);
  }
}

const unknownKinds = new Set<string>(['unknown-hash', 'unknown-behind-warning']);
const withoutRecord = new Set<string>([
  'action-unknown',
  'forbidden',
  'forbidden-or-unknown',
  'unknown-behind-warning',
]);

/**
 * The record's SHA-256 guards against a forged MD5; a release without `getfile`, or one that lets a token download and
 * not read, still gives the bytes.
 */
async function recordIfAny(api: RepositoryApi, { md5, signal }: FetchRequest): Promise<SampleRecord | null> {
  try {
    return await api.getFile(md5, { signal });
  } catch (error) {
    if (error instanceof FailureError && withoutRecord.has(error.failure.kind)) return null;
    throw error;
  }
}

async function alreadyHere(request: FetchRequest, record: Recorded | null): Promise<Fetched | null> {
  const kept = await soundCopyOf(request, request.md5, record?.sha256 ?? null);
  if (!kept) return null;
  recordStored(request, kept, 'already-here');
  return { sha1: kept.sha1, sha256: kept.sha256, sizeBytes: kept.sizeBytes, wasHere: true, namesakes: [] };
}

async function receive(api: RepositoryApi, request: FetchRequest, record: Recorded | null): Promise<Fetched> {
  const { md5, signal, vault, progress, timing = systemTiming } = request;
  const transfer = new SampleTransfer({ api, vault, md5, signal, timing, progress });
  const expected = { md5, sha256: record?.sha256 ?? null };
  try {
    return keep(request, await transfer.arrive(expected));
  } catch (error) {
    if (signal.aborted) request.stopped?.();
    await transfer.abort();
    const arrived = failureKindOf(error) === 'text-around-json' ? await fromArchive(api, request, expected) : null;
    if (arrived !== null) return keep(request, arrived);
    // What is recorded is a sample: it is the action that is missing.
    const isMissing = record !== null && failureKindOf(error) === 'action-unknown';
    throw isMissing ? error : await distinguishCause(api, request, error);
  }
}

/**
 * A warning that PHP displays before a file takes the place of the file's end. In an archive it is passed over, and of
 * the archive it is the list at the end that is cut. null: it did not come that way either. Rejects with what any other
 * request would meet too.
 */
async function fromArchive(
  api: RepositoryApi,
  { md5, signal, vault, stopped }: FetchRequest,
  expected: Expected,
): Promise<ArrivedSample | null> {
  const receiver = vault.receive();
  let hasCome = false;
  try {
    const { chunks } = await api.bulkDownload([md5], { signal });
    for await (const part of readZipStream(chunks, { archiveName: md5, wholeBytes: 0 })) {
      if (part.kind !== 'streamed') break;
      for await (const chunk of part.chunks) await receiver.write(chunk);
      hasCome = true;
      break;
    }
    if (hasCome) return await receiver.arrive(expected);
  } catch (error) {
    if (signal.aborted) stopped?.();
    await receiver.abort();
    signal.throwIfAborted();
    if (!(error instanceof FailureError) || isHalting(error.failure) || asksForPause(error.failure)) throw error;
    return null;
  }
  await receiver.abort();
  return null;
}

/** One MD5 with two SHA-256s is never merged: what arrived is a sample of its own. */
function keep(request: FetchRequest, { stored, announced }: ArrivedSample): Fetched {
  const namesakes = request.library.sha256sOfMd5(request.md5).filter((sha256) => sha256 !== stored.sha256);
  const outcome = namesakes.length > 0 ? 'two-samples-one-md5' : 'done';
  let isKnown = false;
  try {
    recordStored(request, stored, outcome, { strayBytesDropped: stored.droppedStrayBytes });
    isKnown = true;
  } finally {
    announced(isKnown);
  }
  return { sha1: stored.sha1, sha256: stored.sha256, sizeBytes: stored.sizeBytes, wasHere: false, namesakes };
}

/**
 * One answer, 403, means "no right" and "no such sample" in the field; the record decides which. The oldest releases
 * answer for an unknown sample as for an unknown action, and have no records that show which it is.
 */
async function distinguishCause(api: RepositoryApi, { md5, signal }: FetchRequest, error: unknown): Promise<unknown> {
  if (!(error instanceof FailureError)) return error;
  const { failure } = error;
  if (failure.kind !== 'forbidden-or-unknown' && failure.kind !== 'action-unknown') return error;
  const { service, address } = failure;
  const refusedWith = (refusal: Failure): FailureError => new FailureError(refusal, { cause: error });
  try {
    await api.getFile(md5, { signal });
  } catch (second) {
    const kind = failureKindOf(second);
    if (unknownKinds.has(kind)) return second;
    const isInDoubt = failure.kind === 'action-unknown' && kind === 'action-unknown';
    return isInDoubt ? refusedWith({ kind: 'forbidden-or-unknown', service, address, status: 404, hash: md5 }) : error;
  }
  if (failure.kind === 'action-unknown') return error;
  return refusedWith({ kind: 'forbidden', service, address, status: failure.status, text: '' });
}

function recordStored(
  { library, workspaceId, md5: requestedMd5 }: FetchRequest,
  { md5, sha1, sha256, sizeBytes }: KeptSample,
  outcome: string,
  detail = {},
): void {
  library.recordDownload({
    workspaceId,
    md5: requestedMd5,
    hashes: { md5, sha1, sha256 },
    sizeBytes,
    outcome,
    detail: { sizeBytes, ...detail },
  });
}

export type KeptSample = NonNullable<Awaited<ReturnType<Vault['hashesOf']>>>;

/**
 * The vault's copy of a sample that is known by its MD5, or null. `recordedSha256` is the service's: of several samples
 * with one MD5 only that one counts. A copy that is damaged counts as none: receiving the sample again is what heals
 * it.
 */
export async function soundCopyOf(
  stores: { library: LibraryStore; vault: Vault },
  md5: string,
  recordedSha256: string | null,
): Promise<KeptSample | null> {
  for (const sha256 of stores.library.sha256sOfMd5(md5)) {
    if (recordedSha256 !== null && recordedSha256 !== sha256) continue;
    const kept = await soundCopy(stores, sha256);
    if (kept) return kept;
  }
  return null;
}

async function soundCopy(
  { library, vault }: { library: LibraryStore; vault: Vault },
  sha256: string,
): Promise<KeptSample | null> {
  if (!library.find(sha256)?.inVault) return null;
  try {
    const kept = await vault.hashesOf(sha256);
    // It may have been forgotten while it was read.
    return library.find(sha256)?.inVault ? kept : null;
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'vault-damaged') return null;
    throw error;
  }
}
