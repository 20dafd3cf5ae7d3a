import type { AddedArchive } from '../../../shared/domain/addition.ts';
import type { ArchiveLimits, ArchiveRemark } from '../../../shared/domain/opened-archive.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { memberPlace } from '../../archive/archive-names.ts';
import { inOnePiece, readZipAt, smallMember } from '../../archive/reading/zip-random.ts';
import type { RandomPart } from '../../archive/reading/zip-source.ts';
import { rankBelow, type SettledMember, type WaitingFile } from '../../storage/jobs/addition-store.ts';
import type { StagedAccess, Staging } from '../../vault/staging.ts';

/** What may still come out of a file that was given, over all archives in it. */
export interface ArchiveAllowance {
  members: number;
  bytes: number;
}

/** A member that was taken out, or (`failure`) refused. */
export type Member = Omit<WaitingFile, 'stagedId'> & { remarks: readonly ArchiveRemark[] } & (
    { stagedId: string; failure: null } | { stagedId: null; failure: Failure }
  );

export interface ArchiveMembersPorts {
  staging: Pick<Staging, 'openAt' | 'stageStream' | 'discard'>;
  signal: AbortSignal;
  /** Tried in order. */
  passwords: readonly string[];
  limits: ArchiveLimits;
  allowance: ArchiveAllowance;
  /** Members that have their outcome from an earlier run, by rank. */
  known: ReadonlyMap<string, SettledMember>;
  /** Gets members some at a time; what was staged of them is discarded when it resolves. */
  take(members: readonly Member[]): Promise<void>;
}

/** Taken in one step: one of these is reached first. */
const membersAtOnce = 32;
const bytesAtOnce = 64 * 1024 * 1024;

/** Failures of one member, and of the archive as a whole. All others are of the disk. */
const ofMember = new Set<string>(['archive-damaged', 'archive-unsupported', 'archive-password']);
const ofArchive = new Set<string>([...ofMember, 'archive-limit', 'archive-truncated']);

/**
 * Takes all members out of an archive. @throws FailureError as the disk does, and as `take` does; the signal's reason
 */
export async function takeMembers(ports: ArchiveMembersPorts, archive: WaitingFile): Promise<AddedArchive> {
  const reading = new ArchiveMembers(ports, archive);
  const opened = await openedFile(ports.staging, archive.stagedId);
  if ('kind' in opened) return reading.outcome(opened);
  try {
    return reading.outcome(await reading.read(opened));
  } finally {
    await opened.close();
    await reading.discard();
  }
}

/** A given file, with why it could not be read: that is reported for the file, and ends no job. */
interface OpenedFile extends StagedAccess {
  unread(): Failure | null;
}

async function openedFile(staging: Pick<Staging, 'openAt'>, stagedId: string): Promise<OpenedFile | Failure> {
  let failure: Failure | null = null;
  const noted = (error: unknown): never => {
    if (error instanceof FailureError) failure = error.failure;
    throw error;
  };
  try {
    const source = await staging.openAt(stagedId);
    const read: StagedAccess['read'] = (position, length) => source.read(position, length).catch(noted);
    return { sizeBytes: source.sizeBytes, read, close: () => source.close(), unread: () => failure };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return error.failure;
  }
}

class ArchiveMembers {
  readonly #ports: ArchiveMembersPorts;
  readonly #archive: WaitingFile;
  readonly #remarks: ArchiveRemark[] = [];
  /** In the order of the archive; small ones are staged while the next ones are read. */
  #waiting: Promise<Member>[] = [];
  #waitingBytes = 0;
  #members = 0;
  #locked = 0;
  #refused = 0;

  constructor(ports: ArchiveMembersPorts, archive: WaitingFile) {
    this.#ports = ports;
    this.#archive = archive;
  }

