import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { Tally } from '../../jobs/job-store.ts';
import type { BundleStore, SampleTakenIn, TakenAs, TakenFrom } from '../../storage/bundle-store.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { ArrivedSample, SampleReceiver, Vault, WholeSample } from '../../vault/vault.ts';
import type { BytesState } from './bundle-reading-messages.ts';

export interface GroupPorts {
  vault: Pick<Vault, 'receive' | 'batch' | 'room'>;
  store: Pick<BundleStore, 'takeIn'>;
  library: Pick<LibraryStore, 'find'>;
  from: TakenFrom;
  signal: AbortSignal;
  /** In the transaction that takes them in. */
  tally(outcomes: Tally): void;
  notice(failure: Failure): void;
}

interface Member {
  sample: BundledSample;
  records: readonly BundledRecord[];
  bytes: BytesState;
  stored: SampleTakenIn['stored'];
  /** Has all its bytes, and is to be kept with the group. */
  receiver: SampleReceiver | null;
}

/**
 * Samples of a bundle that become known together: bytes, library, journal and how far the job is are one transaction.
 */
export class BundleGroup {
  readonly #ports: GroupPorts;
  readonly #batch;
  readonly #members: Member[] = [];
  readonly #adding: Promise<unknown>[] = [];
  #receiver: SampleReceiver | null = null;

  constructor(ports: GroupPorts) {
    this.#ports = ports;
    this.#batch = ports.vault.batch();
  }

  sample(sample: BundledSample, records: readonly BundledRecord[], bytes: BytesState): void {
    this.#members.push({ sample, records, bytes, stored: null, receiver: null });
  }

  /** All bytes of the last sample. */
  async whole(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const member = this.#last();
    const sizeBytes = bytes.length;
    await this.#ports.vault.room(2 * sizeBytes, this.#ports.signal);
    const adding = this.#add(member, { bytes, encoding: 'identity', sizeBytes, crc32: null });
    // It is asked for when the group is committed.
    adding.catch(() => undefined);
    this.#adding.push(adding);
  }

  async #add(member: Member, whole: WholeSample): Promise<void> {
    member.stored = await this.#batch.add(whole, member.sample);
  }

  async piece(bytes: Uint8Array): Promise<void> {
    this.#receiver ??= this.#ports.vault.receive();
    await this.#receiver.write(bytes);
  }

  /** Of the last sample, behind its pieces. */
  async endPieces(isWhole: boolean): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = null;
    if (isWhole) this.#last().receiver = receiver;
    else await receiver?.abort();
  }

  /** @throws FailureError as the vault and the database do; nothing of it is known then */
  async commit(): Promise<void> {
    const arrived: ArrivedSample[] = [];
    try {
      await Promise.all(this.#adding);
      for (const member of this.#members) {
        if (member.receiver === null) continue;
        const kept = await member.receiver.arrive(member.sample);
        arrived.push(kept);
        member.stored = kept.stored;
      }
      await this.#batch.commit(() => {
        this.#takeIn();
        for (const { told } of arrived) told(true);
      });
    } finally {
      for (const { told } of arrived) told(false);
      await this.abort();
    }
  }

  /** Leaves nothing of what was not committed. */
  async abort(): Promise<void> {
    await this.#receiver?.abort();
    for (const { receiver } of this.#members) await receiver?.abort();
    await this.#batch.abort();
  }

  #takeIn(): void {
    const outcomes = this.#ports.store.takeIn(this.#members, this.#ports.from);
    const tally = { done: 0, 'already-here': 0, failed: 0 };
    for (const [index, member] of this.#members.entries()) {
      const outcome = outcomes[index];
      if (this.#isNamed(member, outcome) || this.#wasLost(member)) tally.failed += 1;
      else tally[outcome === 'same' ? 'already-here' : 'done'] += 1;
    }
    this.#ports.tally(tally);
  }

  /** Of what was not taken in, whoever takes it in is told. */
  #isNamed({ sample: { sha256, md5 } }: Member, outcome: TakenAs | undefined): boolean {
    if (outcome === 'full' && sha256 !== null) this.#ports.notice({ kind: 'bundle-note-full', sha256 });
    else if (outcome === 'contradicted' || outcome === 'refused')
      this.#ports.notice({ kind: 'bundle-contradicts', hash: sha256 ?? md5 });
    else return false;
    return true;
  }

  /** What the vault had when the bundle was read may have been forgotten since: it comes with the next try. */
  #wasLost({ sample, bytes }: Member): boolean {
    if (bytes !== 'held' || sample.sha256 === null || this.#ports.library.find(sample.sha256)?.inVault === true)
      return false;
    this.#ports.notice({ kind: 'not-in-vault', sha256: sample.sha256 });
    return true;
  }

  #last(): Member {
    const member = this.#members.at(-1);
    if (member === undefined) throw new Error('bytes of no sample');
    return member;
  }
}
