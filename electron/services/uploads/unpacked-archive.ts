import { createHash } from 'node:crypto';
import { type ArchiveLimits, archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { UploadReply } from '../../api/uploads.ts';
import { readZipAt } from '../../archive/reading/zip-random.ts';
import type { Staging } from '../../vault/staging.ts';
import type { Place, PresenceAnswer, Sending, UploadOutcome } from './upload-recorder.ts';

export interface UnpackingOptions {
  staging: Pick<Staging, 'openAt'>;
  signal: AbortSignal;
  place: Place;
  /** How many files the request carried. */
  sent: number;
  /** The repository has no records, as the oldest releases, which name an archive that they took apart as stored. */
  hasNoRecords: boolean;
  /** Of a member, by its MD5. */
  presenceOf(sending: Sending): Promise<PresenceAnswer>;
}

/** Those that servers of the family try (docs/services.md, "uploadfiles"). */
const passwords = ['', 'infected', 'malware', 'virus'];
/** More than any server was seen to keep; hashing them takes seconds. */
const limits: ArchiveLimits = { ...archiveLimits, members: 1000, totalBytes: 2 * 2 ** 30 };
/** Records that are fetched at most, of those that the reply names. */
const askedAtMost = 100;

/**
 * What became of a ZIP that the server took apart: its members are items of the reply instead of it. Their records
 * decide what is stored. null: no item is one of its members, and it may be stored itself.
 */
export async function outcomeOfUnpacked(
  sending: Sending,
  { items }: UploadReply,
  options: UnpackingOptions,
): Promise<UploadOutcome | null> {
  const named = new Map(items.flatMap(({ md5, error }) => (md5 === null ? [] : [[md5, error] as const])));
  if (named.size === 0) return null;
  const members = await membersOf(sending, options);
  const taken = members.filter((md5) => named.has(md5));
  if (taken.length === 0) {
    const isHidden = options.hasNoRecords && members.length > 0 && named.get(sending.md5) === null;
    const { place, sent } = options;
    const failure = { kind: 'upload-vanished', ...place, sent, items: items.length, isArchive: true } as const;
    return isHidden ? { state: 'vanished', failure } : null;
  }
  const counts = { stored: 0, alreadyThere: 0, refused: 0, dropped: members.length - taken.length };
  for (const [index, md5] of taken.entries()) {
    const isRefused = named.get(md5) !== null;
    const answer = index < askedAtMost ? await options.presenceOf({ ...sending, md5 }) : null;
    if (isRefused) counts[answer?.presence === 'there' ? 'alreadyThere' : 'refused'] += 1;
    // One that no one may read is stored, as far as the service reports; one that is not there was dropped after all.
    // A warning alone does not outweigh that.
    else counts[answer?.presence === 'new' ? 'dropped' : 'stored'] += 1;
  }
  const failure = { kind: 'upload-unpacked', ...options.place, ...counts } as const;
  return { state: counts.stored + counts.alreadyThere > 0 ? 'done' : 'refused', failure };
}

/** Opened here, or by its first bytes: a server may take it apart, whatever its name. */
export async function isZip({ file }: Sending, staging: UnpackingOptions['staging']): Promise<boolean> {
  if (file.archive !== null) return true;
  const source = await staging.openAt(file.stagedId ?? '');
  try {
    return await beginsAsZip(source);
  } finally {
    await source.close();
  }
}

const beginsAsZip = async (source: Awaited<ReturnType<Staging['openAt']>>): Promise<boolean> =>
  source.sizeBytes >= 4 && Buffer.from(await source.read(0, 2)).toString('latin1') === 'PK';

/** The MD5s of a ZIP's members, each once, in its order, as far as it can be read; none for any other file. */
async function membersOf({ file }: Sending, { staging, signal }: UnpackingOptions): Promise<string[]> {
  const md5s = new Set<string>();
  const source = await staging.openAt(file.stagedId ?? '');
  try {
    if (!(await beginsAsZip(source))) return [];
    for await (const part of readZipAt(source, { archiveName: file.name, passwords, limits, signal })) {
      const isFolder = part.name.endsWith('/');
      if (part.kind === 'streamed' && !isFolder) md5s.add(await md5Of(part.chunks));
    }
  } catch (error) {
    signal.throwIfAborted();
    // What could be read of it is compared.
    if (!(error instanceof FailureError) || !error.failure.kind.startsWith('archive-')) throw error;
  } finally {
    await source.close();
  }
  return [...md5s];
}

async function md5Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