  /** @returns why it was not read to its end, or null */
  async read(source: OpenedFile): Promise<Failure | null> {
    const { passwords, limits, allowance, signal } = this.#ports;
    const { name } = this.#archive;
    const own = {
      ...limits,
      members: Math.min(limits.members, allowance.members),
      totalBytes: Math.min(limits.totalBytes, allowance.bytes),
    };
    try {
      for await (const part of readZipAt(source, {
        archiveName: name,
        passwords,
        limits: own,
        signal,
        onRemark: (remark) => this.#remarks.push(remark),
      })) {
        if (allowance.members <= 0) fail({ kind: 'archive-limit', name, limit: 'members', value: limits.members });
        if (allowance.bytes <= 0) fail({ kind: 'archive-limit', name, limit: 'total-size', value: limits.totalBytes });
        allowance.members -= 1;
        await this.#part(part);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      if (error.failure !== source.unread() && !ofArchive.has(error.failure.kind)) throw error;
      await this.#pass();
      return error.failure;
    }
    await this.#pass();
    return null;
  }

  outcome(failure: Failure | null): AddedArchive {
    const taken = this.#members - this.#locked - this.#refused;
    const facts = { members: this.#members, remarks: this.#remarks, failure };
    if (taken === 0 && this.#locked > 0) return { ...facts, state: 'locked' };
    if (taken === 0 && (failure !== null || this.#refused > 0)) return { ...facts, state: 'refused' };
    return { ...facts, state: failure === null && this.#members === taken ? 'open' : 'partly' };
  }

  /** What was staged and not taken. */
  async discard(): Promise<void> {
    const waiting = await Promise.allSettled(this.#waiting.splice(0));
    await this.#discardAll(waiting.flatMap((member) => (member.status === 'fulfilled' ? [member.value] : [])));
  }

  async #discardAll(members: readonly Member[]): Promise<void> {
    const { staging } = this.#ports;
    await Promise.all(members.flatMap(({ stagedId }) => (stagedId === null ? [] : [staging.discard(stagedId)])));
  }

  async #part(part: RandomPart): Promise<void> {
    this.#members += 1;
    const rank = rankBelow(this.#archive.rank, this.#members);
    const known = this.#ports.known.get(rank);
    if (known !== undefined) this.#count(known.sizeBytes, known.failure);
    else await this.#member(part, rank);
    if (this.#waiting.length >= membersAtOnce || this.#waitingBytes >= bytesAtOnce) await this.#pass();
  }

  async #member(part: RandomPart, rank: string): Promise<void> {
    const { name, path } = memberPlace(part.name);
    const { name: archive, path: folder } = this.#archive;
    const inArchive = `${folder === '' || folder.endsWith('!') ? folder : `${folder}/`}${archive}!`;
    const member = { rank, name, path: `${inArchive}${path}`, remarks: part.remarks };
    const staged = part.kind === 'refused' ? part.failure : await this.#staged(name, part);
    if ('kind' in staged) {
      this.#waiting.push(Promise.resolve({ ...member, sizeBytes: 0, stagedId: null, failure: staged }));
      return this.#count(0, staged);
    }
    const { sizeBytes } = staged;
    const waiting = staged.id.then((stagedId): Member => ({ ...member, sizeBytes, stagedId, failure: null }));
    // `#pass` throws it.
    waiting.catch(() => undefined);
    this.#waiting.push(waiting);
    this.#waitingBytes += sizeBytes;
    return this.#count(sizeBytes, null);
  }

  /** A member that breaks off in the middle is one that cannot be read; what breaks the archive is thrown on. */
  async #staged(
    name: string,
    part: Extract<RandomPart, { kind: 'streamed' }>,
  ): Promise<{ id: Promise<string>; sizeBytes: number } | Failure> {
    const { staging } = this.#ports;
    try {
      const small = await smallMember(part);
      if (small !== null)
        return { id: staging.stageStream(name, inOnePiece(small)).then(({ id }) => id), sizeBytes: small.length };
      const { id, sizeBytes } = await staging.stageStream(name, part.chunks);
      return { id: Promise.resolve(id), sizeBytes };
    } catch (error) {
      if (!(error instanceof FailureError) || !ofMember.has(error.failure.kind)) throw error;
      return error.failure;
    }
  }

  #count(sizeBytes: number, failure: Failure | null): void {
    this.#ports.allowance.bytes -= sizeBytes;
    if (failure?.kind === 'archive-password') this.#locked += 1;
    else if (failure !== null) this.#refused += 1;
  }

  async #pass(): Promise<void> {
    if (this.#waiting.length === 0) return;
    // What cannot be staged leaves the others to `discard`.
    const members = await Promise.all(this.#waiting);
    this.#waitingBytes = 0;
    await this.#ports.take(members);
    this.#waiting = [];
    await this.#discardAll(members);
  }
}
